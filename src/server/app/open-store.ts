import { type Settings, SettingsError } from '../config/config.ts'
import type { Database } from '../store/engine/database.ts'
import { openDatabase } from '../store/engine/open-database.ts'
import { UnusableDatabase } from '../store/engine/schema-version.ts'

/**
 * Opens the database of the settings, with its schema up to date. `onError` is called when an idle connection breaks.
 * @throws {SettingsError} if only another release can use it.
 */
export async function openStore(
  { database }: Pick<Settings, 'database'>,
  onError: (error: Error) => void,
  release: string | undefined,
): Promise<Database> {
  try {
    return await openDatabase(database, onError, release)
  } catch (error) {
    throw error instanceof UnusableDatabase ? new SettingsError(error.message) : error
  }
}
