import { z } from 'zod'
import { createEgress, type Egress, readBody } from '../../egress/egress.ts'
import { OPERATOR_ALLOWED } from '../../egress/address-policy.ts'

/** An endpoint of the form that Jina, Cohere, vLLM and llama.cpp share, `POST {baseUrl}/rerank`, and its model. */
export interface RerankSettings {
  baseUrl: string
  apiKey: string | null
  model: string
  /** Time limit for request and reply. After it, the order is unchanged. */
  limitMs: number
}

/** How many passages of a ranking are sent. */
export const RERANKED = 30
const MAX_DOCUMENT_CHARACTERS = 2_000
const MAX_REPLY_BYTES = 1024 * 1024
/** Consecutive failures after which no request is sent for a while. */
const FAILURES_BEFORE_PAUSE = 3
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [10_000, 300_000]

const AWAY = 'Reranking failed: RERANK_BASE_URL gives no valid reply in time. Search results keep their order; it is tried again.'

const Reply = z.object({
  results: z.array(z.object({ index: z.int().min(0), relevance_score: z.number() })).max(RERANKED),
})

export interface RerankerOptions {
  settings: RerankSettings
  /** Called with a message for the operator when requests begin to fail, and with null when they succeed again. */
  onProblem: (problem: string | null) => void
  now?: () => number
  egress?: Egress
}

/** Reorders passages with the operator's reranking model. On failure, the order is unchanged. */
export class Reranker {
  readonly #options: Required<RerankerOptions>
  #failures = 0
  #pausedUntil = 0

  constructor({ settings, onProblem, now = () => performance.now(), egress = egressWithin(settings.limitMs) }: RerankerOptions) {
    this.#options = { settings, onProblem, now, egress }
  }

  /** The first passages in the model's order, then those it did not rank. Resolves within the limit and never rejects. */
  async rerank<T>(query: string, passages: readonly T[], textOf: (passage: T) => string): Promise<readonly T[]> {
    const first = passages.slice(0, RERANKED)
    if (first.length < 2 || this.#options.now() < this.#pausedUntil) return passages
    try {
      const order = await this.#ask(query, first.map(textOf))
      this.#succeed()
      const ranked = new Set(order)
      return [...order.map((index) => first[index] as T), ...passages.filter((_, index) => !ranked.has(index))]
    } catch {
      this.#fail()
      return passages
    }
  }

  async #ask(query: string, texts: readonly string[]): Promise<number[]> {
    const { settings, egress } = this.#options
    const { baseUrl, apiKey, model, limitMs } = settings
    const documents = texts.map((text) => text.slice(0, MAX_DOCUMENT_CHARACTERS).toWellFormed())
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
    }
    const { status, body } = await egress({
      url: new URL(`${baseUrl.replace(/\/+$/, '')}/rerank`),
      method: 'POST',
      headers,
      body: JSON.stringify({ model, query: query.toWellFormed(), documents, top_n: documents.length }),
      signal: AbortSignal.timeout(limitMs),
    })
    const text = (await readBody(body)).toString()
    if (status !== 200) throw new Error(`The reranker answers with status ${status}.`)
    return orderOf(Reply.parse(JSON.parse(text)).results, documents.length)
  }

  #succeed(): void {
    const wasAway = this.#failures >= FAILURES_BEFORE_PAUSE
    this.#failures = 0
    if (wasAway) this.#options.onProblem(null)
  }

  #fail(): void {
    this.#failures += 1
    const pauses = this.#failures - FAILURES_BEFORE_PAUSE
    if (pauses < 0) return
    this.#pausedUntil = this.#options.now() + Math.min(FIRST_PAUSE_MS * 2 ** pauses, LONGEST_PAUSE_MS)
    if (pauses === 0) this.#options.onProblem(AWAY)
  }
}

/** Indexes by score, best first. A reply with duplicate or unknown indexes is rejected as a whole. */
function orderOf(results: readonly { index: number; relevance_score: number }[], count: number): number[] {
  const indexes = new Set(results.map(({ index }) => index))
  if (results.length === 0 || indexes.size !== results.length || [...indexes].some((index) => index >= count))
    throw new Error('The reranker answers in a form that cannot be read.')
  return results.toSorted((one, other) => other.relevance_score - one.relevance_score).map(({ index }) => index)
}

function egressWithin(limitMs: number): Egress {
  const limits = { connectTimeoutMs: limitMs, totalTimeoutMs: limitMs, maxBytes: MAX_REPLY_BYTES, maxRedirects: 0 }
  return createEgress({ addressPolicy: OPERATOR_ALLOWED, limits })
}
