import { z } from 'zod'
import { StaffProblem } from '../../../contract/staff/problems.ts'
import { TopicDismissed, TopicId, TopicList } from '../../../contract/staff/questions.ts'
import type { Server } from '../../http/server.ts'
import { readTopics, TOPIC_DAYS } from '../../questions/read-topics.ts'
import { dismissTopic } from '../../store/unanswered.ts'
import { staffOf } from '../authorize.ts'
import type { ConsoleRouteOptions } from '../console-options.ts'

const DAY_MS = 86_400_000
const querystring = z.strictObject({})

/** Questions without an answer, as topics that enough visitors share. */
export function questionRoutes(app: Server, { database, audit, retentionMs, now }: ConsoleRouteOptions): void {
  const tags = ['questions']
  let reading: Promise<TopicList> | null = null

  app.get(
    '/api/staff/v1/questions',
    {
      schema: {
        summary: 'List topics of questions without an answer',
        tags,
        querystring,
        response: { 200: TopicList, default: StaffProblem },
      },
      config: { staff: 'read-questions' },
    },
    () => {
      // Callers at the same time share one reading.
      reading ??= readTopics(database, { retentionMs, now: now() }).finally(() => {
        reading = null
      })
      return reading
    },
  )

  app.post(
    '/api/staff/v1/questions/:id/dismissal',
    {
      schema: {
        summary: 'Hide a topic until it is asked about again',
        tags,
        querystring,
        params: z.object({ id: TopicId }),
        body: z.strictObject({}),
        response: { 200: TopicDismissed, default: StaffProblem },
      },
      config: { staff: 'dismiss-questions' },
    },
    async (request) => {
      const { id } = request.params
      const actor = staffOf(request).member.id
      const at = now()
      await dismissTopic(database, { id, now: at, forgotten: at - TOPIC_DAYS * DAY_MS }, (transaction) =>
        audit.append(transaction, { at, actor, action: 'topic.dismiss', target: id }),
      )
      return { dismissed: true as const }
    },
  )
}
