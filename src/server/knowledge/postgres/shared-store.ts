import pg from 'pg'
import type { Passage } from '../ingestion/passages.ts'
import { SCHEMA } from './schema.ts'

const CONNECTIONS = 4
const CONNECTION_TIMEOUT_MS = 5_000
/** Of a search; writing has no limit but its transaction's. */
const SEARCH_LIMIT_MS = 2_000
/** The writer renews its lease well before it expires. */
export const LEASE_S = 15
const PASSAGES_PER_INSERT = 200
const NEAR_TERMS = 2_000

/** The state of the shared index, one row. */
export interface SharedState {
  /** Raised with every change. */
  generation: number
  passages: number
  /** Of all passages together, in terms. */
  totalLength: number
  synonyms: string
  /** Embedding model and endpoint that the stored vectors come from; empty when there are none. */
  vectorIdentity: string
  vectorDimensions: number
}

export interface SharedFile {
  size: number
  mtimeMs: number
  hash: string
}

export interface SharedPassage {
  id: string
  ordinal: number
  passage: Passage
  /** Of the text that is embedded. */
  contentHash: string
  length: number
  terms: string[]
}

export type FoundRow = Pick<SharedPassage, 'ordinal' | 'passage'>

/** Another process has taken the lease. */
export class LeaseLost extends Error {}

/** What one search asks of the passages. */
export interface CandidateQuery {
  /** Terms of which a candidate has at least one. */
  anyOf: readonly string[]
  /** Groups of terms; a passage that has any of a group gets its weight. */
  groups: readonly { terms: readonly string[]; weight: number }[]
  folders: readonly string[]
  limit: number
}

/** Passages of the knowledge in PostgreSQL, in a schema of their own: many processes search, one at a time writes. */
export class SharedStore {
  readonly #pool: pg.Pool
  readonly #holder: string

  constructor(url: string, holder: string, onError: (cause: Error) => void) {
    this.#holder = holder
    this.#pool = new pg.Pool({ connectionString: url, max: CONNECTIONS, connectionTimeoutMillis: CONNECTION_TIMEOUT_MS })
    this.#pool.on('error', onError)
  }

  /** Makes the tables where they are missing. */
  async open(): Promise<void> {
    await this.#pool.query(SCHEMA)
  }

  close(): Promise<void> {
    return this.#pool.end()
  }

  /** Takes or renews the right to write; false while another process has it. */
  async lease(): Promise<boolean> {
    const { rowCount } = await this.#pool.query(
      `UPDATE parley_knowledge.state SET holder = $1, expires_at = now() + make_interval(secs => ${LEASE_S})
       WHERE holder IS NULL OR holder = $1 OR expires_at < now()`,
      [this.#holder],
    )
    return rowCount === 1
  }

  async release(): Promise<void> {
    await this.#pool.query('UPDATE parley_knowledge.state SET holder = NULL WHERE holder = $1', [this.#holder])
  }

  async state(): Promise<SharedState> {
    const { rows } = await this.search<{
      generation: string
      passages: string
      total_length: string
      synonyms: string
      vector_identity: string
      vector_dimensions: number
    }>('SELECT generation, passages, total_length, synonyms, vector_identity, vector_dimensions FROM parley_knowledge.state')
    const row = rows[0]
    return {
      generation: Number(row?.generation),
      passages: Number(row?.passages),
      totalLength: Number(row?.total_length),
      synonyms: row?.synonyms ?? '',
      vectorIdentity: row?.vector_identity ?? '',
      vectorDimensions: row?.vector_dimensions ?? 0,
    }
  }

  /** For the writer: starts over if the index was made in another way. */
  async begin(identity: string, synonyms: string): Promise<void> {
    await this.write(async (client) => {
      const { rows } = await client.query<{ identity: string }>('SELECT identity FROM parley_knowledge.state')
      if (rows[0]?.identity !== identity) {
        await client.query('TRUNCATE parley_knowledge.documents, parley_knowledge.passages, parley_knowledge.terms')
        await client.query('UPDATE parley_knowledge.state SET identity = $1, passages = 0, total_length = 0', [identity])
      }
      await client.query('UPDATE parley_knowledge.state SET synonyms = $1', [synonyms])
    })
  }

