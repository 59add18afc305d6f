import { setTimeout as pause } from 'node:timers/promises'
import { createEmbed, type Embed, type EmbeddingEndpoint } from './embed.ts'
import type { Prefixes } from './prefixes.ts'

const REQUEST_LIMIT_MS = 60_000
const [FIRST_RETRY_MS, LONGEST_RETRY_MS] = [1_000, 60_000]
/** Time limit for embedding a query, on a CPU that also runs a language model. After a failure, queries skip embedding for a while. */
const QUERY_LIMIT_MS = 3_000
const QUERY_PAUSE_MS = 10_000
const MAX_QUERY_CHARACTERS = 1_000
const MAX_KEPT_QUERIES = 200
/** A small model's vector of a few sentences is nearer to a question that they answer than that of a whole passage: docs/performance.md. */
const LOCAL_PART_CHARACTERS = 250

/** An embedding model in the main thread, requested by message from a worker. */
export interface RequestedEmbedding {
  kind: 'requested'
  identity: string
  prefixes: Prefixes
}

export interface EmbedderOptions {
  embed: Embed
  prefixes: Prefixes
  textsPerRequest: number
  /** About how many characters of a passage get a vector of their own; all of them by default. */
  partCharacters?: number
  /** Name for log messages, as "embedding endpoint". */
  name: string
  /** Model and endpoint. Vectors are comparable only within one identity. */
  identity: string
  /** Called with the current problem in words for the operator, or null once it is resolved. */
  onProblem: (problem: string | null) => void
}

type Operation = 'passages' | 'queries'

/** Embeds queries within a time limit and passages with retries, and reports what fails. */
export class Embedder {
  readonly #options: EmbedderOptions
  readonly #queries: Map<string, number[]>
  #askAgainAt = 0
  readonly #problems: Record<Operation, string | null>

  /** `shared`: the embedder whose query vectors and problems it shares. */
  constructor(options: EmbedderOptions, shared?: Embedder) {
    this.#options = options
    this.#queries = shared ? shared.#queries : new Map<string, number[]>()
    this.#problems = shared ? shared.#problems : { passages: null, queries: null }
  }

  /** Embeds texts as it embeds queries, to compare queries with each other. */
  forQueries(): Embedder {
    const { query } = this.#options.prefixes
    return new Embedder({ ...this.#options, prefixes: { query, passage: query }, partCharacters: Number.POSITIVE_INFINITY }, this)
  }

  /** Includes the passage prefix, because it changes the vectors. */
  get identity(): string {
    const { identity, prefixes } = this.#options
    return prefixes.passage === '' ? identity : `${identity} ${prefixes.passage}`
  }

  get textsPerRequest(): number {
    return this.#options.textsPerRequest
  }

  get partCharacters(): number {
    return this.#options.partCharacters ?? Number.POSITIVE_INFINITY
  }

  /** The vector of a query, or null on failure or time-out. */
  async queryVector(query: string): Promise<number[] | null> {
    const text = query.slice(0, MAX_QUERY_CHARACTERS).toWellFormed()
    const known = this.#queries.get(text)
    if (known) return known
    if (performance.now() < this.#askAgainAt) return null
    try {
      const { embed, prefixes } = this.#options
      const [vector] = await embed([`${prefixes.query}${text}`], AbortSignal.timeout(QUERY_LIMIT_MS))
      if (!vector) return null
      if (this.#queries.size >= MAX_KEPT_QUERIES) this.#queries.delete(this.#queries.keys().next().value ?? '')
      this.#queries.set(text, vector)
      this.report('queries', null)
      return vector
    } catch {
      this.#askAgainAt = performance.now() + QUERY_PAUSE_MS
      this.reportFailure('queries')
      return null
    }
  }

  /** The vectors of passages. Retries with exponential backoff, up to a minute, until it succeeds. */
  async passageVectors(texts: readonly string[]): Promise<number[][]> {
    const { embed, prefixes } = this.#options
    const prefixed = texts.map((text) => `${prefixes.passage}${text}`)
    for (let delayMs = FIRST_RETRY_MS; ; delayMs = Math.min(delayMs * 2, LONGEST_RETRY_MS)) {
      try {
        const vectors = await embed(prefixed, AbortSignal.timeout(REQUEST_LIMIT_MS))
        this.report('passages', null)
        return vectors
      } catch {
        this.reportFailure('passages')
        await pause(delayMs, undefined, { ref: false })
      }
    }
  }

  forgetQueries(): void {
    this.#queries.clear()
  }

  reportFailure(operation: Operation): void {
    this.report(operation, `The knowledge is searched by words alone for now: the ${this.#options.name} gives no vectors.`)
  }

  report(operation: Operation, problem: string | null): void {
    this.#problems[operation] = problem
    this.#options.onProblem(this.#problems.passages ?? this.#problems.queries)
  }
}

/** `requested` embeds through the main thread's model; for workers. */
export function embedderOf(
  settings: EmbeddingEndpoint | RequestedEmbedding,
  requested: Embed,
  onProblem: EmbedderOptions['onProblem'],
): Embedder {
  const { prefixes } = settings
  if (settings.kind === 'endpoint') {
    const identity = `${settings.model} ${settings.baseUrl}`
    return new Embedder({ embed: createEmbed(settings), identity, prefixes, name: 'embedding endpoint', textsPerRequest: 64, onProblem })
  }
  const { identity } = settings
  // A CPU needs seconds for a few passages.
  const local = { name: 'local embedding model', textsPerRequest: 8, partCharacters: LOCAL_PART_CHARACTERS }
  return new Embedder({ embed: requested, identity, prefixes, ...local, onProblem })
}
