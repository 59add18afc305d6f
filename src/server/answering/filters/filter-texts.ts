import type { ChatChunk } from '../../../contract/chat/message.ts'
import { stepResetChunk } from '../../../contract/chat/parts/step-start.ts'

/** Filters one text as it grows. Emitted text never changes. */
export interface TextFilter {
  /** Accepts text and returns the part that is final. */
  write(delta: string): string
  /** Returns what was held back. */
  end(): string
}

/** Whether a chunk begins a step or discards what the current one has shown. */
export const beginsStep = (chunk: ChatChunk): boolean => chunk.type === 'start-step' || chunk.type === stepResetChunk.type

/** Filters each text part of an answer by a filter of its own. If the answer fails, what was held back is emitted first. */
export async function* filterTexts(chunks: AsyncIterable<ChatChunk>, open: () => TextFilter): AsyncGenerator<ChatChunk, void, undefined> {
  const filters = new Map<string, TextFilter>()
  const rest = function* (id: string): Generator<ChatChunk> {
    const delta = filters.get(id)?.end() ?? ''
    filters.delete(id)
    if (delta !== '') yield { type: 'text-delta', id, delta }
  }
  try {
    for await (const chunk of chunks) {
      if (beginsStep(chunk)) filters.clear()
      if (chunk.type === 'text-end') yield* rest(chunk.id)
      if (chunk.type !== 'text-delta') {
        yield chunk
        continue
      }
      const filter = filters.get(chunk.id) ?? open()
      filters.set(chunk.id, filter)
      const delta = filter.write(chunk.delta)
      if (delta !== '') yield { ...chunk, delta }
    }
  } catch (error) {
    for (const id of filters.keys()) yield* rest(id)
    throw error
  }
}
