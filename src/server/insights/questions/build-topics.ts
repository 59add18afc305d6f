import { MIN_VISITORS } from '../../../contract/staff/questions.ts'
import type { Database } from '../../store/engine/database.ts'
import type { TopicsOutcome } from '../../store/engine/schema/figures-schema.ts'
import { readRecentPrompts, readUnanswered } from '../../store/turns/unanswered.ts'
import { findTopics } from './find-topics.ts'

const DAY_MS = 86_400_000
/** How long the topics of a day are shown. */
export const TOPIC_DAYS = 30
/** Prompts that are read for each reason, and chats to compare them with. */
const MAX_PROMPTS = 3_000
const MAX_CHATS = 1_000

interface DayToRead {
  /** ISO date, UTC. */
  day: string
  /** Hashes of the networks of the day's visitors; `null` for unknown ones. */
  networks: readonly (string | null)[]
  networkOf: (owner: string) => string | null
  retentionMs: number
  now: number
}

/** Builds the topics of a day that is over, from what is stored of it now. */
export async function buildTopics(
  database: Database,
  { day, networks, networkOf, retentionMs, now }: DayToRead,
): Promise<{ topics: string; outcome: TopicsOutcome }> {
  if (networks.length >= MIN_VISITORS && new Set(networks).size === 1) return { topics: '[]', outcome: 'one_network' }
  const since = Date.parse(day)
  const period = { since, before: since + DAY_MS, expiredBefore: now - retentionMs }
  const unanswered = await readUnanswered(database, { ...period, limit: MAX_PROMPTS })
  const topics = await findTopics(
    unanswered.map((prompt) => ({ ...prompt, network: networkOf(prompt.owner) })),
    await readRecentPrompts(database, { ...period, limit: MAX_CHATS }),
  )
  return { topics: JSON.stringify(topics), outcome: topics.length > 0 ? 'topics' : 'not_enough' }
}
