import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as pass, setTimeout as pause } from 'node:timers/promises'
import type { TestServer } from '../../support/server.ts'
import { runStatement } from './stored-rows.ts'

const GIVE_UP_MS = 120_000

/** Empties the database of a stopped server and slows down the next schema migration, so it can be interrupted. */
export async function emptyDatabase({ env, dataDirectory }: TestServer): Promise<void> {
  const url = env['DATABASE_URL']
  if (!url) {
    for (const suffix of ['', '-wal', '-shm']) rmSync(join(dataDirectory, `parley.db${suffix}`), { force: true })
    return
  }
  await runStatement(
    url,
    `DROP EVENT TRIGGER IF EXISTS slowly; DROP SCHEMA public CASCADE; CREATE SCHEMA public;
     CREATE SCHEMA IF NOT EXISTS kit;
     CREATE OR REPLACE FUNCTION kit.wait() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.05); END';
     CREATE EVENT TRIGGER slowly ON ddl_command_end EXECUTE FUNCTION kit.wait()`,
  )
}

/** Undoes the slowdown of `emptyDatabase`. */
export async function endSlowness({ env }: TestServer): Promise<void> {
  const url = env['DATABASE_URL']
  if (url) await runStatement(url, 'DROP EVENT TRIGGER slowly; DROP SCHEMA kit CASCADE')
}

/**
 * Starts the server on an empty database and kills it while the schema is being made: on SQLite when its log has grown to
 * `progress` of what the whole takes (0 to 1), on PostgreSQL after `progress` of a second of definitions that take 50 ms each.
 */
export async function killWhileMigrating(server: TestServer, progress: number): Promise<void> {
  const starting = server.restart().catch(() => undefined)
  await (server.env['DATABASE_URL'] ? definitions(server.env['DATABASE_URL'], progress) : logGrown(server.dataDirectory, progress))
  await server.kill('SIGKILL')
  await starting
}

const WHOLE_LOG_BYTES = 150_000

async function logGrown(dataDirectory: string, progress: number): Promise<void> {
  const giveUpAt = performance.now() + GIVE_UP_MS
  const size = () => statSync(join(dataDirectory, 'parley.db-wal'), { throwIfNoEntry: false })?.size ?? 0
  // Polls tightly, because it takes only milliseconds.
  while (size() <= progress * WHOLE_LOG_BYTES && performance.now() < giveUpAt) await pass()
}

async function definitions(url: string, progress: number): Promise<void> {
  const giveUpAt = performance.now() + GIVE_UP_MS
  const query =
    "SELECT 1 FROM pg_stat_activity WHERE query ILIKE 'create%' AND state = 'active' AND datname = current_database() AND pid <> pg_backend_pid()"
  while ((await runStatement(url, query)).length === 0 && performance.now() < giveUpAt) await pause(5)
  await pause(progress * 1000)
}
