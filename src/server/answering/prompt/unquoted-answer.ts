import type { ChatChunk } from '../../../contract/chat/message.ts'
import { normalizedWords, type PromptQuotes, QuoteFinder } from '../../safety/prompt-quotes.ts'
import { AgentFailure } from '../../models/agent-failure.ts'

type Delta = Extract<ChatChunk, { type: 'text-delta' | 'reasoning-delta' }>

export interface ConfidentialTexts {
  readonly quotes: PromptQuotes
  /** Texts that visitors see, of which a quote is none. */
  readonly publicTexts: readonly string[]
}

/** Most results of tools whose texts an answer may quote. */
const MAX_RESULTS = 100

/**
 * Streams an answer as long as it quotes no confidential text of the system prompt. Buffers words while they match one. Throws
 * `answer_blocked` before a quote is emitted; in reasoning, leaves out the rest instead. What tools returned and visitors see anyway may be
 * quoted. `confidential` is `null` for a model that reads no system prompt.
 */
export async function* unquotedAnswer(
  chunks: AsyncIterable<ChatChunk>,
  { confidential }: { confidential: ConfidentialTexts | null },
): AsyncGenerator<ChatChunk, void, undefined> {
  if (!confidential) return yield* chunks
  const results: unknown[] = []
  const isPublic = (quote: string) =>
    [...confidential.publicTexts, ...results.map((result) => JSON.stringify(result) ?? '')].some((text) =>
      ` ${normalizedWords(unescaped(text))} `.includes(` ${quote} `),
    )
  let open: OpenPart | null = null
  for await (const chunk of chunks) {
    if (chunk.type === 'tool-output-available' && results.length < MAX_RESULTS) results.push(chunk.output)
    if (chunk.type !== 'text-delta' && chunk.type !== 'reasoning-delta') {
      if (open) yield* open.end()
      open = null
      yield chunk
    } else {
      if (open && !open.isOf(chunk)) yield* open.end()
      if (!open?.isOf(chunk)) open = new OpenPart(chunk, new QuoteFinder(confidential.quotes, isPublic))
      yield* open.write(chunk)
    }
  }
  if (open) yield* open.end()
}

/** Escapes of JSON are no words. */
const unescaped = (text: string) => text.replaceAll(/\\[nrt]/g, ' ')

class OpenPart {
  readonly #part: Pick<Delta, 'type' | 'id'>
  readonly #finder: QuoteFinder
  #isCut = false

  constructor({ type, id }: Delta, finder: QuoteFinder) {
    this.#part = { type, id }
    this.#finder = finder
  }

  isOf({ type, id }: Delta): boolean {
    return this.#part.type === type && this.#part.id === id
  }

  *write(chunk: Delta): Generator<ChatChunk, void, undefined> {
    if (!this.#isCut) yield* this.#emit(this.#finder.write(chunk.delta))
  }

  *end(): Generator<ChatChunk, void, undefined> {
    if (!this.#isCut) yield* this.#emit(this.#finder.end())
  }

  *#emit(delta: string): Generator<ChatChunk, void, undefined> {
    this.#isCut = this.#finder.isQuote
    const isAnswer = this.#part.type === 'text-delta'
    const shown = this.#isCut && !isAnswer ? `${delta}…` : delta
    if (shown !== '') yield { ...this.#part, delta: shown }
    if (this.#isCut && isAnswer)
      throw new AgentFailure('answer_blocked', 'The answer quoted the system prompt; put what visitors may read into the knowledge.')
  }
}
