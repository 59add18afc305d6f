import { hash as hashOf } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { changesRows, countOf, type Database, inTransaction } from '../engine/database.ts'
import { increaseVersion, type VersionName } from '../engine/installation-facts.ts'
import type { Selectable } from 'kysely'
import type { ManagedKind } from '../engine/schema/managed-texts-schema.ts'
import type { Schema } from '../engine/schema/schema.ts'
import { changeAndRecord, type RecordChange } from '../staff/audit-log.ts'

/** Versions kept of a text; the oldest are deleted. */
export const MAX_PUBLICATIONS = 200

export interface Publication {
  number: number
  /** SHA-256 of the text, or of a document's file, hex. */
  hash: string
  text: string
  /** Number of the earlier version that it restores. */
  restores: number | null
  /** Latest evaluation of an agent when it was published; `null` if it had none. */
  evaluation: { right: number; total: number } | null
  by: string
  at: number
}

export interface ManagedText {
  id: string
  /** Name of a document's file; `null` for other kinds. */
  name: string | null
  draft: { text: string; revision: number; by: string; at: number }
  /** Questions to an agent before it is published: empty text for none; nobody has saved revision 0. */
  cases: { text: string; revision: number; by: string | null; at: number | null }
  inForce: Publication | null
}

export interface NewManagedText {
  id: string
  name?: string
  text: string
  by: string
  at: number
}

export interface SavedText extends Omit<NewManagedText, 'name'> {
  /** The revision that its author saw. */
  basedOn: number
}

export interface NewPublication extends Omit<NewManagedText, 'name'> {
  /** The draft that it must be; `null` to publish any text. */
  revision: number | null
  restores: number | null
  /** Asked in the transaction, while no other publication is possible. The evaluation is stored with the version; `false` rejects it. */
  admit?: (transaction: Database) => Promise<Publication['evaluation'] | false>
  file?: { hash: string; document: string; bytes: Uint8Array }
}

interface KindOptions {
  kind: ManagedKind
  version: VersionName
  max: number
  kept?: number
  /** Whether the draft is live: processes follow each change of it. */
  isDraftLive?: boolean
}

const VERSION_COLUMNS = ['number', 'hash', 'text', 'restores', 'published_by', 'published_at', 'cases_right', 'cases_total'] as const
type VersionRow = Pick<Schema['managed_versions'], (typeof VERSION_COLUMNS)[number]>

/** Hash by which versions of a text are told apart: SHA-256, hex. */
export function textHash(text: string): string {
  return hashOf('sha256', text, 'hex')
}

/** Texts of a kind that staff draft, publish, roll back and withdraw. */
export class ManagedTexts {
  readonly #options: Required<KindOptions>

  constructor(options: KindOptions) {
    this.#options = { kept: MAX_PUBLICATIONS, isDraftLive: false, ...options }
  }

  /** Increases with each change of what is in force. */
  get version(): VersionName {
    return this.#options.version
  }

  async published(database: Database): Promise<{ id: string; text: string }[]> {
    return (await this.list(database)).flatMap(({ id, inForce }) => (inForce ? { id, text: inForce.text } : []))
  }

