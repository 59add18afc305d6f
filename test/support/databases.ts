import { isMissing } from './services.ts'

/**
 * The databases that every API test runs on, for `describe.each(DATABASES)('on %s', (database) => …)`.
 * PostgreSQL is absent only where it cannot be started; the end of the run then names the files that this shortened.
 */
export const DATABASES = (['sqlite', 'postgres'] as const).filter((database) => !(database === 'postgres' && isMissing('postgresql')))

export type TestDatabase = (typeof DATABASES)[number]
