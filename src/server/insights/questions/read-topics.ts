import type { Topic, TopicList } from '../../../contract/staff/questions.ts'
import type { Database } from '../../store/engine/database.ts'
import { readDailyTopics } from '../../store/staff/figures.ts'
import { readDismissals } from '../../store/turns/unanswered.ts'
import { TOPIC_DAYS } from './build-topics.ts'
import type { TopicOfDay } from './find-topics.ts'

const DAY_MS = 86_400_000

/** The topics of the last days, each as it was on the last day that had it, unless it was dismissed since. */
export async function readTopics(database: Database, now: number): Promise<TopicList> {
  const days = await readDailyTopics(database, dayOf(now - TOPIC_DAYS * DAY_MS))
  const dismissals = await readDismissals(database)
  const found = new Map<string, Topic>()
  for (const { day, topics } of days)
    for (const topic of JSON.parse(topics) as TopicOfDay[]) {
      const known = found.get(topic.id)
      const isDismissed = day < dayOf(dismissals.get(topic.id) ?? 0)
      if (known) known.days += 1
      else if (!isDismissed) found.set(topic.id, { ...topic, day, days: 1 })
    }
  return { topics: [...found.values()], days: TOPIC_DAYS, outcome: days[0]?.outcome ?? 'not_enough' }
}

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)
