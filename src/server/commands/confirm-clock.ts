import { type DatabaseSettings, openReader } from '../store/engine/open-database.ts'
import { recordTime } from '../store/engine/installation-facts.ts'

/** Stores the current time, which ends the doubt of a running server about its clock. Returns what to print. */
export async function confirmClock(settings: DatabaseSettings, now: number): Promise<string> {
  await using database = await openReader(settings)
  await recordTime(database, now)
  return `The time is confirmed: ${new Date(now).toISOString()}. A running server expires chats by it again within ten seconds.\n`
}
