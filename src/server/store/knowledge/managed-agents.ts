import { findEvaluation } from './agent-evaluations.ts'
import type { Database } from '../engine/database.ts'
import { MANAGED_AGENTS, type NewPublication, textHash } from './managed-texts.ts'
import type { RecordChange } from '../staff/audit-log.ts'

/** Outcome of a publication. `changed`: the draft has changed, or there is no such agent. */
export type PublishOutcome =
  | { kind: 'published'; number: number }
  | { kind: 'changed' | 'not-evaluated' }
  | { kind: 'failed' /** Names of the cases that are wrong. */; cases: string[] }

/** Puts a text into force. `needsEvaluation`: an agent with cases must have answered all of them right. */
export async function publishAgent(
  database: Database,
  { needsEvaluation, ...publication }: Omit<NewPublication, 'admit'> & { needsEvaluation: boolean },
  record: RecordChange,
): Promise<PublishOutcome> {
  const { id, text } = publication
  let rejected: PublishOutcome = { kind: 'changed' }
  const admit = async (transaction: Database) => {
    const cases = (await MANAGED_AGENTS.read(transaction, id))?.cases.text ?? ''
    if (cases === '') return null
    const evaluation = await findEvaluation(transaction, { id, textHash: textHash(text), casesHash: textHash(cases) })
    const wrong = evaluation?.cases.filter(({ isRight }) => !isRight).map(({ name }) => name)
    if (!needsEvaluation || wrong?.length === 0) return evaluation ?? null
    rejected = wrong ? { kind: 'failed', cases: wrong } : { kind: 'not-evaluated' }
    return false
  }
  const number = await MANAGED_AGENTS.publish(database, { ...publication, admit }, record)
  return number === undefined ? rejected : { kind: 'published', number }
}
