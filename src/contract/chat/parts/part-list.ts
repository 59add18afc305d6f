import type { ChatChunk, ChatMessagePart } from '../message.ts'

/** The parts of a message that is being built. Each change replaces the list and the part that changed, so readers can compare by identity. */
export class PartList {
  all: ChatMessagePart[] = []
  /** Index of the part that each open stream of the current step writes to. */
  readonly streams = new Map<string, number>()

  push(part: ChatMessagePart): void {
    this.all = [...this.all, part]
  }

  /** Replaces the fields that `change` returns. Does nothing without an index: the stream or tool call was never started. */
  change(index: number | undefined, change: (part: ChatMessagePart) => object): void {
    const part = this.all[index ?? -1]
    if (part) this.all = this.all.with(index!, { ...part, ...change(part) })
  }
}

/** How chunks, by their type, change the parts of a message that is being built. */
export type Reducers = { [Type in ChatChunk['type']]?: (parts: PartList, chunk: Extract<ChatChunk, { type: Type }>) => void }
