import type { LanguageModelUsage, ModelMessage } from 'ai'

/** Tokens that a model reads and writes. */
export interface Tokens {
  inputTokens: number
  outputTokens: number
}

/** Bytes of UTF-8 a token; texts have three to four, so an estimate is rather too high. */
const BYTES_A_TOKEN = 2.5
/** Instructions of the provider's own and the form around messages and tools. */
const TOKENS_AROUND = 200

/** About how many tokens a text has, rather too many. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_A_TOKEN)
}

/** About how many tokens a picture has, rather too many: providers make large ones smaller. */
export const PICTURE_TOKENS = 2_000

/** About how many tokens parts of messages have: of files all are pictures by then, and their bytes are no text. */
export function estimateContent(content: unknown): number {
  let pictures = 0
  const text = JSON.stringify(content, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('type' in value) || value.type !== 'file') return value
    pictures += 1
    return undefined
  })
  return estimateTokens(text) + pictures * PICTURE_TOKENS
}

/** About how many tokens a model is sent with these messages; `fixed`: what it is sent with any. */
export function estimateInput(messages: readonly ModelMessage[], fixed: number): number {
  return fixed + TOKENS_AROUND + estimateContent(messages)
}

/** Adds up what the steps of one answer use: what the model says of each, or an estimate of a step that it did not finish or say. */
export class TokenMeter {
  readonly #ended: Tokens = { inputTokens: 0, outputTokens: 0 }
  #step: Tokens | null = null

  get used(): Tokens {
    const { inputTokens = 0, outputTokens = 0 } = this.#step ?? {}
    return { inputTokens: this.#ended.inputTokens + inputTokens, outputTokens: this.#ended.outputTokens + outputTokens }
  }

  begin(inputTokens: number): void {
    this.#close(this.#step)
    this.#step = { inputTokens, outputTokens: 0 }
  }

  wrote(text: string): void {
    if (this.#step) this.#step.outputTokens += estimateTokens(text)
  }

  end({ inputTokens, outputTokens }: Pick<LanguageModelUsage, 'inputTokens' | 'outputTokens'>): void {
    const estimate = this.#step ?? { inputTokens: 0, outputTokens: 0 }
    this.#close({ inputTokens: inputTokens ?? estimate.inputTokens, outputTokens: outputTokens ?? estimate.outputTokens })
  }

  #close(step: Tokens | null): void {
    if (!step) return
    this.#ended.inputTokens += step.inputTokens
    this.#ended.outputTokens += step.outputTokens
    this.#step = null
  }
}
