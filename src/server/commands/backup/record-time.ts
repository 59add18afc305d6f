import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type DatabaseSettings, openReader } from '../../store/engine/open-database.ts'
import { writeFact } from '../../store/engine/installation-facts.ts'

/** Records when a backup was made, failed or was rehearsed, for the console. Resolves with what to print: nothing, or that it could not be recorded. */
export async function recordTime(
  settings: DatabaseSettings,
  fact: 'last_backup' | 'last_failed_backup' | 'last_rehearsal',
  time: number,
): Promise<string[]> {
  // A rehearsal can be on another machine, where there is no database.
  if (settings.kind === 'sqlite' && !existsSync(join(settings.directory, 'parley.db'))) return []
  try {
    await using database = await openReader(settings, () => undefined)
    await writeFact(database, fact, String(time))
    return []
  } catch {
    return ['The console will not show this, because the database could not be written to.']
  }
}