  async files(): Promise<Map<string, SharedFile>> {
    const { rows } = await this.#pool.query<{ file: string; size: string; mtime_ms: number; hash: string }>(
      'SELECT file, size, mtime_ms, hash FROM parley_knowledge.documents',
    )
    return new Map(rows.map(({ file, size, mtime_ms: mtimeMs, hash }) => [file, { size: Number(size), mtimeMs, hash }]))
  }

  /** The documents by the first passage of each, at most so many. */
  async documents(limit: number): Promise<{ file: string; title: string; asOf: string | null }[]> {
    const { rows } = await this.search<{ file: string; title: string; as_of: string | null }>(
      `SELECT file, content->>'title' AS title, content->>'asOf' AS as_of FROM parley_knowledge.passages WHERE ordinal = 0 ORDER BY file LIMIT $1`,
      [limit],
    )
    return rows.map(({ file, title, as_of: asOf }) => ({ file, title, asOf }))
  }

  /** The documents with the beginning of each, by file, at most so many. */
  async documentFacts(
    limit: number,
  ): Promise<{ file: string; title: string; asOf: string | null; passages: number; bytes: number; beginning: string }[]> {
    const { rows } = await this.search<{
      file: string
      title: string
      as_of: string | null
      passages: string
      bytes: string
      beginning: string
    }>(
      `SELECT d.file, d.size AS bytes, p.content->>'title' AS title, p.content->>'asOf' AS as_of, p.content->>'text' AS beginning,
         (SELECT count(*) FROM parley_knowledge.passages AS all_of WHERE all_of.file = d.file) AS passages
       FROM parley_knowledge.documents AS d JOIN parley_knowledge.passages AS p ON p.file = d.file AND p.ordinal = 0
       ORDER BY d.file LIMIT $1`,
      [limit],
    )
    return rows.map(({ as_of: asOf, passages, bytes, ...row }) => ({ ...row, asOf, passages: Number(passages), bytes: Number(bytes) }))
  }

  /** The first passage of each of these files. */
  async beginnings(files: readonly string[]): Promise<string[]> {
    const { rows } = await this.search<{ text: string }>(
      `SELECT content->>'text' AS text FROM parley_knowledge.passages WHERE ordinal = 0 AND file = ANY($1)`,
      [files],
    )
    return rows.map(({ text }) => text)
  }

  /** Replaces the passages of a document in one transaction. */
  async replace(file: string, { size, mtimeMs, hash }: SharedFile, passages: readonly SharedPassage[]): Promise<void> {
    await this.write(async (client) => {
      await removeDocument(client, file)
      await client.query('INSERT INTO parley_knowledge.documents (file, size, mtime_ms, hash) VALUES ($1, $2, $3, $4)', [
        file,
        size,
        mtimeMs,
        hash,
      ])
      for (let start = 0; start < passages.length; start += PASSAGES_PER_INSERT)
        await insertPassages(client, file, passages.slice(start, start + PASSAGES_PER_INSERT))
      await countDocument(client, file, 1)
    })
  }

  async remove(file: string): Promise<void> {
    await this.write((client) => removeDocument(client, file))
  }

  /** In how many passages each term occurs; terms that occur in none are left out. */
  async frequencies(terms: readonly string[]): Promise<[term: string, frequency: number][]> {
    const { rows } = await this.search<{ term: string; frequency: number }>(
      'SELECT term, frequency FROM parley_knowledge.terms WHERE term = ANY($1)',
      [terms],
    )
    return rows.map(({ term, frequency }) => [term, frequency])
  }

  /** Terms with the same two first letters, the most frequent ones. */
  async termsLike(term: string): Promise<[term: string, frequency: number][]> {
    const { rows } = await this.search<{ term: string; frequency: number }>(
      `SELECT term, frequency FROM parley_knowledge.terms WHERE starts_with(term, $1) AND term LIKE $2
       ORDER BY (starts_with(term, $3)) DESC, frequency DESC LIMIT ${NEAR_TERMS}`,
      [term.slice(0, 2), `${term.slice(0, 2).replace(/[\\%_]/g, '\\$&')}%`, term],
    )
    return rows.map(({ term: known, frequency }) => [known, frequency])
  }

  /** Passages for a query: those whose groups weigh most. */
  async candidates({ anyOf, groups, folders, limit }: CandidateQuery): Promise<FoundRow[]> {
    const { rows } = await this.search<FoundRow>(
      `SELECT ordinal, content AS passage FROM parley_knowledge.passages p
       WHERE terms @@ $1::tsquery AND ($2::text[] IS NULL OR file LIKE ANY($2))
       ORDER BY (SELECT sum(weight) FROM unnest($3::text[], $4::real[]) AS g(query, weight) WHERE p.terms @@ g.query::tsquery) DESC, length, id
       LIMIT $5`,
      [anyOfQuery(anyOf), patternsOf(folders), groups.map(({ terms }) => anyOfQuery(terms)), groups.map(({ weight }) => weight), limit],
    )
    return rows
  }

  /** The passages of a document around one of its own, by its id. */
  async around(id: string, folders: readonly string[], before: number, after: number): Promise<FoundRow[]> {
    const { rows } = await this.search<FoundRow>(
      `SELECT other.ordinal, other.content AS passage
       FROM (SELECT file, ordinal FROM parley_knowledge.passages
             WHERE id = $1 AND ($2::text[] IS NULL OR file LIKE ANY($2)) ORDER BY file LIMIT 1) AS one
       JOIN parley_knowledge.passages AS other
         ON other.file = one.file AND other.ordinal BETWEEN one.ordinal - $3::int AND one.ordinal + $4::int
       ORDER BY other.ordinal`,
      [id, patternsOf(folders), before, after],
    )
    return rows
  }

  /** One statement of a search, with its time limit. `settings` are of its session. */
  async search<Row extends pg.QueryResultRow>(
    text: string,
    values: unknown[] = [],
    settings: readonly string[] = [],
  ): Promise<pg.QueryResult<Row>> {
    const client = await this.#pool.connect()
    try {
      await client.query([`statement_timeout = ${SEARCH_LIMIT_MS}`, ...settings].map((setting) => `SET ${setting}`).join('; '))
      return await client.query<Row>(text, values)
    } finally {
      client.release()
    }
  }

  /** One statement outside searches and the writer's transactions. */
  query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<pg.QueryResult<Row>> {
    return this.#pool.query<Row>(text, values)
  }

  /** One transaction of the writer; rejects with `LeaseLost`, and changes nothing, where it is not the writer any more. */
  async write(work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
    const client = await this.#pool.connect()
    try {
      await client.query('SET statement_timeout = 0')
      await client.query('BEGIN')
      const { rowCount } = await client.query(
        `UPDATE parley_knowledge.state SET generation = generation + 1, expires_at = now() + make_interval(secs => ${LEASE_S})
         WHERE holder = $1 AND expires_at > now()`,
        [this.#holder],
      )
      if (rowCount !== 1) throw new LeaseLost('Another process writes the shared index of the knowledge.')
      await work(client)
      await client.query('COMMIT')
    } catch (cause) {
      await client.query('ROLLBACK').catch(() => undefined)
      throw cause
    } finally {
      client.release()
    }
  }
}

