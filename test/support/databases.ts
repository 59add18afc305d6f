import { isMissing } from './services.ts'

const SELECTED = process.env['TEST_DATABASES']?.split(',')

/**
 * The databases that every API test runs on, for `describe.each(DATABASES)('on %s', (database) => …)`. `TEST_DATABASES=sqlite` leaves out
 * PostgreSQL, except where a test is about it. It is also absent where it cannot be started; the end of the run then names the files that
 * this shortened.
 */
export const DATABASES = (['sqlite', 'postgres'] as const).filter(
  (database) => (SELECTED?.includes(database) ?? true) && !(database === 'postgres' && isMissing('postgresql')),
)

export type TestDatabase = (typeof DATABASES)[number]
