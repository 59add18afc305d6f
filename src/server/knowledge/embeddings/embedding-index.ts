import { createHash } from 'node:crypto'
import type { Passage } from '../ingestion/passages.ts'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { sentencesOf } from '../../../text/sentences.ts'
import type { ScoredPassage } from '../retrieval/fusion.ts'
import type { Embedder } from './embedder.ts'
import { type StoredVectors, VectorIndex } from './vector-index.ts'

const MAX_TEXT_CHARACTERS = 4_000

/** The parts of a passage, each with its title and heading. */
function embeddedTextsOf({ title, heading, text, keywords }: EmbeddedPassage, partCharacters: number): string[] {
  return partsOf(text, partCharacters).map((part) =>
    [...new Set([title, heading]), part, keywords].filter(Boolean).join('\n').slice(0, MAX_TEXT_CHARACTERS).toWellFormed(),
  )
}

/** Whole sentences and lines in parts of about the same length. */
function partsOf(text: string, characters: number): string[] {
  const count = Math.round(text.length / characters)
  if (count < 2) return [text]
  const parts = ['']
  for (const sentence of text.split(/(?<=\n)/).flatMap(sentencesOf)) {
    const last = parts.length - 1
    const length = parts[last]?.length ?? 0
    if (length > 0 && length + sentence.length / 2 > text.length / count) parts.push(sentence)
    else parts[last] += sentence
  }
  return parts.map((part) => part.trim())
}

/** With vectors for fewer of the texts, the search is by words: what has a vector would stand before what has none yet. */
const MIN_SHARE = 0.9

/** Raise it when the stored format changes. */
const VERSION = 1
/** One byte per number: enough for 100,000 passages of 1,536 dimensions. Passages beyond it are found by words only. */
const MAX_NUMBERS = 256 * 1024 * 1024
/** Vectors are stored after this many, so a restart continues from there. */
const KEPT_EVERY = 4_096
const MAX_KEPT_FOLDERS = 50
/** Parts that are read for each passage wanted. */
const MAX_PARTS_READ = 4

type EmbeddedPassage = Pick<Passage, 'file' | 'title' | 'heading' | 'text' | 'keywords'>

export interface EmbeddingIndexOptions {
  index: {
    passages: () => Iterable<readonly [number, EmbeddedPassage]>
    passage: (id: number) => Pick<Passage, 'file'> | undefined
  }
  embedder: Embedder
  /** File that stores the vectors; null stores none. */
  store: string | null
  /** Passages beyond which none is embedded: the operator decides. */
  maxPassages?: number | undefined
  /** Vectors of passages that are gone are kept up to so many, in case they come back; none by default. */
  spare?: number
  /** Called with the progress of embedding; null once every passage has its vector, or none is to come. */
  onProgress?: ((progress: EmbeddingProgress | null) => void) | undefined
}

/** Passages; those of which a part has no vector yet are estimated. */
export interface EmbeddingProgress {
  embedded: number
  total: number
}

interface Stored {
  version: number
  identity: string
  slots: Map<string, number>
  vectors: StoredVectors
}

/** Processor time of a passage of 900 characters: docs/performance.md. */
const SECONDS_A_PASSAGE = 0.2

function tooMany(passages: number): string {
  const hours = ((passages * SECONDS_A_PASSAGE) / 3_600).toFixed(1)
  return (
    `The knowledge is searched by words alone: embedding its ${passages} passages takes about ${hours} hours of processor time. ` +
    'Set EMBEDDING_MODEL=local to begin, or EMBEDDING_MODEL=none to do without.'
  )
}

const FULL = 'The vectors of the knowledge take too much memory: what came last is searched by words alone.'

/** Embedding vectors of an index's passages, or of their parts, requested in the background. The same content shares one, which is kept. */
export class EmbeddingIndex {
  readonly #options: EmbeddingIndexOptions
  readonly #slots: Map<string, number>
  #vectors: VectorIndex | null
  /** Passages by slot. Several passages may have the same content. */
  #ids = new Map<number, number[]>()
  #total = 0
  readonly #open = new Map<string, Uint8Array>()
  /** Resolves when every passage has a vector, or none can be obtained. */
  filled: Promise<void> = Promise.resolve()
  #changes = 0

