import type { ChatChunk, ChatMessagePart } from '../message.ts'
import type { PartList } from './part-list.ts'
import type { Reducers } from './reducers.ts'

type StreamedPart = Extract<ChatMessagePart, { type: 'text' | 'reasoning' }>
type Chunk<Type extends string> = Extract<ChatChunk, { type: Type }>

/** Reducers of a kind of part whose text arrives in deltas. */
export function streamReducers(type: StreamedPart['type']): Reducers {
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
