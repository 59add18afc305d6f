import type { ChatChunk, ChatMessage, MessageMetadata, ChatMessagePart } from './message.ts'
import { PartList, type Reducers } from './parts/part-list.ts'
import type { PartKind } from './parts/part-kinds.ts'
import { stepStartReducers } from './parts/step-start.ts'
import { toolReducers } from './parts/tool.ts'
import { topicsReducers } from './parts/topics.ts'

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
function reduceChunk(parts: PartList, chunk: ChatChunk): void {
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
function settled(part: ChatMessagePart): ChatMessagePart {
  return 'state' in part && part.state === 'streaming' ? { ...part, state: 'done' } : part
}

/**
 * Builds a message from the chunks of its stream: on the server to store it and in the page to show it, so both always agree.
 * Follows the AI SDK's UI message stream protocol; chunks of unknown types are ignored.
 * A `start` chunk resets the message, so a replayed stream builds the same message again.
 * Each change replaces the part and the list: readers can compare by identity.
 */
export class MessageBuilder {
  #id: string
  #parts = new PartList()
  #metadata: MessageMetadata = {}

  constructor(id = '') {
    this.#id = id
  }

  /** The message so far. Text that is still streaming has `state: 'streaming'`. */
  get message(): ChatMessage {
    return { id: this.#id, role: 'assistant', metadata: this.#metadata, parts: this.#parts.all }
  }

  /** The complete message, with no part marked as streaming. */
  finished(): ChatMessage {
    return { ...this.message, parts: this.#parts.all.map(settled) }
  }

  apply(chunk: ChatChunk): void {
    switch (chunk.type) {
      case 'start':
        this.#id = chunk.messageId ?? this.#id
        this.#parts = new PartList()
        this.#metadata = { ...chunk.messageMetadata }
        break
      case 'message-metadata':
      case 'finish':
        if (chunk.messageMetadata) this.#metadata = { ...this.#metadata, ...chunk.messageMetadata }
        break
      default:
        reduceChunk(this.#parts, chunk)
    }
  }
}
