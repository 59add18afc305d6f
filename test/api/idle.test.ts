import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTcpProxy, type TcpProxy } from '../faults/kit/tcp-proxy.ts'
import { eventually } from '../support/eventually.ts'
import { createMigratedDatabase, type TemporaryDatabase } from '../support/postgres.ts'
import { startRedis, type TestRedis } from '../support/redis.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { isMissing } from '../support/services.ts'

const WINDOW_MS = 30_000

describe.skipIf(isMissing('postgresql') || isMissing('redis'))('a process with a console, PostgreSQL and Redis', () => {
  let database: TemporaryDatabase
  let proxy: TcpProxy
  let redis: TestRedis
  let server: TestServer
  /** Statements sent to the database, with their times. */
  const sent: { at: number; statement: string }[] = []
  beforeAll(async () => {
    database = await createMigratedDatabase()
    const textOf = (chunk: Buffer) => chunk.toString('latin1', 5).replace(/^\0/, '').split('\0')[0] ?? ''
    proxy = await startTcpProxy(database.url, (chunk) => sent.push({ at: performance.now(), statement: textOf(chunk) }))
    redis = await startRedis()
    server = await startServer({
      database: 'sqlite',
      env: { DATABASE_URL: proxy.through(database.url), REDIS_URL: redis.url, CONSOLE_PORT: '0' },
    })
  })
  afterAll(async () => {
    await server?.stop()
    await redis.kill()
    await proxy.close()
    await database.drop()
  })

  test('asks the database at most once a second while nothing happens', async () => {
    // From the start's own work on, which ends with the state of the process.
    const begun = performance.now() + WINDOW_MS / 3
    await eventually(() => expect(sent.at(-1)?.at).toBeGreaterThan(begun + WINDOW_MS))
    const since = sent.filter(({ at }) => at >= begun && at < begun + WINDOW_MS)
    expect(since.length, since.map(({ statement }) => statement).join('\n')).toBeLessThanOrEqual(WINDOW_MS / 1000)
  })
})
