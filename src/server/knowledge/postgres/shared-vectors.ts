import type pg from 'pg'
import type { Embedder } from '../embeddings/embedder.ts'
import { embeddedTextOf } from '../embeddings/embedded-text.ts'
import { unitOf } from '../embeddings/vector-index.ts'
import type { Passage } from '../ingestion/passages.ts'
import { NEAREST } from '../retrieval/fusion.ts'
import { type FoundRow, LeaseLost, patternsOf, type SharedStore } from './shared-store.ts'

/** The first pgvector whose index scans go on until a filtered search has enough rows. */
const LEAST_VERSION: readonly [major: number, minor: number] = [0, 8]
/** pgvector's limits for an HNSW index. */
const MAX_INDEXED_DIMENSIONS = { vector: 2_000, halfvec: 4_000 }
/** At least `NEAREST`; more finds better neighbours and takes longer. */
const SCAN_SETTINGS = ['hnsw.ef_search = 200', 'hnsw.iterative_scan = strict_order']
/** Significant digits of a 32-bit float. */
const DIGITS = 7

export const NO_PGVECTOR =
  'The knowledge is searched by words alone: the database of DATABASE_URL has no extension "vector" 0.8 or later. Install pgvector, run CREATE EXTENSION vector in that database, and restart.'

/** A passage and its cosine similarity to a query. */
export interface NearRow extends FoundRow {
  id: string
  similarity: number
}

interface MissingPassage {
  hash: string
  passage: Passage
}

/** The vectors of the shared index, one for each embedded text, in a table that pgvector searches. */
export class SharedVectors {
  readonly #store: SharedStore
  readonly #embedder: Embedder
  /** Schema of the extension, quoted: it need not be on the search path. */
  readonly #extension: string

  private constructor(store: SharedStore, embedder: Embedder, extension: string) {
    this.#store = store
    this.#embedder = embedder
    this.#extension = extension
  }

  /** Null, with a problem reported, where the database has no usable pgvector. */
  static async open(store: SharedStore, embedder: Embedder): Promise<SharedVectors | null> {
    const extension = await extensionSchema(store)
    embedder.report('search', extension === null ? NO_PGVECTOR : null)
    return extension === null ? null : new SharedVectors(store, embedder, extension)
  }

  /**
   * The passages nearest to a query by cosine, nearest first. Never rejects: without vectors of this model, or without the query's vector
   * in time, there are none.
   */
  async nearest(query: string, folders: readonly string[]): Promise<NearRow[]> {
    try {
      const { vectorIdentity, vectorDimensions } = await this.#store.state()
      if (vectorIdentity !== this.#embedder.identity) return []
      const vector = await this.#embedder.queryVector(query)
      if (vector?.length !== vectorDimensions || vector.every((value) => value === 0)) return []
      const near = await this.#nearest(unitOf(vector), vectorDimensions, patternsOf(folders))
      this.#embedder.report('search', null)
      return near
    } catch {
      this.#embedder.report('search', 'The knowledge is searched by words alone for now: searching the vectors in PostgreSQL failed.')
      return []
    }
  }

  async #nearest(vector: readonly number[], dimensions: number, patterns: string[] | null): Promise<NearRow[]> {
    const values = [literalOf(vector), patterns]
    const distance = `vector OPERATOR(${this.#extension}.<=>) $1::${this.#extension}.${columnOf(dimensions).type}`
    const { rows } = await this.#store.search<NearRow>(nearestQuery(distance), values, SCAN_SETTINGS)
    if (rows.length >= NEAREST) return rows
    // The index stops early where a filter rejects nearly all. An expression that it does not know compares all that pass.
    return (await this.#store.search<NearRow>(nearestQuery(`(${distance}) + 0`), values)).rows
  }

  /** For the writer: embeds every passage that has no vector yet. Resolves early once another process has the lease. */
  async fill(isWriter: () => boolean): Promise<void> {
    let after = ''
    try {
      let isKnown = (await this.#store.state()).vectorIdentity === this.#embedder.identity
      while (isWriter()) {
        const missing = await this.#missing(after, isKnown)
        if (missing.length === 0) return this.#embedder.report('storage', null)
        const vectors = await this.#embedder.passageVectors(missing.map(({ passage }) => embeddedTextOf(passage)))
        const hasBegunAnew = await this.#add(missing, vectors)
        // What comes before had vectors of another model.
        after = hasBegunAnew ? '' : (missing.at(-1)?.hash ?? '')
        isKnown = true
      }
    } catch (cause) {
      if (cause instanceof LeaseLost) return
      this.#embedder.report('storage', 'Storing the vectors of the knowledge in PostgreSQL failed. It is tried again.')
      throw cause
    }
  }

  /** The first embedded texts, by hash, that have no vector of this model. */
  async #missing(after: string, hasTable: boolean): Promise<MissingPassage[]> {
    const { rows } = await this.#store.query<MissingPassage>(
      `SELECT DISTINCT ON (content_hash) content_hash AS hash, content AS passage FROM parley_knowledge.passages
       WHERE content_hash > $1
       ${hasTable ? 'AND NOT EXISTS (SELECT FROM parley_knowledge.vectors WHERE hash = content_hash)' : ''}
       ORDER BY content_hash, file, ordinal LIMIT ${this.#embedder.textsPerRequest}`,
      [after],
    )
    return rows
  }

