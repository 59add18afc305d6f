import { findEvaluation } from './agent-evaluations.ts'
import type { Database } from './database.ts'
import { inTransaction } from './in-transaction.ts'
import { type ManagedText, ManagedTexts, type NewPublication, type Publication, textHash } from './managed-texts.ts'

/** Agents that staff manage, in the format of the files of agents. */
export const MANAGED_AGENTS = new ManagedTexts({
  drafts: 'managed_agents',
  publications: 'agent_publications',
  key: 'agent_id',
  version: 'managed_agents_version',
  max: 50,
})

/** An agent that staff manage, with what it is asked before it is published. */
export interface ManagedAgent extends ManagedText {
  /** Empty text for none; nobody has saved revision 0. */
  cases: { text: string; revision: number; by: string | null; at: number | null }
}

/** A text of an agent, as it is or was in force. */
export interface AgentPublication extends Publication {
  /** Of its latest evaluation when it was published; `null` if it had none. */
  evaluation: { right: number; total: number } | null
}

/** Records a change in its transaction. */
type RecordChange = (transaction: Database) => Promise<void>

/** An agent of the console with its drafts and cases; undefined if there is none. */
export async function readManagedAgent(database: Database, id: string): Promise<ManagedAgent | undefined> {
  const [agent, row] = await Promise.all([
    MANAGED_AGENTS.read(database, id),
    database
      .selectFrom('managed_agents')
      .select(['cases as text', 'cases_revision as revision', 'cases_by as by', 'cases_at as at'])
      .where('id', '=', id)
      .executeTakeFirst(),
  ])
  return agent && row && { ...agent, cases: row }
}

/** Publications of an agent, newest first. */
export async function listAgentPublications(database: Database, id: string): Promise<AgentPublication[]> {
  const [publications, rows] = await Promise.all([
    MANAGED_AGENTS.publications(database, id),
    database.selectFrom('agent_publications').select(['number', 'cases_right', 'cases_total']).where('agent_id', '=', id).execute(),
  ])
  const evaluations = new Map(rows.map(({ number, cases_right: right, cases_total: total }) => [number, { right, total }]))
  return publications.map((publication) => {
    const { right = null, total = null } = evaluations.get(publication.number) ?? {}
    return { ...publication, evaluation: right === null || total === null ? null : { right, total } }
  })
}

/** Saves the cases if nobody else has since `basedOn`; otherwise nothing. */
export async function saveCases(
  database: Database,
  { id, text, basedOn, by, at }: { id: string; text: string; basedOn: number; by: string; at: number },
  record: RecordChange,
): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('managed_agents')
      .set({ cases: text, cases_revision: basedOn + 1, cases_by: by, cases_at: at })
      .where('id', '=', id)
      .where('cases_revision', '=', basedOn)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    await record(transaction)
    return true
  })
}

/** Outcome of a publication. `changed`: the draft has changed, or there is no such agent. */
export type PublishOutcome =
  | { kind: 'published'; number: number }
  | { kind: 'changed' | 'not-evaluated' }
  | { kind: 'failed' /** Names of the cases that are wrong. */; cases: string[] }

/** Puts a text into force. `needsEvaluation`: an agent with cases must have answered all of them right. */
export async function publishAgent(
  database: Database,
  { needsEvaluation, ...publication }: Omit<NewPublication, 'mayPublish'> & { needsEvaluation: boolean },
  record: RecordChange,
): Promise<PublishOutcome> {
  const { id, text } = publication
  let rejected: PublishOutcome = { kind: 'changed' }
  let evaluation: Awaited<ReturnType<typeof findEvaluation>>
  const mayPublish = async (transaction: Database) => {
    const { cases } = await transaction.selectFrom('managed_agents').select('cases').where('id', '=', id).executeTakeFirstOrThrow()
    if (cases === '') return true
    evaluation = await findEvaluation(transaction, { id, textHash: textHash(text), casesHash: textHash(cases) })
    if (!needsEvaluation) return true
    const wrong = evaluation?.cases.filter(({ isRight }) => !isRight).map(({ name }) => name)
    if (wrong?.length === 0) return true
    rejected = wrong ? { kind: 'failed', cases: wrong } : { kind: 'not-evaluated' }
    return false
  }
  const number = await MANAGED_AGENTS.publish(database, { ...publication, mayPublish }, async (transaction, published) => {
    if (evaluation) {
      await transaction
        .updateTable('agent_publications')
        .set({ cases_right: evaluation.right, cases_total: evaluation.total })
        .where('agent_id', '=', id)
        .where('number', '=', published)
        .execute()
    }
    await record(transaction)
  })
  return number === undefined ? rejected : { kind: 'published', number }
}
