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
  const { bytes, pictures } = sizeOf(content, { bytes: 0, pictures: 0 })
  return Math.ceil(bytes / BYTES_A_TOKEN) + pictures * PICTURE_TOKENS
}

/** What JSON puts around a text or a key, and a value that is neither, in bytes. */
const BYTES_AROUND = 4

/** Adds up about what JSON would take, without making it: a long conversation is measured with every prompt. */
function sizeOf(value: unknown, sum: { bytes: number; pictures: number }): { bytes: number; pictures: number } {
  sum.bytes += BYTES_AROUND
  if (typeof value === 'string') sum.bytes += Buffer.byteLength(value)
  if (typeof value !== 'object' || value === null) return sum
  if ('type' in value && value.type === 'file') {
    sum.pictures += 1
    return sum
  }
  for (const [key, part] of Object.entries(value)) {
    if (part === undefined) continue
    if (!Array.isArray(value)) sum.bytes += key.length + BYTES_AROUND
    sizeOf(part, sum)
  }
  return sum
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

  /** Forgets the step: the model has refused it. */
  abandon(): void {
    this.#step = null
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
