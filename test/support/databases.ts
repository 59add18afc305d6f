import { isMissing } from './services.ts'

export type TestDatabase = 'sqlite' | 'postgres'

const SELECTED = process.env['TEST_DATABASES']?.split(',') as TestDatabase[] | undefined

/**
 * The databases of a test of the API, for `describe.each(DATABASES)('on %s', (database) => …)`: SQLite, and PostgreSQL in the project
 * `postgres` and in long tests. `TEST_DATABASES` selects others. PostgreSQL is absent where it cannot be started; the end of the run then
 * names the files that this shortened.
 */
export const DATABASES = available(SELECTED ?? ['sqlite'])

/** The databases of a test that concerns the dialect, locks, outages or several processes. */
export const BOTH_DATABASES = available(SELECTED ?? ['sqlite', 'postgres'])

function available(databases: readonly TestDatabase[]): TestDatabase[] {
  return databases.filter((database) => database === 'sqlite' || !isMissing('postgresql'))
}