  /** Stores vectors. Returns whether the table was replaced because it held vectors of another model or dimension. */
  async #add(missing: readonly MissingPassage[], vectors: readonly number[][]): Promise<boolean> {
    const dimensions = vectors[0]?.length ?? 0
    const { identity } = this.#embedder
    let hasBegunAnew = false
    await this.#store.write(async (client) => {
      const { rowCount } = await client.query(
        `UPDATE parley_knowledge.state SET vector_identity = $1, vector_dimensions = $2
         WHERE vector_identity <> $1 OR vector_dimensions <> $2`,
        [identity, dimensions],
      )
      hasBegunAnew = rowCount === 1
      if (hasBegunAnew) await makeTable(client, this.#extension, dimensions)
      await client.query(
        `INSERT INTO parley_knowledge.vectors (hash, vector)
         SELECT hash, vector::${this.#extension}.${columnOf(dimensions).type} FROM unnest($1::text[], $2::text[]) AS v(hash, vector)
         WHERE EXISTS (SELECT FROM parley_knowledge.passages WHERE content_hash = hash)
         ON CONFLICT (hash) DO NOTHING`,
        [missing.map(({ hash }) => hash), vectors.map((vector) => literalOf(unitOf(vector)))],
      )
    })
    if (hasBegunAnew) this.#embedder.forgetQueries()
    return hasBegunAnew
  }
}

/** For the writer: removes vectors of passages that are gone. */
export async function removeUnusedVectors(store: SharedStore): Promise<void> {
  const { vectorIdentity } = await store.state()
  if (vectorIdentity === '') return
  await store.write(async (client) => {
    await client.query(
      'DELETE FROM parley_knowledge.vectors WHERE NOT EXISTS (SELECT FROM parley_knowledge.passages WHERE content_hash = hash)',
    )
  })
}

/** Creates the extension where this is possible. The quoted name of its schema, or null where it is missing or too old. */
async function extensionSchema(store: SharedStore): Promise<string | null> {
  // Fails where it is not installed or the role may not create it; an operator may have created it all the same.
  await store.query('CREATE EXTENSION IF NOT EXISTS vector').catch(() => undefined)
  const { rows } = await store.query<{ schema: string; version: string }>(
    `SELECT quote_ident(nspname) AS schema, extversion AS version
     FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace WHERE extname = 'vector'`,
  )
  const [found] = rows
  return found && isRecent(found.version) ? found.schema : null
}

function isRecent(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > LEAST_VERSION[0] || (major === LEAST_VERSION[0] && minor >= LEAST_VERSION[1])
}

/** How vectors of a dimension are stored, and whether they can have an index. */
function columnOf(dimensions: number): { type: string; operators: string | null } {
  if (dimensions <= MAX_INDEXED_DIMENSIONS.vector) return { type: `vector(${dimensions})`, operators: 'vector_cosine_ops' }
  if (dimensions <= MAX_INDEXED_DIMENSIONS.halfvec) return { type: `halfvec(${dimensions})`, operators: 'halfvec_cosine_ops' }
  return { type: `vector(${dimensions})`, operators: null }
}

async function makeTable(client: pg.PoolClient, extension: string, dimensions: number): Promise<void> {
  const { type, operators } = columnOf(dimensions)
  await client.query('DROP TABLE IF EXISTS parley_knowledge.vectors')
  await client.query(`CREATE TABLE parley_knowledge.vectors (hash text COLLATE "C" PRIMARY KEY, vector ${extension}.${type} NOT NULL)`)
  if (operators !== null)
    await client.query(`CREATE INDEX vectors_by_cosine ON parley_knowledge.vectors USING hnsw (vector ${extension}.${operators})`)
}

/** One passage for each of the nearest vectors, out of the folders that are open. */
function nearestQuery(distance: string): string {
  return `SELECT p.id, p.ordinal, p.content AS passage, 1 - n.distance AS similarity
    FROM (SELECT hash, ${distance} AS distance FROM parley_knowledge.vectors
          WHERE $2::text[] IS NULL
             OR EXISTS (SELECT FROM parley_knowledge.passages WHERE content_hash = hash AND file LIKE ANY($2))
          ORDER BY ${distance} LIMIT ${NEAREST}) AS n
    CROSS JOIN LATERAL (SELECT id, ordinal, content FROM parley_knowledge.passages
          WHERE content_hash = n.hash AND ($2::text[] IS NULL OR file LIKE ANY($2)) ORDER BY file, ordinal LIMIT 1) AS p
    WHERE n.distance <> 'NaN'
    ORDER BY n.distance`
}

function literalOf(vector: readonly number[]): string {
  return `[${vector.map((value) => Number(value.toPrecision(DIGITS))).join(',')}]`
}
