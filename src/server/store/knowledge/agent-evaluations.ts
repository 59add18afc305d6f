import {
  type EvaluatedCase,
  type EvaluationStatus,
  type EvaluationSummary,
  MAX_EVALUATIONS,
} from '../../../contract/staff/content/evaluations.ts'
import { changesRows, type Database } from '../engine/database.ts'
import type { RecordChange } from '../staff/audit-log.ts'
import { textHash as hashOf } from './managed-texts.ts'

/** A process that hasn't written for so long is taken for dead. */
export const EVALUATION_LEASE_MS = 30_000

/** Without the results, which may be large. */
const SUMMARY = [
  'number',
  'text_hash as textHash',
  'cases_hash as casesHash',
  'status',
  'total',
  'asked',
  'right_count as right',
  'started_by as by',
  'started_at as startedAt',
  'seen_at as seenAt',
  'ended_at as endedAt',
] as const

export type AgentEvaluation = Omit<EvaluationSummary, 'hash' | 'isCurrent' | 'startedAt' | 'endedAt'> & {
  textHash: string
  casesHash: string
  startedAt: number
  endedAt: number | null
}

export interface NewEvaluation {
  id: string
  textHash: string
  casesHash: string
  total: number
  by: string
  at: number
}

/** Begins an evaluation. Returns its number; `running` if one runs, `changed` if there is no such agent or its draft or cases have changed. */
export async function insertEvaluation(
  database: Database,
  { id, textHash, casesHash, total, by, at }: NewEvaluation,
  record: RecordChange,
): Promise<number | 'running' | 'changed'> {
  return database.transaction().execute(async (transaction) => {
    const agent = await lockAgent(transaction, id)
    if (!agent || hashOf(agent.draft) !== textHash || hashOf(agent.cases) !== casesHash) return 'changed'
    const rows = await transaction
      .selectFrom('agent_evaluations')
      .select(['number', 'status', 'seen_at'])
      .where('agent_id', '=', id)
      .orderBy('number', 'desc')
      .execute()
    if (rows.some(({ status, seen_at }) => status === 'running' && seen_at > at - EVALUATION_LEASE_MS)) return 'running'
    const number = (rows[0]?.number ?? 0) + 1
    await transaction
      .insertInto('agent_evaluations')
      .values({
        agent_id: id,
        number,
        text_hash: textHash,
        cases_hash: casesHash,
        status: 'running',
        total,
        results: '',
        started_by: by,
        started_at: at,
        seen_at: at,
        ended_at: null,
      })
      .execute()
    await transaction
      .deleteFrom('agent_evaluations')
      .where('agent_id', '=', id)
      .where('number', '<=', number - MAX_EVALUATIONS)
      .execute()
    await record(transaction)
    return number
  })
}

/** Locks an agent against publications and other changes until the transaction ends. */
async function lockAgent(transaction: Database, id: string): Promise<{ draft: string; cases: string } | undefined> {
  return transaction
    .updateTable('managed_texts')
    .set(({ ref }) => ({ cases_revision: ref('cases_revision') }))
    .where('kind', '=', 'agent')
    .where('id', '=', id)
    .returning(['draft', 'cases'])
    .executeTakeFirst()
}

/** Writes how far an evaluation is. Returns whether it must stop: it was asked to, or is gone. */
export async function touchEvaluation(
  database: Database,
  { id, number, asked, at }: { id: string; number: number; asked: number; at: number },
): Promise<boolean> {
  const row = await database
    .updateTable('agent_evaluations')
    .set({ asked, seen_at: at })
    .where('agent_id', '=', id)
    .where('number', '=', number)
    .where('status', '=', 'running')
    .returning('is_stop_asked')
    .executeTakeFirst()
  return row?.is_stop_asked !== 0
}

export async function endEvaluation(
  database: Database,
  end: { id: string; number: number; status: EvaluationStatus; asked: number; cases: readonly EvaluatedCase[]; at: number },
): Promise<void> {
  await database
    .updateTable('agent_evaluations')
    .set({
      status: end.status,
      asked: end.asked,
      right_count: end.cases.filter(({ isRight }) => isRight).length,
      results: JSON.stringify(end.cases),
      seen_at: end.at,
      ended_at: end.at,
    })
    .where('agent_id', '=', end.id)
    .where('number', '=', end.number)
    .execute()
}

/** Asks the process that runs it to stop an evaluation; `false` if it doesn't run. */
export async function askToStopEvaluation(database: Database, id: string, number: number): Promise<boolean> {
  return changesRows(
    database
      .updateTable('agent_evaluations')
      .set({ is_stop_asked: 1 })
      .where('agent_id', '=', id)
      .where('number', '=', number)
      .where('status', '=', 'running'),
  )
}

/** Evaluations of an agent, newest first; one whose process is dead is `interrupted`. */
export async function listEvaluations(database: Database, id: string, now: number): Promise<AgentEvaluation[]> {
  const rows = await database
    .selectFrom('agent_evaluations')
    .select(SUMMARY)
    .where('agent_id', '=', id)
    .orderBy('number', 'desc')
    .limit(MAX_EVALUATIONS)
    .execute()
  return rows.map((row) => evaluationOf(row, now))
}

/** An evaluation with the results of its cases, of which there are none until it has ended. */
export async function readEvaluation(
  database: Database,
  id: string,
  number: number,
  now: number,
): Promise<(AgentEvaluation & { cases: EvaluatedCase[] }) | undefined> {
  const row = await database
    .selectFrom('agent_evaluations')
    .select([...SUMMARY, 'results'])
    .where('agent_id', '=', id)
    .where('number', '=', number)
    .executeTakeFirst()
  if (!row) return undefined
  const { results, ...evaluation } = row
  return { ...evaluationOf(evaluation, now), cases: casesOf({ results }) }
}

/** The latest complete evaluation of a text on these cases. */
export async function findEvaluation(
  database: Database,
  { id, textHash, casesHash }: Pick<NewEvaluation, 'id' | 'textHash' | 'casesHash'>,
): Promise<{ right: number; total: number; cases: EvaluatedCase[] } | undefined> {
  const row = await database
    .selectFrom('agent_evaluations')
    .select(['right_count as right', 'total', 'results'])
    .where('agent_id', '=', id)
    .where('text_hash', '=', textHash)
    .where('cases_hash', '=', casesHash)
    .where('status', '=', 'done')
    .orderBy('number', 'desc')
    .executeTakeFirst()
  return row && { right: row.right, total: row.total, cases: casesOf(row) }
}

function evaluationOf({ seenAt, ...row }: AgentEvaluation & { seenAt: number }, now: number): AgentEvaluation {
  const isDead = row.status === 'running' && seenAt <= now - EVALUATION_LEASE_MS
  return isDead ? { ...row, status: 'interrupted', endedAt: seenAt } : row
}

function casesOf({ results }: { results: string }): EvaluatedCase[] {
  return results === '' ? [] : (JSON.parse(results) as EvaluatedCase[])
}
