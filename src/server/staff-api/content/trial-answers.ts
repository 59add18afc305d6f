import { z } from 'zod'
import type { ChatChunk } from '../../../contract/chat/message.ts'
import { ManagedAgentId } from '../../../contract/staff/content/agents.ts'
import { StaffProblem } from '../../../contract/staff/problems.ts'
import { TrialPrompt } from '../../../contract/staff/content/trial-answers.ts'
import { messageOf } from '../../insights/evaluation/draft-chat.ts'
import { sendEvents } from '../../platform/event-stream.ts'
import { reject } from '../../platform/problems.ts'
import type { Server } from '../../platform/server.ts'
import { MANAGED_AGENTS } from '../../store/knowledge/managed-texts.ts'
import { staffOf } from '../authorize.ts'
import type { ConsoleRouteOptions } from '../console-options.ts'
import { rejectStaff } from '../reject-staff.ts'
import { TrialLimits } from '../trial-limits.ts'

/** Answers of a draft or a version to staff, without a stored chat. */
export function trialAnswerRoute(app: Server, { database, agents, now }: ConsoleRouteOptions): void {
  const limits = new TrialLimits(now)
  app.post(
    '/api/staff/v1/agents/:id/answers',
    {
      schema: {
        summary: 'Ask a draft or a version',
        description:
          'Streams the answer as server-sent events, each a chunk of an AI SDK UI message stream. It is counted in the budget; no chat is stored.',
        tags: ['agents'],
        querystring: z.strictObject({}),
        params: z.object({ id: ManagedAgentId }),
        body: TrialPrompt,
        response: { default: StaffProblem },
      },
      config: { staff: 'change-agents' },
    },
    async (request, reply) => {
      const { id } = request.params
      const { version, prompt, history } = request.body
      const text =
        version === 'draft'
          ? (await MANAGED_AGENTS.read(database, id))?.draft.text
          : (await MANAGED_AGENTS.publication(database, id, version))?.text
      if (text === undefined) return reject(reply, 'not_found')
      const answer = await agents.trial(id, text)
      if (!answer) return rejectStaff(reply, 'agent_mistaken')
      const leave = limits.admit(staffOf(request).member.id)
      if (!leave) return rejectStaff(reply, 'too_many_trials')
      const messages = [...history.map(({ role, text: earlier }) => messageOf(role, earlier)), messageOf('user', prompt)]
      try {
        return await sendEvents(reply, (signal) => framesOf(answer(messages, signal)))
      } finally {
        leave()
      }
    },
  )
}

async function* framesOf(chunks: AsyncIterable<ChatChunk>): AsyncGenerator<string> {
  for await (const chunk of chunks) yield `data: ${JSON.stringify(chunk)}\n\n`
}