async function removeDocument(client: pg.PoolClient, file: string): Promise<void> {
  await countDocument(client, file, -1)
  await client.query('DELETE FROM parley_knowledge.passages WHERE file = $1', [file])
  await client.query('DELETE FROM parley_knowledge.documents WHERE file = $1', [file])
}

async function insertPassages(client: pg.PoolClient, file: string, passages: readonly SharedPassage[]): Promise<void> {
  await client.query(
    `INSERT INTO parley_knowledge.passages (file, ordinal, id, content, content_hash, length, terms)
     SELECT $1, ordinal, id, passage, "contentHash", length, array_to_tsvector(ARRAY(SELECT jsonb_array_elements_text(terms)))
     FROM jsonb_to_recordset($2::jsonb)
       AS p(ordinal int, id text, passage jsonb, "contentHash" text, length int, terms jsonb)`,
    [file, JSON.stringify(passages, (_, value: unknown) => (typeof value === 'string' ? storable(value) : value))],
  )
}

/** Adds the terms and lengths of a document to what is counted of all, or takes them away. */
async function countDocument(client: pg.PoolClient, file: string, by: 1 | -1): Promise<void> {
  await client.query(
    `INSERT INTO parley_knowledge.terms AS known (term, frequency)
     SELECT term, count(*) * $2::int FROM parley_knowledge.passages, unnest(tsvector_to_array(terms)) AS term WHERE file = $1 GROUP BY term
     ON CONFLICT (term) DO UPDATE SET frequency = known.frequency + excluded.frequency`,
    [file, by],
  )
  if (by === -1) await client.query('DELETE FROM parley_knowledge.terms WHERE frequency <= 0')
  await client.query(
    `UPDATE parley_knowledge.state SET passages = passages + $2::int * d.count, total_length = total_length + $2::int * d.length
     FROM (SELECT count(*) AS count, coalesce(sum(length), 0) AS length FROM parley_knowledge.passages WHERE file = $1) AS d`,
    [file, by],
  )
}

/** PostgreSQL keeps neither U+0000 nor half a surrogate pair. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', ' ')
}

/** `LIKE` patterns of the files in folders; null for everything. */
export function patternsOf(folders: readonly string[]): string[] | null {
  return folders.includes('.') ? null : folders.map((folder) => `${folder.replace(/[\\%_]/g, '\\$&')}/%`)
}

/** As text of the type tsquery: its terms are stems already, and are not parsed again. */
function anyOfQuery(terms: readonly string[]): string {
  return terms.map((term) => `'${term.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`).join(' | ')
}
