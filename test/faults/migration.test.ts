import { describe, expect, test } from 'vitest'
import { DATABASES } from '../support/databases.ts'
import { freePort } from '../support/free-port.ts'
import { emptyDatabase, endSlowness, killWhileMigrating } from './kit/slow-migration.ts'
import { startStage } from './kit/stage.ts'
import { storedRows } from './kit/stored-rows.ts'
import { expectBody } from './kit/visitor.ts'

const SCHEMA = {
  sqlite: "SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY name",
  postgres: `SELECT table_name, column_name, data_type, is_nullable, column_default FROM information_schema.columns
     WHERE table_schema = 'public' ORDER BY 1, 2`,
}

/** SQLite creates the schema in a few milliseconds, which a kill may miss. */
const MAX_TRIES = 20

describe.each(DATABASES)('on %s', (database) => {
  test('F27: a crash during a migration keeps the database consistent, and the next start completes it', async () => {
    // Nothing else gets the port while the server is down, as it is for long on a busy machine.
    const stage = await startStage({ database, env: { PORT: String(await freePort()) } })
    const { server } = stage
    try {
      const whole = await storedRows<object>(server, SCHEMA[database])
      await server.kill('SIGKILL')
      let isCutShort = false
      for (let tries = 0; !isCutShort && tries < MAX_TRIES; tries += 1) {
        await emptyDatabase(server)
        await killWhileMigrating(server, (tries % 5) / 10)
        isCutShort = (await storedRows<object>(server, SCHEMA[database])).length < whole.length
      }
      expect(isCutShort).toBe(true)
      await endSlowness(server)
      await server.restart()
      expect(await storedRows<object>(server, SCHEMA[database])).toEqual(whole)
      const visitor = await stage.visitor()
      expect(expectBody(await visitor.sessions())).toHaveLength(1)
    } finally {
      await stage.stop()
    }
  })
})
