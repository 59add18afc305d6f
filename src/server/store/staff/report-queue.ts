import { type Selectable, sql } from 'kysely'
import type { z } from 'zod'
import { sourcesOf } from '../../../contract/chat/citation.ts'
import type { ChatMessage } from '../../../contract/chat/message.ts'
import type { Reading, ReportedMessage } from '../../../contract/reports.ts'
import type { CorrectionStored, ListedReport, NewCorrection, NewVerdict, OpenedReport } from '../../../contract/staff/reports.ts'
import { isRetained, unrestricted } from '../visitors/access.ts'
import { sourceVersionsOf, type AnsweredMessage } from '../turns/corrections.ts'
import { changesRows, countOf, type Database } from '../engine/database.ts'
import { changeAndRecord, type RecordChange } from './audit-log.ts'
import { kindOfReport, newReportId, readingRow } from './reports.ts'
import type { ReportsSchema } from '../engine/schema/reports-schema.ts'

/** Reports in the queue, and corrections: of documents, and at single answers as far as they are listed. */
const MAX_QUEUE = 500
const MAX_CORRECTIONS = 500

/** When staff read: expired reports and those of expired chats count as missing. */
export interface QueueAccess {
  now: number
  retentionMs: number
}

/** Reports without any text of visitors: questions that wait, the oldest first; then others without a verdict, and the rest, newest first. */
export async function listReports(database: Database, access: QueueAccess): Promise<ListedReport[]> {
  const rows = await openReports(database, access)
    .orderBy(sql`case when reports.verdict is not null then 2 when messages.role = 'user' then 0 else 1 end`)
    // Who waits longest comes first.
    .orderBy(sql`case when reports.verdict is null and messages.role = 'user' then reports.created_at else -reports.created_at end`)
    .orderBy('reports.id')
    .limit(MAX_QUEUE)
    .execute()
  return rows.map(listedOf)
}

export function countUndecidedReports(database: Database, access: QueueAccess): Promise<number> {
  return countOf(openReports(database, access).where('reports.verdict', 'is', null).clearSelect())
}

/** Opens a report and records the reading. `undefined` if there is none. */
export async function readReport(
  database: Database,
  access: QueueAccess,
  { id, role, log }: { id: string; role: Reading['role']; log: RecordChange },
): Promise<OpenedReport | undefined> {
  return database.transaction().execute(async (transaction) => {
    const report = await findContent(transaction, access, id)
    if (!report) return undefined
    await transaction
      .insertInto('readings')
      .values(readingRow(report, role, access.now))
      .execute()
    await log(transaction)
    const answer = await findAnswer(transaction, report)
    const correction = await transaction
      .selectFrom('corrections')
      .select(['id', 'text'])
      .where('session_id', '=', report.session_id)
      .where('position', '=', report.position)
      .executeTakeFirst()
    return {
      ...listedOf({ ...report, readings: Number(report.readings) + 1 }),
      messages: JSON.parse(report.messages) as ReportedMessage[],
      reason: report.reason,
      sources: answer ? filesOf(answer.parts) : [],
      correction: correction ?? null,
    }
  })
}

export type NewCorrectionOf = z.output<typeof NewCorrection> & { id: string; log: RecordChange }

export type NewDecision = z.output<typeof NewVerdict> & { id: string; log: RecordChange }

/** Stores a verdict over the one that its author has read. */
export async function decideReport(
  database: Database,
  access: QueueAccess,
  { id, verdict, fix, revision, log }: NewDecision,
): Promise<ListedReport | 'not_found' | 'changed_meanwhile'> {
  return database.transaction().execute(async (transaction) => {
    const report = await findListed(transaction, access, id)
    if (!report) return 'not_found'
    const decision = { verdict, fix, revision: revision + 1 }
    const decided = await transaction
      .updateTable('reports')
      .set(decision)
      .where('id', '=', id)
      .where('revision', '=', revision)
      .executeTakeFirst()
    if (decided.numUpdatedRows === 0n) return 'changed_meanwhile'
    await log(transaction)
    return listedOf({ ...report, ...decision })
  })
}

/** Writes a correction at the reported answer or, with `source`, at every answer that names the same version of that file. */
export async function correctAnswer(
  database: Database,
  access: QueueAccess,
  { id, text, source, replaces, log }: NewCorrectionOf,
): Promise<CorrectionStored | 'not_found' | 'source_unknown' | 'too_many_corrections' | 'changed_meanwhile'> {
  return database.transaction().execute(async (transaction) => {
    const report = await findContent(transaction, access, id)
    const answer = report && (await findAnswer(transaction, report))
    if (!report || !answer) return 'not_found'
    const { session_id, position } = report
    const current = transaction.selectFrom('corrections').select('id').where('session_id', '=', session_id).where('position', '=', position)
    if (replaces !== undefined && replaces !== ((await current.executeTakeFirst())?.id ?? null)) return 'changed_meanwhile'
    const version = source === null ? null : (await sourceVersionsOf(transaction, [answer])).get(position)?.get(source)
    if (version === undefined) return 'source_unknown'
    if (source !== null) {
      await transaction.deleteFrom('corrections').where('source', '=', source).where('version', '=', version).execute()
      if ((await listSourceCorrections(transaction)).length >= MAX_CORRECTIONS) return 'too_many_corrections'
    }
    // That of the file stands at this answer too.
    await transaction.deleteFrom('corrections').where('session_id', '=', session_id).where('position', '=', position).execute()
    const place = source === null ? { session_id, position } : { session_id: null, position: null }
    const row = { id: newReportId(), text, created_at: access.now, source, version, ...place }
    await transaction.insertInto('corrections').values(row).execute()
    // A question is done with its reply.
    if (report.author === 'user')
      await transaction.updateTable('reports').set({ verdict: 'fine' }).where('id', '=', id).where('verdict', 'is', null).execute()
    await log(transaction)
    return { id: row.id }
  })
}