  private constructor(options: EmbeddingIndexOptions, stored: Stored | undefined) {
    this.#options = options
    this.#slots = stored?.slots ?? new Map<string, number>()
    this.#vectors = stored ? new VectorIndex(stored.vectors.dimensions, stored.vectors) : null
    const used = new Set(this.#slots.values())
    for (let slot = 0; slot < (this.#vectors?.size ?? 0); slot += 1) if (!used.has(slot)) this.#vectors?.remove(slot)
  }

  /** Uses the stored vectors. The index may still be read, so none is forgotten or requested before `refresh`. */
  static async open(options: EmbeddingIndexOptions): Promise<EmbeddingIndex> {
    const embeddingIndex = new EmbeddingIndex(
      options,
      options.store === null ? undefined : await readStored(options.store, options.embedder.identity),
    )
    embeddingIndex.#assign(embeddingIndex.#wanted())
    return embeddingIndex
  }

  /** Call it when the index has been read to its end, and whenever it has changed. */
  refresh(): void {
    this.filled = this.filled
      .then(() => this.#fill())
      .catch(() => this.#options.embedder.reportFailure('passages'))
      .then(() => this.#options.onProgress?.(null))
  }

  /** Passages nearest to a query. `score` is the cosine above the average of all passages. Empty while many passages have no vector. */
  async nearest(
    query: string,
    folders: string,
    isOpen: (file: string) => boolean,
    limit: number,
  ): Promise<(ScoredPassage & { similarity: number })[]> {
    if (!this.#vectors || this.#ids.size === 0 || this.#ids.size < MIN_SHARE * this.#total) return []
    const wanted = await this.#options.embedder.queryVector(query)
    if (!wanted || wanted.length !== this.#vectors.dimensions) return []
    const usual = this.#vectors.usual(wanted)
    const found = new Map<number, ScoredPassage & { similarity: number }>()
    // The nearest part of a passage counts.
    for (const { slot, similarity } of this.#vectors.nearest(wanted, limit * MAX_PARTS_READ, this.#openSlots(folders, isOpen))) {
      const id = (this.#ids.get(slot) ?? []).find((one) => isOpen(this.#options.index.passage(one)?.file ?? ''))
      if (id !== undefined && !found.has(id)) found.set(id, { id, score: similarity - usual, similarity })
      if (found.size === limit) break
    }
    return [...found.values()]
  }

  /** The slots a search may read. Cached per set of folders until the index changes. */
  #openSlots(folders: string, isOpen: (file: string) => boolean): Uint8Array {
    const known = this.#open.get(folders)
    if (known) return known
    const open = new Uint8Array(this.#vectors?.size ?? 0)
    for (const [slot, ids] of this.#ids) if (ids.some((id) => isOpen(this.#options.index.passage(id)?.file ?? ''))) open[slot] = 1
    if (this.#open.size >= MAX_KEPT_FOLDERS) this.#open.clear()
    this.#open.set(folders, open)
    return open
  }

  /** Syncs the vectors with the index: removes stale ones and requests new ones. */
  async #fill(): Promise<void> {
    const wanted = this.#wanted()
    const { embedder, maxPassages = Number.POSITIVE_INFINITY, onProgress } = this.#options
    const total = new Set([...wanted.values()].flatMap(({ ids }) => ids)).size
    if (total > maxPassages) {
      this.#ids.clear()
      return embedder.report('passages', tooMany(total))
    }
    this.#forgetAllBut(wanted)
    const missing = [...wanted].filter(([hash]) => !this.#slots.has(hash)).map(([hash, { text, ids }]) => ({ hash, text, ids }))
    const { textsPerRequest } = embedder
    for (let start = 0; start < missing.length; start += textsPerRequest) {
      onProgress?.({ embedded: Math.round(total * (1 - (missing.length - start) / wanted.size)), total })
      const some = missing.slice(start, start + textsPerRequest)
      const vectors = await embedder.passageVectors(some.map(({ text }) => text))
      const dimensions = vectors[0]?.length ?? 0
      // The endpoint serves another model under the same name, so the stored vectors are useless.
      if (this.#vectors && dimensions !== this.#vectors.dimensions) return this.#beginAnew()
      if (!this.#take(some, vectors, dimensions)) return embedder.report('passages', FULL)
      if (this.#changes >= KEPT_EVERY) await this.#keep()
    }
    if (this.#changes > 0) await this.#keep()
  }

  /** Texts to embed by hash, with the passages that share them. */
  #wanted(): Map<string, { text: string; ids: number[] }> {
    const wanted = new Map<string, { text: string; ids: number[] }>()
    for (const [id, passage] of this.#options.index.passages())
      for (const text of embeddedTextsOf(passage, this.#options.embedder.partCharacters)) {
        // The same text has one vector.
        const hash = createHash('sha256').update(text).digest('base64url')
        const same = wanted.get(hash)
        if (same) same.ids.push(id)
        else wanted.set(hash, { text, ids: [id] })
      }
    return wanted
  }

  #beginAnew(): void {
    this.#slots.clear()
    this.#ids.clear()
    this.#options.embedder.forgetQueries()
    this.#vectors = null
    this.refresh()
  }

  #forgetAllBut(wanted: ReadonlyMap<string, { ids: number[] }>): void {
    const isFull = this.#slots.size > wanted.size + (this.#options.spare ?? 0)
    for (const [hash, slot] of this.#slots) {
      if (!isFull || wanted.has(hash)) continue
      this.#slots.delete(hash)
      this.#vectors?.remove(slot)
      this.#changes += 1
    }
    this.#assign(wanted)
  }

  #assign(wanted: ReadonlyMap<string, { ids: number[] }>): void {
    this.#total = wanted.size
    this.#ids = new Map([...wanted].flatMap(([hash, { ids }]) => (this.#slots.has(hash) ? [[this.#slots.get(hash) as number, ids]] : [])))
    this.#open.clear()
  }

  /** Returns false if the size limit is reached. */
  #take(some: readonly { hash: string; ids: number[] }[], vectors: number[][], dimensions: number): boolean {
    this.#vectors ??= new VectorIndex(dimensions)
    for (const [index, { hash, ids }] of some.entries()) {
      if (this.#slots.size * dimensions >= MAX_NUMBERS) return false
      const slot = this.#vectors.add(vectors[index] ?? [])
      this.#slots.set(hash, slot)
      this.#ids.set(slot, ids)
      this.#changes += 1
    }
    this.#open.clear()
    return true
  }

  async #keep(): Promise<void> {
    const { store, embedder } = this.#options
    this.#changes = 0
    if (store === null || !this.#vectors) return
    const stored: Stored = { version: VERSION, identity: embedder.identity, slots: this.#slots, vectors: this.#vectors.stored() }
    await mkdir(dirname(store), { recursive: true, mode: 0o700 })
    await writeFile(`${store}.part`, serialize(stored), { mode: 0o600 })
    await rename(`${store}.part`, store)
  }
}

/** The stored vectors, if version, model and endpoint match. */
async function readStored(store: string, identity: string): Promise<Stored | undefined> {
  try {
    const stored = deserialize(await readFile(store)) as Stored
    return stored.version === VERSION && stored.identity === identity ? stored : undefined
  } catch {
    return undefined
  }
}
