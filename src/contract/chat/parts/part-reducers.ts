import type { ChatChunk, ChatMessagePart } from '../message.ts'
import type { PartKind } from './part-kinds.ts'
import type { PartList, Reducers } from './part-list.ts'
import { stepStartReducers } from './step-start.ts'
import { toolReducers } from './tool.ts'
import { topicsReducers } from './topics.ts'

type StreamedPart = Extract<ChatMessagePart, { type: 'text' | 'reasoning' }>
type Chunk<Type extends string> = Extract<ChatChunk, { type: Type }>

export const PART_REDUCERS = {
  text: streamReducers('text'),
  reasoning: streamReducers('reasoning'),
  'step-start': stepStartReducers,
  file: { file: (parts, chunk) => parts.push(chunk) },
  'source-url': { 'source-url': (parts, chunk) => parts.push(chunk) },
  'source-document': { 'source-document': (parts, chunk) => parts.push(chunk) },
  tool: toolReducers,
  'data-topics': topicsReducers,
} satisfies Record<PartKind, Reducers>

type Reduce = (parts: PartList, chunk: ChatChunk) => void

const REDUCERS = new Map(Object.values(PART_REDUCERS).flatMap((reducers) => Object.entries(reducers) as [string, Reduce][]))

/** Applies a chunk to the parts of a message; ignores chunks of unknown types. */
export function reduceChunk(parts: PartList, chunk: ChatChunk): void {
  REDUCERS.get(chunk.type)?.(parts, chunk)
}

/** Reducers of a kind of part whose text arrives in deltas. */
function streamReducers(type: StreamedPart['type']): Reducers {
  const start = (parts: PartList, { id, providerMetadata }: Chunk<'text-start'>) => {
    parts.streams.set(type + id, parts.all.length)
    const identity = type === 'reasoning' ? { type, id } : { type }
    parts.push({ ...identity, text: '', state: 'streaming', ...(providerMetadata && { providerMetadata }) })
  }
  const append = (parts: PartList, { id, delta }: Chunk<'text-delta'>) =>
    parts.change(parts.streams.get(type + id), (part) => ({ text: (part as StreamedPart).text + delta }))
  const end = (parts: PartList, { id, providerMetadata }: Chunk<'text-end'>) => {
    parts.change(parts.streams.get(type + id), () => ({ state: 'done', ...(providerMetadata && { providerMetadata }) }))
    parts.streams.delete(type + id)
  }
  return { [`${type}-start`]: start, [`${type}-delta`]: append, [`${type}-end`]: end } as object
}

/** The part as it is once nothing more is written to it. */
export function settled(part: ChatMessagePart): ChatMessagePart {
  return 'state' in part && part.state === 'streaming' ? { ...part, state: 'done' } : part
}
