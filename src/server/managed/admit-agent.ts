import { findEvaluation } from '../store/knowledge/agent-evaluations.ts'
import type { Database } from '../store/engine/database.ts'
import { MANAGED_AGENTS, type Publication, textHash } from '../store/knowledge/managed-texts.ts'
import type { Publishing, Rejection } from './managed-life.ts'

const MAX_NAMED = 10

/** The evaluation of the text on the agent's cases, all of which it must have answered right where that `needsEvaluation`. */
export async function admitAgent(
  transaction: Database,
  { id, text, needsEvaluation }: Pick<Publishing, 'id' | 'text' | 'needsEvaluation'>,
): Promise<Publication['evaluation'] | Rejection> {
  const cases = (await MANAGED_AGENTS.read(transaction, id))?.cases.text ?? ''
  if (cases === '') return null
  const evaluation = await findEvaluation(transaction, { id, textHash: textHash(text), casesHash: textHash(cases) })
  const wrong = evaluation?.cases.filter(({ isRight }) => !isRight).map(({ name }) => name)
  if (!needsEvaluation || wrong?.length === 0) return evaluation ?? null
  return wrong ? { rejected: 'evaluation_failed', detail: `Wrong: ${listOf(wrong)}.` } : { rejected: 'agent_not_evaluated' }
}

function listOf(names: readonly string[]): string {
  const named = names.slice(0, MAX_NAMED).map((name) => `“${name.slice(0, 100)}”`)
  return [...named, ...(names.length > MAX_NAMED ? [`${names.length - MAX_NAMED} more`] : [])].join(', ')
}
