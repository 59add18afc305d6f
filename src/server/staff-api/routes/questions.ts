import { z } from 'zod'
import { TopicId, TopicList } from '../../../contract/staff/questions.ts'
import type { Server } from '../../platform/server.ts'
import { TOPIC_DAYS } from '../../insights/questions/build-topics.ts'
import { readTopics } from '../../insights/questions/read-topics.ts'
import { dismissTopic } from '../../store/turns/unanswered.ts'
import type { ConsoleRouteOptions } from '../console-options.ts'
import { DONE, Done, NOTHING, staffRoutes } from '../staff-route.ts'

const DAY_MS = 86_400_000

/** Questions without an answer, as topics that enough visitors share. */
export function questionRoutes(app: Server, { database, record, now }: ConsoleRouteOptions): void {
  const route = staffRoutes('questions')

  app.get(
    '/api/staff/v1/questions',
    route('read-questions', { summary: 'List topics of questions without an answer', reply: TopicList }),
    () => readTopics(database, now()),
  )

  app.post(
    '/api/staff/v1/questions/:id/dismissal',
    route('dismiss-questions', {
      summary: 'Hide a topic until a later day has it',
      params: z.object({ id: TopicId }),
      body: NOTHING,
      reply: Done,
    }),
    async (request) => {
      const { id } = request.params
      const at = now()
      await dismissTopic(database, { id, now: at, forgotten: at - TOPIC_DAYS * DAY_MS }, record(request, 'topic.dismiss', id))
      return DONE
    },
  )
}
