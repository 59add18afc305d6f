import { z } from 'zod'
import { SessionId } from '../../contract/chat/chat.ts'
import { Feedback, GiveFeedbackBody } from '../../contract/chat/feedback.ts'
import { Problem } from '../../contract/problem.ts'
import { OwnerQuery } from '../../contract/rights.ts'
import { textMasker } from '../../personal-data/text-masker.ts'
import { giveFeedback } from '../store/turns/feedback.ts'
import { reject } from '../platform/problems.ts'
import type { Server } from '../platform/server.ts'
import { sessionAgent } from './requests/session-agent.ts'
import type { RouteOptions } from './route-options.ts'

export function feedbackRoutes(app: Server, { database, agents, limits, embedOf, onFeedback, onVisitor }: RouteOptions): void {
  const schema = {
    summary: 'Give, change or withdraw feedback on an answer',
    tags: ['sessions'],
    params: z.object({ key: SessionId }),
    querystring: OwnerQuery,
    body: GiveFeedbackBody,
    response: { 200: z.object({ feedback: Feedback.nullable() }), default: Problem },
  }
  app.post('/api/v1/sessions/:key/feedback', { schema, config: { caller: 'query' } }, async (request, reply) => {
    const { message, thumb, reason } = request.body
    const { personalData } = await sessionAgent({ database, agents }, request.caller, request.params.key)
    const feedback = thumb && { thumb, ...(reason && { reason: textMasker(personalData)(reason) }) }
    const session = { id: request.params.key, access: request.caller.access }
    const given = await giveFeedback(database, session, message, feedback)
    if (!given) return reject(reply, 'not_found')
    const owner = session.access.owner ?? session.id
    onVisitor?.(owner, limits.networkName(request))
    onFeedback?.(given, { owner, embed: embedOf(request) })
    return { feedback }
  })
}
