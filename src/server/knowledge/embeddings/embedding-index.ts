import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { deserialize, serialize } from 'node:v8'
import type { KnowledgeIndex } from '../index/knowledge-index.ts'
import type { Passage } from '../ingestion/passages.ts'
import type { ScoredPassage } from '../retrieval/fusion.ts'
import type { Embed } from './embed.ts'
import type { Prefixes } from './prefixes.ts'
import { type StoredVectors, VectorIndex } from './vector-index.ts'

/** To be changed with whatever changes what is kept. */
const VERSION = 1
/** Models read a few hundred to some thousand tokens. */
const MAX_TEXT_CHARACTERS = 4_000
/** Of all vectors together, a byte each: 100,000 passages of 1,536 numbers and more. What is more is found by words alone. */
const MAX_NUMBERS = 256 * 1024 * 1024
/** What is embedded is kept after so many, so that a start goes on from there. */
const KEPT_EVERY = 4_096
const REQUEST_LIMIT_MS = 60_000
const [FIRST_RETRY_MS, LONGEST_RETRY_MS] = [1_000, 60_000]
/** A search waits so long for the vector of its query; after a failure, others do not ask for a while. */
const QUERY_LIMIT_MS = 1_000
const QUERY_PAUSE_MS = 10_000
const MAX_QUERY_CHARACTERS = 1_000
const MAX_KEPT_QUERIES = 200
const MAX_KEPT_FOLDERS = 50

export interface EmbeddingIndexOptions {
  index: KnowledgeIndex
  embed: Embed
  prefixes: Prefixes
  /** How many passages one request has. */
  textsPerRequest: number
  /** What gives the vectors, for messages: "embedding endpoint". */
  name: string
  /** Of which model and endpoint the vectors are: those of others cannot be compared with. */
  identity: string
  /** File in which vectors are kept; null for none. */
  store: string | null
  /** Hears what is wrong now, in words for the operator; null when nothing is any more. */
  onProblem: (problem: string | null) => void
}

interface Stored {
  version: number
  identity: string
  slots: Map<string, number>
  vectors: StoredVectors
}

const away = (name: string) => `The knowledge is searched by words alone for now: the ${name} gives no vectors.`
const FULL = 'The vectors of the knowledge take too much memory: what came last is searched by words alone.'

/**
 * What the passages of an index mean, as vectors of the operator's embedding model. They are asked for in the background and kept by the
 * content of the passage, so that only new content is sent. Whatever fails, words are searched all the same.
 */
export class EmbeddingIndex {
  readonly #options: EmbeddingIndexOptions
  readonly #slots: Map<string, number>
  #vectors: VectorIndex | null
  /** Passages by slot: the same content may be in several. */
  #ids = new Map<number, number[]>()
  readonly #open = new Map<string, Uint8Array>()
  readonly #queries = new Map<string, number[]>()
  #filling: Promise<void> = Promise.resolve()
  #changes = 0
  #askAgainAt = 0
  readonly #wrong: { passages: string | null; queries: string | null } = { passages: null, queries: null }