export async function listSourceCorrections(database: Database): Promise<Selectable<ReportsSchema['corrections']>[]> {
  return database
    .selectFrom('corrections')
    .selectAll()
    .where('source', 'is not', null)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(MAX_CORRECTIONS)
    .execute()
}

/** Corrections at single answers without their text, newest first. */
export async function listAnswerCorrections(
  database: Database,
  access: QueueAccess,
): Promise<{ id: string; agent: string; created_at: number }[]> {
  return unrestricted(database)
    .selectFrom('corrections')
    .innerJoin('sessions', 'sessions.id', 'corrections.session_id')
    .select(['corrections.id', 'sessions.agent', 'corrections.created_at'])
    .where(isRetained(access))
    .orderBy('corrections.created_at', 'desc')
    .orderBy('corrections.id')
    .limit(MAX_CORRECTIONS)
    .execute()
}

/** Removes a correction, or a reply, whose question then waits again. */
export async function removeCorrection(database: Database, id: string, log: RecordChange): Promise<boolean> {
  const remove = async (transaction: Database) => {
    const question = transaction
      .selectFrom('reports')
      .innerJoin('corrections', (join) =>
        join.onRef('corrections.session_id', '=', 'reports.session_id').onRef('corrections.position', '=', 'reports.position'),
      )
      .innerJoin('messages', (join) =>
        join.onRef('messages.session_id', '=', 'reports.session_id').onRef('messages.position', '=', 'reports.position'),
      )
      .select('reports.id')
      .where('corrections.id', '=', id)
      .where('messages.role', '=', 'user')
    await transaction.updateTable('reports').set({ verdict: null }).where('id', 'in', question).execute()
    return changesRows(transaction.deleteFrom('corrections').where('id', '=', id))
  }
  return changeAndRecord(database, remove, log)
}

const LISTED = ['id', 'scope', 'thumb', 'created_at', 'expires_at', 'verdict', 'fix', 'revision'] as const

function openReports(database: Database, access: QueueAccess) {
  return unrestricted(database)
    .selectFrom('reports')
    .innerJoin('sessions', 'sessions.id', 'reports.session_id')
    .leftJoin('messages', (join) =>
      join.onRef('messages.session_id', '=', 'reports.session_id').onRef('messages.position', '=', 'reports.position'),
    )
    .select(LISTED.map((column) => `reports.${column}` as const))
    .select(['sessions.agent', 'messages.role as author'])
    .select(({ selectFrom, fn }) => [
      selectFrom('readings').select(fn.countAll<number>().as('count')).whereRef('readings.report_id', '=', 'reports.id').as('readings'),
      selectFrom('corrections')
        .select(fn.countAll<number>().as('count'))
        .whereRef('corrections.session_id', '=', 'reports.session_id')
        .whereRef('corrections.position', '=', 'reports.position')
        .as('corrections'),
    ])
    .where('reports.expires_at', '>', access.now)
    .where(isRetained(access))
}

function findListed(database: Database, access: QueueAccess, id: string) {
  return openReports(database, access).where('reports.id', '=', id).executeTakeFirst()
}

function findContent(database: Database, access: QueueAccess, id: string) {
  return openReports(database, access)
    .select(['reports.session_id', 'reports.position', 'reports.messages', 'reports.reason'])
    .where('reports.id', '=', id)
    .executeTakeFirst()
}

function listedOf(row: NonNullable<Awaited<ReturnType<typeof findListed>>>): ListedReport {
  const { id, author, scope, agent, thumb, created_at, expires_at, verdict, fix, revision, readings, corrections } = row
  return {
    id,
    kind: kindOfReport(author),
    scope,
    agent,
    thumb,
    createdAt: new Date(created_at).toISOString(),
    expiresAt: new Date(expires_at).toISOString(),
    verdict,
    fix,
    revision,
    readings: Number(readings),
    isCorrected: Number(corrections) > 0,
  }
}

async function findAnswer(
  database: Database,
  { session_id, position }: { session_id: string; position: number },
): Promise<AnsweredMessage | undefined> {
  const row = await database
    .selectFrom('messages')
    .select(['parts', 'turn_id'])
    .where('session_id', '=', session_id)
    .where('position', '=', position)
    .executeTakeFirst()
  return row && { position, parts: JSON.parse(row.parts) as ChatMessage['parts'], turnId: row.turn_id }
}

function filesOf(parts: ChatMessage['parts']): string[] {
  return [...new Set(sourcesOf(parts).flatMap((part) => ('filename' in part && part.filename ? [part.filename] : [])))]
}
