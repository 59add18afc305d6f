import { createHash } from 'node:crypto'
import type { Passage } from '../ingestion/passages.ts'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { sentencesOf } from '../../../text/sentences.ts'
import type { NearPassage } from '../retrieval/fusion.ts'
import type { Embedder } from './embedder.ts'
import { type StoredVectors, VectorIndex } from './vector-index.ts'

const MAX_TEXT_CHARACTERS = 4_000

function embeddedTextOf({ title, heading, text, keywords }: EmbeddedPassage): string {
  return [...new Set([title, heading]), text, keywords].filter(Boolean).join('\n').slice(0, MAX_TEXT_CHARACTERS).toWellFormed()
}

/** A question is mostly about one part of a passage. */
const SENTENCES_A_PART = 3
/** A part of more passages, such as a footer, tells them apart from none. */
const MAX_SHARING = 20
/** How many vectors are read for each passage that is wanted: its own and those of its parts. */
const VECTORS_A_PASSAGE = 3

/** A passage in parts of three sentences; none of a passage that has no more. */
function partsOf({ text }: EmbeddedPassage): string[] {
  const sentences = text.split(/(?<=\n)/).flatMap(sentencesOf)
  const count = Math.ceil(sentences.length / SENTENCES_A_PART)
  if (count < 2) return []
  return Array.from({ length: count }, (_, at) =>
    sentences
      .slice(at * SENTENCES_A_PART, (at + 1) * SENTENCES_A_PART)
      .join('')
      .trim(),
  )
}

/** With vectors for fewer of the passages, the search is by words: what has a vector would stand before what has none yet. */
const MIN_SHARE = 0.9

/** Raise it when the stored format changes. */
const VERSION = 1
/** One byte per number: enough for 100,000 passages of 1,536 dimensions. Passages beyond it are found by words only. */
const MAX_NUMBERS = 256 * 1024 * 1024
/** Vectors are stored after this many, so a restart continues from there. */
const KEPT_EVERY = 4_096
const MAX_KEPT_FOLDERS = 50

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
  /** Whether parts of passages have vectors too. */
  withParts?: boolean
  /** Vectors of passages that are gone are kept up to so many, in case they come back; none by default. */
  spare?: number
  /** Called with the progress of embedding; null once every passage has its vector, or none is to come. */
  onProgress?: ((progress: EmbeddingProgress | null) => void) | undefined
}

/** Texts of different content: passages, then their parts. */
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

/** A text to embed. */
interface WantedText {
  text: string
  /** Passages of this text; none of a part. */
  ids: number[]
  /** Texts by hash that this is a part of. */
  wholes: Set<string>
}

/** Processor time of a passage of 900 characters and of its parts: docs/performance.md. */
const SECONDS_A_PASSAGE = 0.4

function tooMany(passages: number): string {
  const hours = ((passages * SECONDS_A_PASSAGE) / 3_600).toFixed(1)
  return (
    `The knowledge is searched by words alone: embedding its ${passages} passages takes about ${hours} hours of processor time. ` +
    'Set EMBEDDING_MODEL=local to begin, or EMBEDDING_MODEL=none to do without.'
  )
}

const FULL = 'The vectors of the knowledge take too much memory: what came last is searched by words alone.'

/** Embedding vectors of an index's passages, requested in the background. Passages of the same content share one, which is kept. */
export class EmbeddingIndex {
  readonly #options: EmbeddingIndexOptions
  readonly #slots: Map<string, number>
  #vectors: VectorIndex | null
  /** Passages by slot. Several passages may have the same content. */
  readonly #ids = new Map<number, number[]>()
  /** Slots of a passage's parts by its own, and the other way round. */
  readonly #parts = new Map<number, number[]>()
  readonly #wholes = new Map<number, number[]>()
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

