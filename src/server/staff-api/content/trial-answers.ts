import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { AnswerState } from '../../../contract/chat/answer-state.ts'
import type { ChatChunk } from '../../../contract/chat/message.ts'
import { ManagedAgentId } from '../../../contract/staff/content/agents.ts'
import { FailedTrials, LivePrompt, TrialId, TrialPrompt } from '../../../contract/staff/content/trial-answers.ts'
import { type AnswerMessages, messageOf } from '../../insights/evaluation/draft-chat.ts'
import { sendEvents } from '../../platform/event-stream.ts'
import { reject } from '../../platform/problems.ts'
import type { Server } from '../../platform/server.ts'
import { newDocumentId } from '../../staff/ids.ts'
import { MANAGED_AGENTS } from '../../store/knowledge/managed-texts.ts'
import { dismissTrial, readTrials, recordTrial } from '../../store/staff/staff-trials.ts'
import { staffOf } from '../authorize.ts'
import type { ConsoleRouteOptions } from '../console-options.ts'
import { rejectStaff } from '../reject-staff.ts'
import { readStaffNames, stampedBy } from '../staff-names.ts'
import { DONE, Done, staffRoutes } from '../staff-route.ts'
import { SearchTestQuery, SearchTestResult } from '../../../contract/staff/content/search-test.ts'

/** Trial answers being written in this process. */
const MAX_RUNNING = 4
/** Trial answers of one person in an hour. */
const MAX_PER_HOUR = 200
const HOUR_MS = 60 * 60 * 1000

/** Counts an answer of a person. Returns a function to call when it has ended; `null` if there are too many. */
type AdmitTrial = (person: string) => (() => void) | null

function trialLimits(now: () => number): AdmitTrial {
  const counts = new Map<string, number>()
  let hour = 0
  let running = 0
  return (person) => {
    const hourNow = Math.floor(now() / HOUR_MS)
    if (hourNow !== hour) counts.clear()
    hour = hourNow
    const count = counts.get(person) ?? 0
    if (running >= MAX_RUNNING || count >= MAX_PER_HOUR) return null
    counts.set(person, count + 1)
    running += 1
    return () => {
      running -= 1
    }
  }
}

const agentRoute = staffRoutes('agents')
const questionRoute = staffRoutes('questions')
const ANSWERED: readonly AnswerState[] = ['answered', 'answered_without_source', 'clarified', 'referred', 'stopped']

/** The search, and answers to staff without a stored chat: of a draft, or as visitors get them now. */
export function trialAnswerRoutes(app: Server, { database, agents, testSearch, now }: ConsoleRouteOptions): void {
  const admit = trialLimits(now)

  app.post(
    '/api/staff/v1/agents/:id/answers',
    agentRoute('change-agents', {
      summary: 'Ask a draft',
      description:
        'Streams the answer as server-sent events, each a chunk of an AI SDK UI message stream. It is counted in the budget; no chat is stored.',
      params: z.object({ id: ManagedAgentId }),
      body: TrialPrompt,
    }),
    async (request, reply) => {
      const { id } = request.params
      const agent = await MANAGED_AGENTS.read(database, id)
      if (!agent) return reject(reply, 'not_found')
      const answer = await agents.trial(id, agent.draft.text)
      return answer ? send(request, reply, answer) : rejectStaff(reply, 'agent_mistaken')
    },
  )

  app.post(
    '/api/staff/v1/trials',
    questionRoute('read-knowledge', {
      summary: 'Ask an agent as a visitor would',
      description: 'Streams the answer like that of a draft. A question that gets no answer is listed for staff for 30 days.',
      body: LivePrompt,
    }),
    async (request, reply) => {
      const { agent, prompt } = request.body
      const answer = agents.live(agent)
      const by = staffOf(request).member.id
      const onEnd = (state: AnswerState) =>
        recordTrial(database, { id: newDocumentId(), agent, prompt, state, by, at: now() }, !ANSWERED.includes(state))
      return answer ? send(request, reply, answer, onEnd) : reject(reply, 'not_found')
    },
  )

  app.get(
    '/api/staff/v1/trials',
    questionRoute('read-knowledge', { summary: 'List questions that staff tried without an answer', reply: FailedTrials }),
    async () => {
      const [trials, nameOf] = await Promise.all([readTrials(database, now()), readStaffNames(database, now())])
      return { trials: (trials ?? []).map(stampedBy(nameOf)) }
    },
  )

  app.delete(
    '/api/staff/v1/trials/:id',
    questionRoute('dismiss-questions', {
      summary: 'Dismiss a question that staff tried',
      params: z.object({ id: TrialId }),
      reply: Done,
    }),
    async ({ params: { id } }) => {
      await dismissTrial(database, id, now())
      return DONE
    },
  )

  app.get(
    '/api/staff/v1/search-test',
    staffRoutes('knowledge')('read-knowledge', {
      summary: 'Test the search of an agent’s knowledge',
      querystring: SearchTestQuery,
      reply: SearchTestResult,
    }),
    async ({ query: { agent, query } }, reply) => (await testSearch(agent, query)) ?? reject(reply, 'not_found'),
  )

  async function send(request: FastifyRequest, reply: FastifyReply, answer: AnswerMessages, onEnd?: (state: AnswerState) => Promise<void>) {
    const { prompt, history } = request.body as z.output<typeof TrialPrompt>
    const leave = admit(staffOf(request).member.id)
    if (!leave) return rejectStaff(reply, 'too_many_trials')
    const messages = [...history.map(({ role, text: earlier }) => messageOf(role, earlier)), messageOf('user', prompt)]
    try {
      return await sendEvents(reply, (signal) => framesOf(answer(messages, signal), onEnd))
    } finally {
      leave()
    }
  }
}

async function* framesOf(chunks: AsyncIterable<ChatChunk>, onEnd?: (state: AnswerState) => Promise<void>): AsyncGenerator<string> {
  for await (const chunk of chunks) {
    const state = 'messageMetadata' in chunk ? chunk.messageMetadata?.state : undefined
    if (state) await onEnd?.(state)
    yield `data: ${JSON.stringify(chunk)}\n\n`
  }
}