  async list(database: Database): Promise<ManagedText[]> {
    return (await this.#texts(database).orderBy('texts.id').execute()).map(managedTextOf)
  }

  async read(database: Database, id: string): Promise<ManagedText | undefined> {
    const row = await this.#texts(database).where('texts.id', '=', id).executeTakeFirst()
    return row && managedTextOf(row)
  }

  async publications(database: Database, id: string): Promise<Publication[]> {
    const rows = await this.#versions(database, id).orderBy('number', 'desc').execute()
    return rows.map(publicationOf)
  }

  async publication(database: Database, id: string, number: number): Promise<Publication | undefined> {
    const row = await this.#versions(database, id).where('number', '=', number).executeTakeFirst()
    return row && publicationOf(row)
  }

  /** Stores a text as its first draft, unless the id or the name is taken or there are too many. */
  async insert(database: Database, text: NewManagedText, record: RecordChange): Promise<'inserted' | 'taken' | 'too-many'> {
    const { kind, max } = this.#options
    const { id, name, text: draft, by, at } = text
    return inTransaction(database, async (transaction) => {
      if ((await countOf(transaction.selectFrom('managed_texts').where('kind', '=', kind))) >= max) return 'too-many'
      const { numInsertedOrUpdatedRows } = await transaction
        .insertInto('managed_texts')
        .values({ kind, id, name: name ?? null, draft, draft_revision: 1, draft_by: by, draft_at: at, created_at: at })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      if (numInsertedOrUpdatedRows === 0n) return 'taken'
      await this.#recorded(record)(transaction)
      return 'inserted'
    })
  }

  /** Saves the draft if nobody else has since `basedOn`; otherwise nothing. */
  saveDraft(database: Database, { id, text, basedOn, by, at }: SavedText, record: RecordChange): Promise<boolean> {
    return this.#change(database, this.#recorded(record), (transaction) =>
      this.#update(transaction, id)
        .set({ draft: text, draft_revision: basedOn + 1, draft_by: by, draft_at: at })
        .where('draft_revision', '=', basedOn),
    )
  }

