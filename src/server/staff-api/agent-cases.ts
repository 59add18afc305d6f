import { MAX_CASE_PROMPTS, MAX_CASES } from '../../contract/staff/content/evaluations.ts'
import { type Case, checkCases, type SetMistake } from '../insights/evaluation/cases.ts'

/** The cases of a managed agent: a set of the evaluator, without what only its command can do. An empty text has none. */
export function readAgentCases(id: string, text: string): { cases: Case[]; mistakes: SetMistake[] } {
  if (text.trim() === '') return { cases: [], mistakes: [] }
  const { cases, mistakes } = checkCases(text, 'cases.yaml')
  const more = cases.flatMap((one, index) =>
    caseMistakes(id, one).map((message) => ({ line: 1, message: `case ${index + 1}: ${message}` })),
  )
  const prompts = cases.reduce((sum, { turns }) => sum + turns.length, 0)
  const tooMany = [
    ...(cases.length > MAX_CASES ? [{ line: 1, message: `has ${cases.length} cases, which is more than ${MAX_CASES}` }] : []),
    ...(prompts > MAX_CASE_PROMPTS ? [{ line: 1, message: `has ${prompts} prompts, which is more than ${MAX_CASE_PROMPTS}` }] : []),
  ]
  return { cases, mistakes: [...mistakes, ...more, ...tooMany] }
}

function caseMistakes(id: string, { agent, turns }: Case): string[] {
  return [
    ...(agent !== null && agent !== id ? [`agent must be ${id}, or be left out`] : []),
    ...(turns.some(({ judge }) => judge) ? ['judge needs a judging model, which only parley eval has'] : []),
  ]
}
