import type { ChatChunk } from '../../../contract/chat/message.ts'
import type { MergePace } from '../../models/streams/merge-pace.ts'

type Delta = Extract<ChatChunk, { type: 'text-delta' | 'reasoning-delta' }>
type Read = { result: IteratorResult<ChatChunk, unknown> } | { cause: unknown }

/**
 * Merges deltas: the first passes at once, and those that follow within the pace's interval pass together. Any other chunk passes at once,
 * after what is held, so text and order stay the same. The log, the database and every follower cost per delta, not per token.
 * `abandon` ends the answer, of which the next chunk may be awaited, when its reader leaves.
 */
export async function* mergedAnswer(
  chunks: AsyncIterable<ChatChunk>,
  { pace, abandon }: { pace: Pick<MergePace, 'intervalMs'>; abandon: () => void },
): AsyncGenerator<ChatChunk, void, undefined> {
  const source = chunks[Symbol.asyncIterator]()
  const held = new HeldDelta(pace)
  let next: Promise<Read> | null = null
  try {
    for (;;) {
      next ??= source.next().then(
        (result): Read => ({ result }),
        (cause: unknown): Read => ({ cause }),
      )
      const read = await (held.due ? Promise.race([next, held.due]) : next)
      if (!read) {
        yield* held.take()
        continue
      }
      next = null
      if ('cause' in read || read.result.done) {
        yield* held.take()
        if ('cause' in read) throw read.cause
        return
      }
      const { value } = read.result
      if (held.add(value)) continue
      yield* held.take()
      if (!held.hold(value)) yield value
    }
  } finally {
    held.drop()
    if (next) abandon()
    await source.return?.()
  }
}

/** At most one delta, and when it passes. */
class HeldDelta {
  readonly #pace: Pick<MergePace, 'intervalMs'>
  #delta: Delta | null = null
  #timer: NodeJS.Timeout | undefined
  #lastAt = Number.NEGATIVE_INFINITY
  /** Resolves when the held delta passes; `null` while none is held. */
  due: Promise<null> | null = null

  constructor(pace: Pick<MergePace, 'intervalMs'>) {
    this.#pace = pace
  }

  /** Adds a delta of the same part. */
  add(chunk: ChatChunk): boolean {
    if (!this.#delta || !isDelta(chunk) || chunk.type !== this.#delta.type || chunk.id !== this.#delta.id) return false
    this.#delta.delta += chunk.delta
    return true
  }

  /** Holds a delta, unless the interval since the last one is over. */
  hold(chunk: ChatChunk): boolean {
    if (!isDelta(chunk)) return false
    const now = performance.now()
    const waitMs = this.#lastAt + this.#pace.intervalMs - now
    if (waitMs <= 0) {
      this.#lastAt = now
      return false
    }
    this.#delta = { ...chunk }
    this.due = new Promise((resolve) => (this.#timer = setTimeout(() => resolve(null), waitMs)))
    return true
  }

  *take(): Generator<ChatChunk> {
    const delta = this.#delta
    this.drop()
    if (!delta) return
    this.#lastAt = performance.now()
    yield delta
  }

  drop(): void {
    clearTimeout(this.#timer)
    this.#delta = null
    this.due = null
  }
}

const isDelta = (chunk: ChatChunk): chunk is Delta => chunk.type === 'text-delta' || chunk.type === 'reasoning-delta'
