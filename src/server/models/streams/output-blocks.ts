import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'

type Block = 'text' | 'reasoning'

/** Writes text and reasoning as blocks with a start and an end, of which one is open at a time. */
export class OutputBlocks {
  readonly #write: (part: LanguageModelV4StreamPart) => void
  #open: Block | undefined

  constructor(write: (part: LanguageModelV4StreamPart) => void) {
    this.#write = write
  }

  writeDelta(block: Block, delta: string): void {
    if (this.#open !== block) {
      this.close()
      this.#open = block
      this.#write({ type: `${block}-start`, id: block })
    }
    this.#write({ type: `${block}-delta`, id: block, delta })
  }

  close(): void {
    if (this.#open) this.#write({ type: `${this.#open}-end`, id: this.#open })
    this.#open = undefined
  }
}