  private constructor(options: EmbeddingIndexOptions, stored: Stored | undefined) {
    this.#options = options
    this.#slots = stored?.slots ?? new Map<string, number>()
    this.#vectors = stored ? new VectorIndex(stored.vectors.dimensions, stored.vectors) : null
    const used = new Set(this.#slots.values())
    for (let slot = 0; slot < (this.#vectors?.size ?? 0); slot += 1) if (!used.has(slot)) this.#vectors?.remove(slot)
  }

  static async open(options: EmbeddingIndexOptions): Promise<EmbeddingIndex> {
    const embeddingIndex = new EmbeddingIndex(
      options,
      options.store === null ? undefined : await readStored(options.store, identityOf(options)),
    )
    embeddingIndex.refresh()
    return embeddingIndex
  }

  /** Resolves when every passage has its vector, or cannot have one. */
  get filled(): Promise<void> {
    return this.#filling
  }

  /** To be called when the index has changed. */
  refresh(): void {
    this.#filling = this.#filling.then(() => this.#fill()).catch(() => this.#say('passages', away(this.#options.name)))
  }

  /** The passages nearest to a query by cosine, nearest first; none without vectors, or when the query's vector does not come in time. */
  async nearest(query: string, folders: string, isOpen: (file: string) => boolean, limit: number): Promise<ScoredPassage[]> {
    if (!this.#vectors || this.#ids.size === 0) return []
    const wanted = await this.#vectorOf(query.slice(0, MAX_QUERY_CHARACTERS).toWellFormed())
    if (!wanted || wanted.length !== this.#vectors.dimensions) return []
    return this.#vectors.nearest(wanted, limit, this.#openSlots(folders, isOpen)).flatMap(({ slot, similarity }) => {
      const id = (this.#ids.get(slot) ?? []).find((one) => isOpen(this.#options.index.passage(one)?.file ?? ''))
      return id === undefined ? [] : [{ id, score: similarity }]
    })
  }

  async #vectorOf(query: string): Promise<number[] | null> {
    const known = this.#queries.get(query)
    if (known) return known
    if (performance.now() < this.#askAgainAt) return null
    try {
      const { embed, prefixes } = this.#options
      const [vector] = await embed([`${prefixes.query}${query}`], AbortSignal.timeout(QUERY_LIMIT_MS))
      if (!vector) return null
      if (this.#queries.size >= MAX_KEPT_QUERIES) this.#queries.delete(this.#queries.keys().next().value ?? '')
      this.#queries.set(query, vector)
      this.#say('queries', null)
      return vector
    } catch {
      this.#askAgainAt = performance.now() + QUERY_PAUSE_MS
      this.#say('queries', away(this.#options.name))
      return null
    }
  }

  /** Which slots a search may look into: made once for the folders of an agent, until something changes. */
  #openSlots(folders: string, isOpen: (file: string) => boolean): Uint8Array {
    const known = this.#open.get(folders)
    if (known) return known
    const open = new Uint8Array(this.#vectors?.size ?? 0)
    for (const [slot, ids] of this.#ids) if (ids.some((id) => isOpen(this.#options.index.passage(id)?.file ?? ''))) open[slot] = 1
    if (this.#open.size >= MAX_KEPT_FOLDERS) this.#open.clear()
    this.#open.set(folders, open)
    return open
  }

  /** Brings the vectors in line with the index: what is gone is forgotten, what is new is asked for. */
  async #fill(): Promise<void> {
    const wanted = new Map<string, { text: string; ids: number[] }>()
    for (const [id, passage] of this.#options.index.passages()) {
      const text = embeddedTextOf(passage)
      const hash = hashOf(text)
      const same = wanted.get(hash)
      if (same) same.ids.push(id)
      else wanted.set(hash, { text, ids: [id] })
    }
    this.#forgetAllBut(wanted)
    const missing = [...wanted].filter(([hash]) => !this.#slots.has(hash)).map(([hash, { text, ids }]) => ({ hash, text, ids }))
    const { prefixes, textsPerRequest } = this.#options
    for (let start = 0; start < missing.length; start += textsPerRequest) {
      const some = missing.slice(start, start + textsPerRequest)
      const vectors = await this.#ask(some.map(({ text }) => `${prefixes.passage}${text}`))
      const dimensions = vectors[0]?.length ?? 0
      // The endpoint has another model under the same name: what was kept is of no use.
      if (this.#vectors && dimensions !== this.#vectors.dimensions) return this.#beginAnew()
      if (!this.#take(some, vectors, dimensions)) return this.#say('passages', FULL)
      if (this.#changes >= KEPT_EVERY) await this.#keep()
    }
    if (this.#changes > 0) await this.#keep()
  }

  #beginAnew(): void {
    this.#slots.clear()
    this.#ids.clear()
    this.#queries.clear()
    this.#vectors = null
    this.refresh()
  }

  #forgetAllBut(wanted: ReadonlyMap<string, { ids: number[] }>): void {
    for (const [hash, slot] of this.#slots) {
      if (wanted.has(hash)) continue
      this.#slots.delete(hash)
      this.#vectors?.remove(slot)
      this.#changes += 1
    }
    this.#ids = new Map([...wanted].flatMap(([hash, { ids }]) => (this.#slots.has(hash) ? [[this.#slots.get(hash) as number, ids]] : [])))
    this.#open.clear()
  }

  /** False when there is no room for more. */
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

  /** Asks again and again, more and more rarely. */
  async #ask(texts: readonly string[]): Promise<number[][]> {
    for (let delayMs = FIRST_RETRY_MS; ; delayMs = Math.min(delayMs * 2, LONGEST_RETRY_MS)) {
      try {
        const vectors = await this.#options.embed(texts, AbortSignal.timeout(REQUEST_LIMIT_MS))
        this.#say('passages', null)
        return vectors
      } catch {
        this.#say('passages', away(this.#options.name))
        await pause(delayMs, undefined, { ref: false })
      }
    }
  }

  #say(of: 'passages' | 'queries', problem: string | null): void {
    this.#wrong[of] = problem
    this.#options.onProblem(this.#wrong.passages ?? this.#wrong.queries)
  }

  async #keep(): Promise<void> {
    const { store } = this.#options
    this.#changes = 0
    if (store === null || !this.#vectors) return
    const stored: Stored = { version: VERSION, identity: identityOf(this.#options), slots: this.#slots, vectors: this.#vectors.stored() }
    await mkdir(dirname(store), { recursive: true, mode: 0o700 })
    await writeFile(`${store}.part`, serialize(stored), { mode: 0o600 })
    await rename(`${store}.part`, store)
  }
}

/** A passage with another prefix has another vector. */
function identityOf({ identity, prefixes }: Pick<EmbeddingIndexOptions, 'identity' | 'prefixes'>): string {
  return prefixes.passage === '' ? identity : `${identity} ${prefixes.passage}`
}

/** The passage with the words that it is also found by. */
function embeddedTextOf(passage: Passage): string {
  return [textOf(passage), passage.keywords].filter(Boolean).join('\n').slice(0, MAX_TEXT_CHARACTERS).toWellFormed()
}

/** What a model is sent of a passage. */
export function textOf({ title, heading, text }: Passage): string {
  return [...new Set([title, heading]), text].join('\n').slice(0, MAX_TEXT_CHARACTERS).toWellFormed()
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

/** What was kept, if it is of this version, this model and this endpoint. */
async function readStored(store: string, identity: string): Promise<Stored | undefined> {
  try {
    const stored = deserialize(await readFile(store)) as Stored
    return stored.version === VERSION && stored.identity === identity ? stored : undefined
  } catch {
    return undefined
  }
}
