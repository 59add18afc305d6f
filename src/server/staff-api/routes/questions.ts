import { z } from 'zod'
import { TopicDismissed, TopicId, TopicList, TopicSearch, TopicSearchQuery } from '../../../contract/staff/questions.ts'
import { reject } from '../../platform/problems.ts'
import type { Server } from '../../platform/server.ts'
import { TOPIC_DAYS } from '../../insights/questions/build-topics.ts'
import { readTopics } from '../../insights/questions/read-topics.ts'
import { topicQuery, topicSearch } from '../../insights/questions/topic-search.ts'
import { dismissTopic } from '../../store/turns/unanswered.ts'
import type { ConsoleRouteOptions } from '../console-options.ts'
import { NOTHING, staffRoutes } from '../staff-route.ts'

const DAY_MS = 86_400_000

/** Questions without an answer, as topics that enough visitors share. */
export function questionRoutes(app: Server, { database, record, testSearch, now }: ConsoleRouteOptions): void {
  const route = staffRoutes('questions')
  const read = () => readTopics(database, now())

  app.get(
    '/api/staff/v1/questions',
    route('read-questions', { summary: 'List topics of questions without an answer', reply: TopicList }),
    read,
  )

  app.get(
    '/api/staff/v1/questions/:id/passages',
    // Tokens that read topics read no knowledge.
    route('read-knowledge', {
      summary: 'List the passages that are nearest to a topic, with why they don’t answer it',
      querystring: TopicSearchQuery,
      params: z.object({ id: TopicId }),
      reply: TopicSearch,
    }),
    async ({ params: { id }, query: { agent } }, reply) => {
      const topic = (await read()).topics.find((one) => one.id === id)
      if (!topic) return reject(reply, 'not_found')
      const query = topicQuery(topic)
      const found = await testSearch(agent, query)
      return found ? topicSearch(query, found) : reject(reply, 'not_found')
    },
  )

  app.post(
    '/api/staff/v1/questions/:id/dismissal',
    route('dismiss-questions', {
      summary: 'Hide a topic until a later day has it',
      params: z.object({ id: TopicId }),
      body: NOTHING,
      reply: TopicDismissed,
    }),
    async (request) => {
      const { id } = request.params
      const at = now()
      await dismissTopic(database, { id, now: at, forgotten: at - TOPIC_DAYS * DAY_MS }, record(request, 'topic.dismiss', id))
      return { dismissed: true as const }
    },
  )
}
