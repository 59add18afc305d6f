import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from './database.ts'
import { inTransaction } from './in-transaction.ts'
import { increaseVersion, type VersionName } from './installation-facts.ts'

/** Publications kept of a text; the oldest are deleted. */
export const MAX_PUBLICATIONS = 200

/** A text as it is or was in force. */
export interface Publication {
  number: number
  /** SHA-256 of the text, hex. */
  hash: string
  text: string
  /** Number of the earlier publication that it restores. */
  restores: number | null
  by: string
  at: number
}

/** A text that staff manage. */
export interface ManagedText {
  id: string
  draft: { text: string; revision: number; by: string; at: number }
  /** Number of the publication in force; `null` if none is. */
  published: number | null
}

export interface NewManagedText {
  id: string
  text: string
  by: string
  at: number
}

export interface NewPublication {
  id: string
  text: string
  /** The draft that it must be; `null` to publish any text. */
  revision: number | null
  restores: number | null
  by: string
  at: number
  /** Asked in the transaction, while no other publication is possible; otherwise it may be published. */
  mayPublish?: (transaction: Database) => Promise<boolean>
}

/** Records a change in its transaction. */
type RecordChange = (transaction: Database) => Promise<void>

/** Where texts of a kind are stored, in tables of the same form. */
interface ManagedTables {
  drafts: 'managed_agents' | 'approved_answers'
  publications: 'agent_publications' | 'approved_publications'
  /** The column of a publication that refers to its text. */
  key: 'agent_id' | 'answer_id'
  /** Increases with each change of what is in force. */
  version: VersionName
  /** Texts that staff may have. */
  max: number
}

/** Hash by which versions of a text are told apart: SHA-256, hex. */
export function textHash(text: string): string {
  return hash('sha256', text, 'hex')
}

/** Texts of a kind that staff draft, publish, roll back and withdraw. */
export class ManagedTexts {
  readonly #tables: ManagedTables

  constructor(tables: ManagedTables) {
    this.#tables = tables
  }

  /** The texts in force, by id. */
  published(database: Database): Promise<{ id: string; text: string }[]> {
    const { drafts, publications, key } = this.#tables
    return database
      .selectFrom(`${drafts as 'managed_agents'} as drafts`)
      .innerJoin(`${publications as 'agent_publications'} as publications`, (join) =>
        join.on(sql.ref(`publications.${key}`), '=', sql.ref('drafts.id')).onRef('publications.number', '=', 'drafts.published'),
      )
      .select(['drafts.id as id', 'publications.content as text'])
      .orderBy('drafts.id')
      .execute()
  }

