import type { Embedder } from './embedder.ts'
import { EmbeddingIndex } from './embedding-index.ts'

export interface NearWording {
  wording: string
  similarity: number
}

/** More than one answer's wordings, so that those of others are among the nearest. */
const MAX_NEAR = 128
/** At the start, wordings of files come before those of the database, whose vectors must not be forgotten meanwhile. */
const SPARE_VECTORS = 5_000

/** Vectors of wordings that prompts are compared with. They are made in the background and kept, as those of the knowledge are. */
export class WordingIndex {
  readonly #vectors: EmbeddingIndex
  readonly #current: Map<string, number>
  /** By number, also those that are gone: a number always means the same wording. */
  readonly #wordings: string[] = []
  #isComplete = false

  private constructor(vectors: EmbeddingIndex, current: Map<string, number>) {
    this.#vectors = vectors
    this.#current = current
  }

  /** `store`: the file that keeps the vectors; `null` keeps none. */
  static async open(embedder: Embedder, store: string | null): Promise<WordingIndex> {
    const current = new Map<string, number>()
    const passages = () => [...current].map(([text, number]) => [number, { title: '', heading: '', keywords: '', file: '', text }] as const)
    const index = { passages, passage: () => ({ file: '' }) }
    return new WordingIndex(await EmbeddingIndex.open({ index, embedder: embedder.forQueries(), store, spare: SPARE_VECTORS }), current)
  }

  /** Replaces the wordings. Resolves when all have a vector. */
  async set(wordings: readonly string[]): Promise<void> {
    const wanted = new Set(wordings)
    if (wanted.size === this.#current.size && wordings.every((wording) => this.#current.has(wording))) return
    this.#isComplete = false
    for (const known of this.#current.keys()) if (!wanted.has(known)) this.#current.delete(known)
    for (const wording of wanted) if (!this.#current.has(wording)) this.#current.set(wording, this.#wordings.push(wording) - 1)
    this.#vectors.refresh()
    for (let filling; filling !== this.#vectors.filled; await filling) filling = this.#vectors.filled
    this.#isComplete = true
  }

  /** The wordings nearest to a prompt, nearest first; none until all have a vector, since a nearer one may be missing. */
  async near(prompt: string): Promise<NearWording[]> {
    if (!this.#isComplete) return []
    const found = await this.#vectors.nearest(prompt, '.', () => true, MAX_NEAR)
    return found.map(({ id, similarity }) => ({ wording: this.#wordings[id] ?? '', similarity }))
  }
}
