import type { z } from 'zod'
import type { DatabaseSettings } from '../store/database.ts'
import { PROCESS_ENVIRONMENT } from './process-settings.ts'
import { url, wholeNumber } from './setting-schemas.ts'

export const DATABASE_ENVIRONMENT = {
  ...PROCESS_ENVIRONMENT,
  DATABASE_URL: url(/^postgres(ql)?$/, 'postgres://user@host/name')
    .optional()
    .describe('Connection URL of a PostgreSQL database, used instead of the embedded database.'),
  DATABASE_POOL: wholeNumber(2, 500)
    .default(10)
    .describe(
      'Maximum connections of each process to the database of `DATABASE_URL`. All processes together must stay below its `max_connections`.',
    ),
  DATABASE_TIMEOUT_MS: wholeNumber(200, 60_000)
    .default(2_000)
    .describe(
      'Milliseconds after which a request is rejected because the database of `DATABASE_URL` does not respond: half for a connection, half for each statement. Increase it for a distant or busy database.',
    ),
}

export function databaseSettings(
  { DATABASE_URL, DATABASE_POOL, DATABASE_TIMEOUT_MS }: z.infer<z.ZodObject<typeof DATABASE_ENVIRONMENT>>,
  directory: string,
): DatabaseSettings {
  return DATABASE_URL
    ? { kind: 'postgres', url: DATABASE_URL, connections: DATABASE_POOL, timeoutMs: DATABASE_TIMEOUT_MS }
    : { kind: 'sqlite', directory }
}