  /** All texts, by id. */
  async list(database: Database): Promise<ManagedText[]> {
    const rows = await database.selectFrom(this.#tables.drafts).selectAll().orderBy('id').execute()
    return rows.map(managedTextOf)
  }

  async read(database: Database, id: string): Promise<ManagedText | undefined> {
    const row = await database.selectFrom(this.#tables.drafts).selectAll().where('id', '=', id).executeTakeFirst()
    return row && managedTextOf(row)
  }

  /** Publications of a text, newest first. */
  async publications(database: Database, id: string): Promise<Publication[]> {
    const rows = await this.#publicationsOf(database, id).orderBy('number', 'desc').limit(MAX_PUBLICATIONS).execute()
    return rows.map(publicationOf)
  }

  async publication(database: Database, id: string, number: number): Promise<Publication | undefined> {
    const row = await this.#publicationsOf(database, id).where('number', '=', number).executeTakeFirst()
    return row && publicationOf(row)
  }

  /** Stores a text as its first draft, unless the id is taken or there are too many. */
  async insert(database: Database, { id, text, by, at }: NewManagedText, record: RecordChange): Promise<'inserted' | 'taken' | 'too-many'> {
    const { drafts, max } = this.#tables
    return inTransaction(database, async (transaction) => {
      const { count } = await transaction
        .selectFrom(drafts)
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirstOrThrow()
      if (Number(count) >= max) return 'too-many'
      const { numInsertedOrUpdatedRows } = await transaction
        .insertInto(drafts)
        .values({ id, draft: text, draft_revision: 1, draft_by: by, draft_at: at, created_at: at })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      if (numInsertedOrUpdatedRows === 0n) return 'taken'
      await record(transaction)
      return 'inserted'
    })
  }

  /** Saves the draft if nobody else has since `basedOn`; otherwise nothing. */
  async saveDraft(
    database: Database,
    { id, text, basedOn, by, at }: { id: string; text: string; basedOn: number; by: string; at: number },
    record: RecordChange,
  ): Promise<boolean> {
    return inTransaction(database, async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable(this.#tables.drafts)
        .set({ draft: text, draft_revision: basedOn + 1, draft_by: by, draft_at: at })
        .where('id', '=', id)
        .where('draft_revision', '=', basedOn)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return false
      await record(transaction)
      return true
    })
  }

  /**
   * Puts a text into force. Returns the number of the publication; undefined if the draft has changed, it may not be published, or there
   * is no such text.
   */
  async publish(
    database: Database,
    publication: NewPublication,
    record: (transaction: Database, number: number) => Promise<void>,
  ): Promise<number | undefined> {
    const { id, text, revision, restores, by, at, mayPublish } = publication
    const { drafts, publications, key, version } = this.#tables
    return inTransaction(database, async (transaction) => {
      // Locks the text, so that publications are numbered one after another.
      const { numUpdatedRows } = await transaction
        .updateTable(drafts)
        .set(({ ref }) => ({ draft_revision: ref('draft_revision') }))
        .where('id', '=', id)
        .$if(revision !== null, (query) => query.where('draft_revision', '=', revision))
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return undefined
      if (mayPublish && !(await mayPublish(transaction))) return undefined
      const { last } = await transaction
        .selectFrom(publications)
        .select(({ fn }) => fn.max('number').as('last'))
        .where(sql.ref(key), '=', id)
        .executeTakeFirstOrThrow()
      const number = (last ?? 0) + 1
      const row = { number, hash: textHash(text), content: text, restores, published_by: by, published_at: at }
      await transaction
        .insertInto(publications)
        .values({ [key as 'agent_id' & 'answer_id']: id, ...row })
        .execute()
      await transaction
        .deleteFrom(publications)
        .where(sql.ref(key), '=', id)
        .where('number', '<=', number - MAX_PUBLICATIONS)
        .execute()
      await transaction.updateTable(drafts).set({ published: number }).where('id', '=', id).execute()
      await increaseVersion(transaction, version)
      await record(transaction, number)
      return number
    })
  }

  /** Takes a text out of force and keeps its history; `false` if it wasn't in force. */
  async withdraw(database: Database, id: string, record: RecordChange): Promise<boolean> {
    return inTransaction(database, async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable(this.#tables.drafts)
        .set({ published: null })
        .where('id', '=', id)
        .where('published', 'is not', null)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return false
      await increaseVersion(transaction, this.#tables.version)
      await record(transaction)
      return true
    })
  }

  /** Deletes a text that isn't in force, with its history. */
  async delete(database: Database, id: string, record: RecordChange): Promise<boolean> {
    const { drafts, publications, key } = this.#tables
    return inTransaction(database, async (transaction) => {
      const { numDeletedRows } = await transaction.deleteFrom(drafts).where('id', '=', id).where('published', 'is', null).executeTakeFirst()
      if (numDeletedRows === 0n) return false
      await transaction.deleteFrom(publications).where(sql.ref(key), '=', id).execute()
      await record(transaction)
      return true
    })
  }

  #publicationsOf(database: Database, id: string) {
    const { publications, key } = this.#tables
    return database.selectFrom(publications).selectAll().where(sql.ref(key), '=', id)
  }
}

interface DraftRow {
  id: string
  draft: string
  draft_revision: number
  draft_by: string
  draft_at: number
  published: number | null
}

function managedTextOf(row: DraftRow): ManagedText {
  return {
    id: row.id,
    draft: { text: row.draft, revision: row.draft_revision, by: row.draft_by, at: row.draft_at },
    published: row.published,
  }
}

interface PublicationRow {
  number: number
  hash: string
  content: string
  restores: number | null
  published_by: string
  published_at: number
}

function publicationOf({ number, hash: of, content, restores, published_by, published_at }: PublicationRow): Publication {
  return { number, hash: of, text: content, restores, by: published_by, at: published_at }
}
