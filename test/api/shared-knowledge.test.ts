import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ database: 'postgres', env: { KNOWLEDGE_INDEX: 'database' } })
})
afterAll(() => server.stop())

test('a server keeps its knowledge index in the database and reports ready', async () => {
  const client = new pg.Client(server.env['DATABASE_URL'])
  await client.connect()
  try {
    await eventually(async () => {
      const { rows } = await client.query<{ count: number }>('SELECT count(*)::int AS count FROM parley_knowledge.passages')
      expect(rows[0]?.count).toBeGreaterThan(10)
    })
  } finally {
    await client.end()
  }
  const ready = await fetch(`${server.url}/readyz`)
  expect([ready.status, await ready.text()]).toEqual([200, expect.not.stringContaining('shared index')])
})
