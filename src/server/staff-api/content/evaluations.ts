import { z } from 'zod'
import { ManagedAgentId } from '../../../contract/staff/content/agents.ts'
import {
  CasesToSave,
  Evaluation,
  EvaluationRequest,
  EvaluationStarted,
  MAX_CASE_PROMPTS,
  MAX_CASES,
} from '../../../contract/staff/content/evaluations.ts'
import { type Case, checkCases, type SetMistake } from '../../insights/evaluation/cases.ts'
import { reject } from '../../platform/problems.ts'
import type { Server } from '../../platform/server.ts'
import { askToStopEvaluation, insertEvaluation, readEvaluation } from '../../store/knowledge/agent-evaluations.ts'
import { MANAGED_AGENTS, textHash } from '../../store/knowledge/managed-texts.ts'
import { evaluationSummary } from '../agent-view.ts'
import { staffOf } from '../authorize.ts'
import type { ConsoleRouteOptions } from '../console-options.ts'
import { rejectStaff } from '../reject-staff.ts'
import { readStaffNames } from '../staff-names.ts'
import { DONE, Done, doneOrMissing, staffRoutes } from '../staff-route.ts'

const CHANGE = { staff: 'change-agents', scopes: ['write:drafts'] } as const
const PATH = '/api/staff/v1/agents/:id'
const params = z.object({ id: ManagedAgentId })
const numbered = z.object({ id: ManagedAgentId, number: z.coerce.number().int().min(1) })
const route = staffRoutes('agents')

export function evaluationRoutes(app: Server, options: ConsoleRouteOptions): void {
  casesRoute(app, options)
  startRoute(app, options)
  evaluationRoute(app, options)
  stopRoute(app, options)
}

function casesRoute(app: Server, { database, record, now }: ConsoleRouteOptions): void {
  app.post(
    `${PATH}/cases`,
    route(CHANGE, { summary: 'Save the cases of an agent', params, body: CasesToSave, reply: Done }),
    async (request, reply) => {
      const { id } = request.params
      const { mistakes } = readAgentCases(id, request.body.text)
      if (mistakes.length > 0) return rejectStaff(reply, 'cases_mistaken', sentencesOf(mistakes))
      const by = staffOf(request).member.id
      const text = request.body.text.trim() === '' ? '' : request.body.text
      const saved = { ...request.body, id, text, by, at: now() }
      const isSaved = await MANAGED_AGENTS.saveCases(database, saved, record(request, 'agent.save-cases', `${id} ${textHash(text)}`))
      if (isSaved) return DONE
      return (await MANAGED_AGENTS.read(database, id)) ? rejectStaff(reply, 'changed_meanwhile') : reject(reply, 'not_found')
    },
  )
}

function startRoute(app: Server, { database, agents, evaluations, record, now }: ConsoleRouteOptions): void {
  app.post(
    `${PATH}/evaluations`,
    route(CHANGE, {
      summary: 'Evaluate a draft on the agent’s cases',
      description: 'Asks the draft every case, as a visitor would. Answers are counted in the budget, and no chat is stored.',
      params,
      body: EvaluationRequest,
      reply: EvaluationStarted,
    }),
    async (request, reply) => {
      const { id } = request.params
      const agent = await MANAGED_AGENTS.read(database, id)
      if (!agent) return reject(reply, 'not_found')
      const { draft } = agent
      if (draft.revision !== request.body.revision) return rejectStaff(reply, 'changed_meanwhile')
      const { cases, mistakes } = readAgentCases(id, agent.cases.text)
      if (mistakes.length > 0) return rejectStaff(reply, 'cases_mistaken', sentencesOf(mistakes))
      if (cases.length === 0) return rejectStaff(reply, 'no_cases')
      const answer = await agents.trial(id, draft.text)
      if (!answer) return rejectStaff(reply, 'agent_mistaken')
      const place = evaluations.reserve()
      if (!place) return rejectStaff(reply, 'too_many_evaluations')
      try {
        const by = staffOf(request).member.id
        const hashes = { textHash: textHash(draft.text), casesHash: textHash(agent.cases.text) }
        const number = await insertEvaluation(
          database,
          { id, ...hashes, total: cases.length, by, at: now() },
          record(request, 'agent.evaluate', `${id} ${hashes.textHash}`),
        )
        if (number === 'running') return rejectStaff(reply, 'evaluation_running')
        if (number === 'changed') return rejectStaff(reply, 'changed_meanwhile')
        place.run({ id, number, cases, answer })
        return { number }
      } finally {
        place.release()
      }
    },
  )
}

function evaluationRoute(app: Server, { database, now }: ConsoleRouteOptions): void {
  app.get(
    `${PATH}/evaluations/:number`,
    route({ staff: 'read-agents', scopes: ['write:drafts'] }, { summary: 'Retrieve an evaluation', params: numbered, reply: Evaluation }),
    async (request, reply) => {
      const { id, number } = request.params
      const [agent, evaluation, whoIs] = await Promise.all([
        MANAGED_AGENTS.read(database, id),
        readEvaluation(database, id, number, now()),
        readStaffNames(database, now()),
      ])
      if (!agent || !evaluation) return reject(reply, 'not_found')
      return { ...evaluationSummary(evaluation, agent, whoIs), cases: evaluation.cases }
    },
  )
}

function stopRoute(app: Server, { database }: ConsoleRouteOptions): void {
  app.delete(
    `${PATH}/evaluations/:number`,
    route(CHANGE, { summary: 'Stop an evaluation', params: numbered, reply: Done }),
    async (request, reply) => {
      const { id, number } = request.params
      return doneOrMissing(reply, await askToStopEvaluation(database, id, number))
    },
  )
}

const MAX_SENTENCES = 10

function sentencesOf(mistakes: readonly SetMistake[]): string {
  const sentences = mistakes.slice(0, MAX_SENTENCES).map(({ line, message }) => `Line ${line}: ${message}.`)
  return sentences.join(' ')
}

/** The cases of a managed agent: a set of the evaluator, without what only its command can do. An empty text has none. */
function readAgentCases(id: string, text: string): { cases: Case[]; mistakes: SetMistake[] } {
  if (text.trim() === '') return { cases: [], mistakes: [] }
  const { cases, mistakes } = checkCases(text)
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
