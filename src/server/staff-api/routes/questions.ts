import { z } from 'zod'
import { StaffProblem } from '../../../contract/staff/problems.ts'
import { TopicDismissed, TopicId, TopicList, TopicSearch, TopicSearchQuery } from '../../../contract/staff/questions.ts'
import { reject } from '../../platform/problems.ts'
import type { Server } from '../../platform/server.ts'
import { TOPIC_DAYS } from '../../insights/questions/build-topics.ts'
import { readTopics } from '../../insights/questions/read-topics.ts'
import { topicQuery, topicSearch } from '../../insights/questions/topic-search.ts'
import { dismissTopic } from '../../store/turns/unanswered.ts'
import { staffOf } from '../authorize.ts'
import type { ConsoleRouteOptions } from '../console-options.ts'

const DAY_MS = 86_400_000
const querystring = z.strictObject({})

/** Questions without an answer, as topics that enough visitors share. */
export function questionRoutes(app: Server, { database, audit, testSearch, now }: ConsoleRouteOptions): void {
  const tags = ['questions']
  const read = () => readTopics(database, now())

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
    read,
  )

  app.get(
    '/api/staff/v1/questions/:id/passages',
    {
      schema: {
        summary: 'List the passages that are nearest to a topic, with why they don’t answer it',
        tags,
        querystring: TopicSearchQuery,
        params: z.object({ id: TopicId }),
        response: { 200: TopicSearch, default: StaffProblem },
      },
      // Tokens that read topics read no knowledge.
      config: { staff: 'read-knowledge' },
    },
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
    {
      schema: {
        summary: 'Hide a topic until a later day has it',
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
