import { z } from 'zod'
import { ManagedAgentId } from '../../../contract/staff/content/agents.ts'
import { CasesToSave, Evaluation, EvaluationRequest, EvaluationStarted } from '../../../contract/staff/content/evaluations.ts'
import { TextChanged } from '../../../contract/staff/content/managed-texts.ts'
import type { SetMistake } from '../../insights/evaluation/cases.ts'
import { reject } from '../../platform/problems.ts'
import type { Server } from '../../platform/server.ts'
import { askToStopEvaluation, insertEvaluation, readEvaluation } from '../../store/knowledge/agent-evaluations.ts'
import { MANAGED_AGENTS, textHash } from '../../store/knowledge/managed-texts.ts'
import { readAgentCases } from '../agent-cases.ts'
import { evaluationSummary } from '../agent-view.ts'
import { staffOf } from '../authorize.ts'
import type { ConsoleRouteOptions } from '../console-options.ts'
import { rejectStaff } from '../reject-staff.ts'
import { readStaffNames } from '../staff-names.ts'
import { staffRoute } from '../staff-route.ts'

const PATH = '/api/staff/v1/agents/:id'
const params = z.object({ id: ManagedAgentId })
const numbered = z.object({ id: ManagedAgentId, number: z.coerce.number().int().min(1) })
const tags = ['agents']
const changed = { changed: true as const }

export function evaluationRoutes(app: Server, options: ConsoleRouteOptions): void {
  casesRoute(app, options)
  startRoute(app, options)
  evaluationRoute(app, options)
  stopRoute(app, options)
}

function casesRoute(app: Server, { database, audit, now }: ConsoleRouteOptions): void {
  app.post(
    `${PATH}/cases`,
    staffRoute(
      { summary: 'Save the cases of an agent', tags, params, body: CasesToSave, reply: TextChanged },
      { staff: 'change-agents', scopes: ['write:drafts'] },
    ),
    async (request, reply) => {
      const { id } = request.params
      const { mistakes } = readAgentCases(id, request.body.text)
      if (mistakes.length > 0) return rejectStaff(reply, 'cases_mistaken', sentencesOf(mistakes))
      const by = staffOf(request).member.id
      const text = request.body.text.trim() === '' ? '' : request.body.text
      const record = { actor: by, action: 'agent.save-cases', target: `${id} ${textHash(text)}` } as const
      const isSaved = await MANAGED_AGENTS.saveCases(database, { ...request.body, id, text, by, at: now() }, (transaction) =>
        audit.append(transaction, { at: now(), ...record }),
      )
      if (isSaved) return changed
      return (await MANAGED_AGENTS.read(database, id)) ? rejectStaff(reply, 'cases_changed') : reject(reply, 'not_found')
    },
  )
}

function startRoute(app: Server, { database, agents, evaluations, audit, now }: ConsoleRouteOptions): void {
  app.post(
    `${PATH}/evaluations`,
    staffRoute(
      {
        summary: 'Evaluate a draft on the agent’s cases',
        description: 'Asks the draft every case, as a visitor would. Answers are counted in the budget, and no chat is stored.',
        tags,
        params,
        body: EvaluationRequest,
        reply: EvaluationStarted,
      },
      { staff: 'change-agents', scopes: ['write:drafts'] },
    ),
    async (request, reply) => {
      const { id } = request.params
      const agent = await MANAGED_AGENTS.read(database, id)
      if (!agent) return reject(reply, 'not_found')
      const { draft } = agent
      if (draft.revision !== request.body.revision) return rejectStaff(reply, 'agent_changed')
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
          (stored) => stored.draft === draft.text && stored.cases === agent.cases.text,
          (transaction) =>
            audit.append(transaction, { at: now(), actor: by, action: 'agent.evaluate', target: `${id} ${hashes.textHash}` }),
        )
        if (number === 'running') return rejectStaff(reply, 'evaluation_running')
        if (number === 'changed') return rejectStaff(reply, 'agent_changed')
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
    staffRoute(
      { summary: 'Retrieve an evaluation', tags, params: numbered, reply: Evaluation },
      { staff: 'read-agents', scopes: ['write:drafts'] },
    ),
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
    staffRoute(
      { summary: 'Stop an evaluation', tags, params: numbered, reply: TextChanged },
      { staff: 'change-agents', scopes: ['write:drafts'] },
    ),
    async (request, reply) => {
      const { id, number } = request.params
      return (await askToStopEvaluation(database, id, number)) ? changed : reject(reply, 'not_found')
    },
  )
}

const MAX_SENTENCES = 10

function sentencesOf(mistakes: readonly SetMistake[]): string {
  const sentences = mistakes.slice(0, MAX_SENTENCES).map(({ line, message }) => `Line ${line}: ${message}.`)
  return sentences.join(' ')
}
