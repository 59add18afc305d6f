import { randomBytes } from 'node:crypto'
import type { TopicOfDay } from '../../src/server/insights/questions/find-topics.ts'
import { runSql } from './run-sql.ts'
import type { TestServer } from './server.ts'

const DAY_MS = 86_400_000
let stored = 0

/** Stores a topic, a day earlier each time, as if five visitors had got no answer about it on that day. */
export async function storeTopic(server: TestServer, phrase: string): Promise<void> {
  stored += 1
  const day = new Date(Date.now() - stored * DAY_MS).toISOString().slice(0, 10)
  const topic: TopicOfDay = {
    id: randomBytes(8).toString('hex'),
    phrases: [phrase],
    words: [],
    visitors: 5,
    prompts: 5,
    notCovered: 5,
    ratedDown: 0,
    languages: [],
  }
  await runSql(server, `INSERT INTO daily_topics (day, topics, outcome) VALUES ('${day}', '${JSON.stringify([topic])}', 'topics')`)
}