  /** Saves the cases of an agent if nobody else has since `basedOn`; otherwise nothing. */
  saveCases(database: Database, { id, text, basedOn, by, at }: SavedText, record: RecordChange): Promise<boolean> {
    return this.#change(database, record, (transaction) =>
      this.#update(transaction, id)
        .set({ cases: text, cases_revision: basedOn + 1, cases_by: by, cases_at: at })
        .where('cases_revision', '=', basedOn),
    )
  }

  /** Publishes a text. Returns the version's number; undefined if the draft changed, isn't admitted, or the same is in force already. */
  async publish(
    database: Database,
    { id, text, revision, restores, by, at, admit, file }: NewPublication,
    record: (transaction: Database, number: number) => Promise<void>,
  ): Promise<number | undefined> {
    const { kind, version, kept } = this.#options
    return inTransaction(database, async (transaction) => {
      // Locks the text, so that publications are numbered one after another.
      const { numUpdatedRows } = await this.#update(transaction, id)
        .set(({ ref }) => ({ draft_revision: ref('draft_revision') }))
        .$if(revision !== null, (query) => query.where('draft_revision', '=', revision))
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return undefined
      const evaluation = (await admit?.(transaction)) ?? null
      if (evaluation === false) return undefined
      const inForce = (await this.read(transaction, id))?.inForce
      const isRepeated = inForce?.hash === textHash(text) && isDeepStrictEqual(inForce.evaluation, evaluation)
      if (isRepeated && !file) return undefined
      const { last } = await transaction
        .selectFrom('managed_versions')
        .select(({ fn }) => fn.max('number').as('last'))
        .where('kind', '=', kind)
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      const number = (last ?? 0) + 1
      const row = { kind, id, number, text, hash: textHash(text), restores, published_by: by, published_at: at }
      const cases = { cases_right: evaluation?.right ?? null, cases_total: evaluation?.total ?? null }
      await transaction
        .insertInto('managed_versions')
        .values({ ...row, ...cases, document: null, bytes: null, ...file })
        .execute()
      await transaction
        .deleteFrom('managed_versions')
        .where('kind', '=', kind)
        .where('id', '=', id)
        .where('number', '<=', number - kept)
        .execute()
      const change = file && { draft_revision: (revision ?? 0) + 1, draft_by: by, draft_at: at }
      await this.#update(transaction, id)
        .set({ published: number, ...change })
        .execute()
      await increaseVersion(transaction, version)
      await record(transaction, number)
      return number
    })
  }

  /** Takes a text out of force and keeps its history; `false` if it wasn't in force. */
  withdraw(database: Database, id: string, record: RecordChange): Promise<boolean> {
    return this.#change(database, this.#announced(record), (transaction) =>
      this.#update(transaction, id).set({ published: null }).where('published', 'is not', null),
    )
  }

  /** Deletes a text with its history, if it isn't in force; `false` if it is. */
  delete(database: Database, id: string, record: RecordChange): Promise<boolean> {
    return this.#change(database, this.#recorded(record), (transaction) => this.#delete(transaction, id).where('published', 'is', null))
  }

  /** Deletes a text in force with its history, if nobody else has changed it since `basedOn`. */
  deleteInForce(database: Database, { id, basedOn }: { id: string; basedOn: number }, record: RecordChange): Promise<boolean> {
    return this.#change(database, this.#announced(record), (transaction) =>
      this.#delete(transaction, id).where('draft_revision', '=', basedOn),
    )
  }

  /** Records a change of a draft. */
  #recorded(record: RecordChange): RecordChange {
    return this.#options.isDraftLive ? this.#announced(record) : record
  }

  /** Records a change, and that processes must follow it. */
  #announced(record: RecordChange): RecordChange {
    return async (transaction) => {
      await increaseVersion(transaction, this.#options.version)
      await record(transaction)
    }
  }

  #change(
    database: Database,
    record: RecordChange,
    statementOf: (transaction: Database) => Parameters<typeof changesRows>[0],
  ): Promise<boolean> {
    return changeAndRecord(database, (transaction) => changesRows(statementOf(transaction)), record)
  }

  #texts(database: Database) {
    return database
      .selectFrom('managed_texts as texts')
      .leftJoin('managed_versions as versions', (join) =>
        join
          .onRef('versions.kind', '=', 'texts.kind')
          .onRef('versions.id', '=', 'texts.id')
          .onRef('versions.number', '=', 'texts.published'),
      )
      .selectAll('texts')
      .select(VERSION_COLUMNS.map((column) => `versions.${column}` as const))
      .where('texts.kind', '=', this.#options.kind)
  }

  #versions(database: Database, id: string) {
    return database.selectFrom('managed_versions').select(VERSION_COLUMNS).where('kind', '=', this.#options.kind).where('id', '=', id)
  }

  #update(transaction: Database, id: string) {
    return transaction.updateTable('managed_texts').where('kind', '=', this.#options.kind).where('id', '=', id)
  }

  #delete(transaction: Database, id: string) {
    return transaction.deleteFrom('managed_texts').where('kind', '=', this.#options.kind).where('id', '=', id)
  }
}

export const MANAGED_AGENTS = new ManagedTexts({ kind: 'agent', version: 'managed_agents_version', max: 50 })
export const APPROVED_ANSWERS = new ManagedTexts({ kind: 'approved-answer', version: 'approved_answers_version', max: 200 })

/** Named embeds, as JSON of `EmbedText`. They have a draft alone, which is live. */
export const MANAGED_EMBEDS = new ManagedTexts({ kind: 'embed', version: 'embeds_version', max: 50, isDraftLive: true })

type TextRow = Selectable<Schema['managed_texts']> & { [Column in keyof VersionRow]: VersionRow[Column] | null }

function managedTextOf(row: TextRow): ManagedText {
  return {
    id: row.id,
    name: row.name,
    draft: { text: row.draft, revision: row.draft_revision, by: row.draft_by, at: row.draft_at },
    cases: { text: row.cases, revision: row.cases_revision, by: row.cases_by, at: row.cases_at },
    inForce: row.number === null ? null : publicationOf(row as VersionRow),
  }
}

function publicationOf({ published_by: by, published_at: at, cases_right: right, cases_total: total, ...rest }: VersionRow): Publication {
  const { number, hash, text, restores } = rest
  return { number, hash, text, restores, evaluation: right === null || total === null ? null : { right, total }, by, at }
}
