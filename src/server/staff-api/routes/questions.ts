import { z } from 'zod'
import { TopicDismissed, TopicId, TopicList, TopicSearch, TopicSearchQuery } from '../../../contract/staff/questions.ts'
import { reject } from '../../platform/problems.ts'
import type { Server } from '../../platform/server.ts'
import { TOPIC_DAYS } from '../../insights/questions/build-topics.ts'
import { readTopics } from '../../insights/questions/read-topics.ts'
import { topicQuery, topicSearch } from '../../insights/questions/topic-search.ts'
import { dismissTopic } from '../../store/turns/unanswered.ts'
import { staffOf } from '../authorize.ts'
import type { ConsoleRouteOptions } from '../console-options.ts'
import { staffRoute } from '../staff-route.ts'

const DAY_MS = 86_400_000

/** Questions without an answer, as topics that enough visitors share. */
export function questionRoutes(app: Server, { database, audit, testSearch, now }: ConsoleRouteOptions): void {
  const tags = ['questions']
  const read = () => readTopics(database, now())

  app.get(
    '/api/staff/v1/questions',
    staffRoute({ summary: 'List topics of questions without an answer', tags, reply: TopicList }, { staff: 'read-questions' }),
    read,
  )

  app.get(
    '/api/staff/v1/questions/:id/passages',
    // Tokens that read topics read no knowledge.
    staffRoute(
      {
        summary: 'List the passages that are nearest to a topic, with why they don’t answer it',
        tags,
        querystring: TopicSearchQuery,
        params: z.object({ id: TopicId }),
        reply: TopicSearch,
      },
      { staff: 'read-knowledge' },
    ),
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
    staffRoute(
      {
        summary: 'Hide a topic until a later day has it',
        tags,
        params: z.object({ id: TopicId }),
        body: z.strictObject({}),
        reply: TopicDismissed,
      },
      { staff: 'dismiss-questions' },
    ),
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
