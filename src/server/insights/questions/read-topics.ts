import type { TopicList } from '../../../contract/staff/questions.ts'
import type { Database } from '../../store/engine/database.ts'
import { readDismissals, readRecentPrompts, readUnanswered } from '../../store/turns/unanswered.ts'
import { findTopics } from './find-topics.ts'

const DAY_MS = 86_400_000
/** How far back prompts are read. */
export const TOPIC_DAYS = 30
/** Prompts that are read for each reason, and chats to compare them with. */
const MAX_PROMPTS = 3_000
const MAX_CHATS = 1_000

/** The topics of what chats contain now: what is deleted is in none of them. */
export async function readTopics(database: Database, { retentionMs, now }: { retentionMs: number; now: number }): Promise<TopicList> {
  const period = { since: now - TOPIC_DAYS * DAY_MS, expiredBefore: now - retentionMs }
  const unanswered = await readUnanswered(database, { ...period, limit: MAX_PROMPTS })
  const recent = await readRecentPrompts(database, { ...period, limit: MAX_CHATS })
  const isComplete = unanswered.length < MAX_PROMPTS
  const since = isComplete ? Math.max(period.since, period.expiredBefore) : null
  const topics = await findTopics({ unanswered, recent, dismissals: await readDismissals(database), since, now })
  return { topics, days: TOPIC_DAYS, isComplete }
}
