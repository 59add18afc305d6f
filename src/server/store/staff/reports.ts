import { randomBytes } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { NewReport, OwnReport, OwnReports, Reading, ReportedMessage } from '../../../contract/reports.ts'
import { type Rejection, rejection } from '../../../contract/rejection.ts'
import { MAX_REPORTS } from '../../../contract/size-limits.ts'
import { type Access, lockStoredSession, selectSessions, updateSessions } from '../visitors/access.ts'
import { findMessagePosition } from '../sessions/branches.ts'
import { changesRows, type Database } from '../engine/database.ts'
import type { ReportsSchema } from '../engine/schema/reports-schema.ts'

/** Readings that a visitor is told about, newest first. */
const MAX_READINGS = 100

type OwnRow = Selectable<ReportsSchema['reports']> & { title: string; author: string | null; reply?: string | null }

export interface ReportOptions {
  lifeMs: number
  /** Masks personal data in a reason. A question keeps it: it says where to reply. */
  mask: (text: string) => string
  /** Whether staff answer messages about prompts. */
  takesQuestions: boolean
  /** Records the deletion of a report that this one replaces, before the commit. */
  onReplaced: (id: string) => Promise<void>
}

/**
 * Hands an answer over to staff, or a prompt that a person should answer. The same report returns the first one; another one of the message
 * replaces it, to be looked at anew.
 */
export async function insertReport(
  database: Database,
  { id: sessionId, access }: { id: string; access: Access },
  { message, scope, messages, reason: given = '' }: NewReport,
  { lifeMs, mask, takesQuestions, onReplaced }: ReportOptions,
): Promise<OwnReport | Rejection> {
  return database.transaction().execute(async (transaction) => {
    // Also locks the session while reports are counted.
    const session = await lockStoredSession(transaction, sessionId, access)
    const found = session && (await findMessagePosition(transaction, sessionId, message))
    if (!session || !found) return rejection('not_found')
    const { position, role: author } = found
    if (author === 'user') {
      if (!takesQuestions) return rejection('not_found')
      // Staff can't answer nothing.
      if (given === '') return rejection('invalid_request')
      // Counts as activity, so that the chat lives as long as after a prompt.
      await updateSessions(transaction, access).set({ updated_at: access.now }).where('id', '=', sessionId).execute()
    }
    const earlier = await transaction
      .selectFrom('reports')
      .selectAll()
      .where('session_id', '=', sessionId)
      .where('position', '=', position)
      .executeTakeFirst()
    const reason = author === 'user' ? given : mask(given)
    const content = { scope, messages: JSON.stringify(messages), reason: reason || null }
    if (earlier && earlier.expires_at > access.now && isSame(earlier, content))
      return ownReportOf({ ...earlier, title: session.title, author })
    // Those without a credential have nothing in common.
    const own = await ownRows(transaction, access, access.owner === null ? sessionId : undefined)
    if (!earlier && own.length >= MAX_REPORTS) return rejection('too_many_reports')
    if (earlier) {
      await transaction.deleteFrom('reports').where('id', '=', earlier.id).execute()
      await onReplaced(earlier.id)
    }
    const rating = await transaction
      .selectFrom('feedback')
      .select('thumb')
      .where('session_id', '=', sessionId)
      .where('position', '=', position)
      .executeTakeFirst()
    const row = {
      id: newReportId(),
      session_id: sessionId,
      position,
      ...content,
      thumb: rating?.thumb ?? null,
      created_at: access.now,
      expires_at: access.now + lifeMs,
      verdict: null,
      fix: null,
      revision: 0,
    }
    await transaction.insertInto('reports').values(row).execute()
    return ownReportOf({ ...row, title: session.title, author })
  })
}

/** The caller's reports, and who has read them or whole chats; newest first. */
export async function listOwnReports(database: Database, access: Access): Promise<OwnReports> {
  const readings = await selectSessions(database, access)
    .innerJoin('readings', 'readings.session_id', 'sessions.id')
    .select(['readings.report_id', 'readings.role', 'readings.read_at', 'sessions.title'])
    .orderBy('readings.read_at', 'desc')
    .orderBy('readings.id')
    .limit(MAX_READINGS)
    .execute()
  return {
    reports: (await ownRows(database, access)).map(ownReportOf),
    readings: readings.map(({ report_id: report, role, read_at: at, title }) => ({
      report: report || null,
      title,
      role,
      at: new Date(at).toISOString(),
    })),
  }
}

/** Deletes a report of the caller. Returns false if there is none. Without a principal, the caller must name its session. */
export async function withdrawReport(database: Database, access: Access, id: string, sessionId?: string): Promise<boolean> {
  if (access.owner === null && sessionId === undefined) return false
  const own = selectSessions(database, access)
    .innerJoin('reports', 'reports.session_id', 'sessions.id')
    .select('reports.id')
    .where('reports.id', '=', id)
    .$if(sessionId !== undefined, (query) => query.where('sessions.id', '=', sessionId as string))
  return changesRows(database.deleteFrom('reports').where('id', 'in', own))
}

/** A random id of a report or correction: 16 hexadecimal digits. */
export function newReportId(): string {
  return randomBytes(8).toString('hex')
}

/** A row of `readings`. Without a report's id, the chat itself was opened. */
export function readingRow(report: { id: string; session_id: string }, role: Reading['role'], now: number) {
  return { id: newReportId(), session_id: report.session_id, report_id: report.id, role, read_at: now }
}

function ownRows(database: Database, access: Access, sessionId?: string): Promise<OwnRow[]> {
  return selectSessions(database, access)
    .innerJoin('reports', 'reports.session_id', 'sessions.id')
    .leftJoin('messages', (join) =>
      join.onRef('messages.session_id', '=', 'reports.session_id').onRef('messages.position', '=', 'reports.position'),
    )
    .leftJoin('corrections', (join) =>
      join.onRef('corrections.session_id', '=', 'reports.session_id').onRef('corrections.position', '=', 'reports.position'),
    )
    .selectAll('reports')
    .select(['sessions.title', 'messages.role as author', 'corrections.text as reply'])
    .where('reports.expires_at', '>', access.now)
    .$if(sessionId !== undefined, (query) => query.where('sessions.id', '=', sessionId as string))
    .orderBy('reports.created_at', 'desc')
    .orderBy('reports.id')
    .limit(MAX_REPORTS)
    .execute()
}

/** A report is about an answer, a question about a prompt. */
export const kindOfReport = (author: string | null) => (author === 'user' ? 'question' : 'problem')

function ownReportOf({ id, author, reply = null, session_id, title, scope, messages, reason, created_at, expires_at }: OwnRow): OwnReport {
  return {
    id,
    kind: kindOfReport(author),
    session: session_id,
    title,
    scope,
    messages: JSON.parse(messages) as ReportedMessage[],
    reason,
    reply: author === 'user' ? reply : null,
    createdAt: new Date(created_at).toISOString(),
    expiresAt: new Date(expires_at).toISOString(),
  }
}

type ReportedContent = Pick<OwnRow, 'scope' | 'messages' | 'reason'>

function isSame(one: ReportedContent, other: ReportedContent): boolean {
  return one.scope === other.scope && one.messages === other.messages && one.reason === other.reason
}
