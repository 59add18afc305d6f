import type { z } from 'zod'
import { constant } from '../constant.ts'
import type { DatabaseSettings } from '../store/engine/open-database.ts'
import { url } from './setting-schemas.ts'

/** After which a request is rejected because PostgreSQL does not respond; a single statement has three quarters of it. */
const TIMEOUT_MS = constant('databaseTimeoutMs', 2_000)
const CONNECTIONS = 10

export const DATABASE_ENVIRONMENT = {
  DATABASE_URL: url(/^postgres(ql)?$/, 'postgres://user@host/name')
    .optional()
    .describe('Connection URL of a PostgreSQL database, used instead of the embedded database.'),
}

export function databaseSettings({ DATABASE_URL }: z.infer<z.ZodObject<typeof DATABASE_ENVIRONMENT>>, directory: string): DatabaseSettings {
  return DATABASE_URL
    ? { kind: 'postgres', url: DATABASE_URL, connections: CONNECTIONS, timeoutMs: TIMEOUT_MS }
    : { kind: 'sqlite', directory }
}
