import type { ChatChunk, ChatMessage, MessageMetadata } from './message.ts'
import { PartList } from './parts/part-list.ts'
import { reduceChunk, settled } from './parts/part-reducers.ts'

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
