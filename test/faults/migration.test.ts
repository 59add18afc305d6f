import { describe, expect, test } from 'vitest'
import { DATABASES } from '../support/databases.ts'
import { emptyDatabase, endSlowness, killWhileMigrating } from './kit/slow-migration.ts'
import { startStage } from './kit/stage.ts'
import { storedRows } from './kit/stored-rows.ts'
import { expectBody } from './kit/visitor.ts'

const SCHEMA = {
  sqlite: "SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY name",
  postgres: `SELECT table_name, column_name, data_type, is_nullable, column_default FROM information_schema.columns
     WHERE table_schema = 'public' ORDER BY 1, 2`,
}

describe.each(DATABASES)('on %s', (database) => {
  test('F27: a crash inside a migration leaves it consistent, and the next start goes on', async () => {
    const stage = await startStage({ database })
    const { server } = stage
    try {
      const whole = await storedRows<object>(server, SCHEMA[database])
      await server.kill('SIGKILL')
      await emptyDatabase(server)
      for (const progress of [0, 0.2, 0.4, 0.6]) await killWhileMigrating(server, progress)
      await endSlowness(server)
      await server.restart()
      expect(await storedRows<object>(server, SCHEMA[database])).toEqual(whole)
      const visitor = await stage.visitor()
      expect(expectBody(await visitor.sessions())).toHaveLength(1)
    } finally {
      await stage.stop()
    }
  }, 60_000)
})