  /**
   * Passages nearest to a query: `similarity` is the cosine, `closeness` that above the average of all passages, `score` the mean of it and
   * of the nearest part's. Empty while many passages have no vector.
   */
  async nearest(
    query: string,
    folders: string,
    isOpen: (file: string) => boolean,
    limit: number,
  ): Promise<(NearPassage & { similarity: number })[]> {
    const vectors = this.#vectors
    if (!vectors || this.#ids.size === 0 || this.#ids.size < MIN_SHARE * this.#total) return []
    const wanted = await this.#options.embedder.queryVector(query)
    if (!wanted || wanted.length !== vectors.dimensions) return []
    const usual = vectors.usual(wanted, [...this.#ids.keys()])
    const open = this.#openSlots(folders, isOpen)
    const found = vectors.nearest(wanted, limit * VECTORS_A_PASSAGE, open)
    const passages = new Set(found.flatMap(({ slot }) => (this.#ids.has(slot) ? slot : (this.#wholes.get(slot) ?? []))))
    return [...passages]
      .flatMap((slot) => {
        const id = (this.#ids.get(slot) ?? []).find((one) => isOpen(this.#options.index.passage(one)?.file ?? ''))
        if (id === undefined) return []
        const [similarity = 0, ...ofParts] = vectors.similarities(wanted, [slot, ...(this.#parts.get(slot) ?? [])])
        const ofPart = ofParts.length > 0 ? Math.max(...ofParts) : similarity
        return { id, similarity, closeness: similarity - usual, score: (similarity + ofPart) / 2 - usual }
      })
      .toSorted((one, other) => other.score - one.score)
      .slice(0, limit)
  }

  /** The slots a search may read. Cached per set of folders until the index changes. */
  #openSlots(folders: string, isOpen: (file: string) => boolean): Uint8Array {
    const known = this.#open.get(folders)
    if (known) return known
    const open = new Uint8Array(this.#vectors?.size ?? 0)
    for (const [slot, ids] of this.#ids) if (ids.some((id) => isOpen(this.#options.index.passage(id)?.file ?? ''))) open[slot] = 1
    for (const [slot, wholes] of this.#wholes) if (wholes.some((whole) => open[whole] === 1)) open[slot] = 1
    if (this.#open.size >= MAX_KEPT_FOLDERS) this.#open.clear()
    this.#open.set(folders, open)
    return open
  }

  /** Syncs the vectors with the index: removes stale ones and requests new ones. */
  async #fill(): Promise<void> {
    const wanted = this.#wanted()
    const { embedder, maxPassages = Number.POSITIVE_INFINITY, onProgress } = this.#options
    const passages = countOf(wanted)
    if (passages > maxPassages) {
      this.#clear()
      return embedder.report('passages', tooMany(passages))
    }
    this.#forgetAllBut(wanted)
    const missing = [...wanted].filter(([hash]) => !this.#slots.has(hash)).map(([hash, text]) => ({ hash, ...text }))
    const { textsPerRequest } = embedder
    for (let start = 0; start < missing.length; start += textsPerRequest) {
      onProgress?.({ embedded: wanted.size - missing.length + start, total: wanted.size })
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

  /** Texts to embed by hash: all passages, so that they can be found soon, then their parts. */
  #wanted(): Map<string, WantedText> {
    const wanted = new Map<string, WantedText>()
    const parts = new Map<string, WantedText>()
    for (const [id, passage] of this.#options.index.passages()) {
      // Passages with the same text share a vector.
      const [hash, { ids }] = noted(wanted, embeddedTextOf(passage))
      ids.push(id)
      if (!this.#options.withParts || ids.length > 1) continue
      for (const text of partsOf(passage)) noted(parts, embeddedTextOf({ ...passage, text, keywords: '' }))[1].wholes.add(hash)
    }
    for (const [hash, part] of parts) if (part.wholes.size <= MAX_SHARING && !wanted.has(hash)) wanted.set(hash, part)
    return wanted
  }

  #beginAnew(): void {
    this.#slots.clear()
    this.#clear()
    this.#options.embedder.forgetQueries()
    this.#vectors = null
    this.refresh()
  }

  #clear(): void {
    for (const slots of [this.#ids, this.#parts, this.#wholes]) slots.clear()
  }

  #forgetAllBut(wanted: ReadonlyMap<string, WantedText>): void {
    const isFull = this.#slots.size > wanted.size + (this.#options.spare ?? 0)
    for (const [hash, slot] of this.#slots) {
      if (!isFull || wanted.has(hash)) continue
      this.#slots.delete(hash)
      this.#vectors?.remove(slot)
      this.#changes += 1
    }
    this.#assign(wanted)
  }

  #assign(wanted: ReadonlyMap<string, WantedText>): void {
    this.#total = countOf(wanted)
    this.#clear()
    for (const [hash, text] of wanted) {
      const slot = this.#slots.get(hash)
      if (slot !== undefined) this.#place(slot, text)
    }
    this.#open.clear()
  }

  #place(slot: number, { ids, wholes }: WantedText): void {
    if (ids.length > 0) this.#ids.set(slot, ids)
    for (const hash of wholes) {
      const whole = this.#slots.get(hash)
      if (whole === undefined) continue
      this.#parts.set(whole, [...(this.#parts.get(whole) ?? []), slot])
      this.#wholes.set(slot, [...(this.#wholes.get(slot) ?? []), whole])
    }
  }

  /** Returns false if the size limit is reached. */
  #take(some: readonly (WantedText & { hash: string })[], vectors: number[][], dimensions: number): boolean {
    this.#vectors ??= new VectorIndex(dimensions)
    for (const [index, { hash, ...text }] of some.entries()) {
      if (this.#slots.size * dimensions >= MAX_NUMBERS) return false
      const slot = this.#vectors.add(vectors[index] ?? [])
      this.#slots.set(hash, slot)
      this.#place(slot, text)
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

/** The entry of a text, by its hash. */
function noted(texts: Map<string, WantedText>, text: string): [hash: string, WantedText] {
  const hash = createHash('sha256').update(text).digest('base64url')
  const entry = texts.get(hash) ?? { text, ids: [], wholes: new Set() }
  texts.set(hash, entry)
  return [hash, entry]
}

/** How many of the texts are passages. */
const countOf = (wanted: ReadonlyMap<string, WantedText>): number => [...wanted.values()].filter(({ ids }) => ids.length > 0).length

/** The stored vectors, if version, model and endpoint match. */
async function readStored(store: string, identity: string): Promise<Stored | undefined> {
  try {
    const stored = deserialize(await readFile(store)) as Stored
    return stored.version === VERSION && stored.identity === identity ? stored : undefined
  } catch {
    return undefined
  }
}
