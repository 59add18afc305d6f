import type { FailedTrials } from '../../../contract/staff/content/trial-answers.ts'
import { type Database, inTransaction } from '../engine/database.ts'
import { readFact, writeFact } from '../engine/installation-facts.ts'

const MAX_FAILED = 50
const KEPT_MS = 30 * 86_400_000

/** A question that staff tried and that got no answer. */
export type FailedTrial = Omit<FailedTrials['trials'][number], 'at'> & { at: number }

/** Failing trials of the last 30 days, newest first; `null` if staff have never tried anything. */
export async function readTrials(database: Database, now: number): Promise<FailedTrial[] | null> {
  const stored = await readFact(database, 'trials')
  return stored === null ? null : (JSON.parse(stored) as FailedTrial[]).filter(({ at }) => at > now - KEPT_MS)
}

/** Records the outcome of a trial. It replaces earlier ones of the same question, so one that is answered now is gone. */
export function recordTrial(database: Database, trial: FailedTrial, isFailed: boolean): Promise<void> {
  const isSame = ({ agent, prompt }: FailedTrial) => agent === trial.agent && prompt.toLowerCase() === trial.prompt.toLowerCase()
  return change(database, trial.at, (trials) => [...(isFailed ? [trial] : []), ...trials.filter((one) => !isSame(one))])
}

export function dismissTrial(database: Database, id: string, now: number): Promise<void> {
  return change(database, now, (trials) => trials.filter((one) => one.id !== id))
}

function change(database: Database, now: number, changed: (trials: FailedTrial[]) => FailedTrial[]): Promise<void> {
  return inTransaction(database, async (transaction) => {
    const trials = (await readTrials(transaction, now)) ?? []
    await writeFact(transaction, 'trials', JSON.stringify(changed(trials).slice(0, MAX_FAILED)))
  })
}
