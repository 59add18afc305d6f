import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { withConstants } from '../../scripts/constants.mjs'
import type { Problem } from '../../src/contract/problem.ts'
import type { SessionDetail } from '../../src/contract/chat/sessions.ts'
import { textOf } from '../../src/contract/chat/message-text.ts'
import { DATABASE_OUTAGE } from '../../src/server/platform/outage.ts'
import { mountSmallDisk, type SmallDisk } from '../faults/kit/small-disk.ts'
import { runStatement } from '../faults/kit/stored-rows.ts'
import { startTcpProxy, type TcpProxy } from '../faults/kit/tcp-proxy.ts'
import { cookieOf, readEvents, sendPrompt, type StreamEvent, streamPrompt, textOfEvents } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { createDatabase } from '../support/postgres.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { isMissing } from '../support/services.ts'
import { startServer, type TestServer } from '../support/server.ts'

const WORDS = Array.from({ length: 60 }, (_, index) => `word${index} `)

let model: ScriptedModel
beforeAll(async () => {
  model = await startScriptedModel()
  model.script((request) => (request.prompt === 'slow' ? [{ text: WORDS, tokensPerSecond: 20 }] : undefined))
})
afterAll(() => model.close())

/** Starts an answer and reads its stream until the first words. */
async function begin(server: TestServer) {
  const response = await streamPrompt(server.url, 'me', 'slow')
  const events = readEvents(response)
  const seen: StreamEvent[] = []
  while (textOfEvents(seen) === '') seen.push((await events.next()).value as StreamEvent)
  const start = seen[0]?.chunk
  const { turnId = '', sessionId = '' } = (start?.type === 'start' && start.messageMetadata) || {}
  return { cookie: cookieOf(response), turn: turnId, session: sessionId, events, seen }
}

async function rest({ events, seen }: Awaited<ReturnType<typeof begin>>): Promise<string> {
  for await (const event of events) seen.push(event)
  return textOfEvents(seen)
}

async function outcomeOf(response: Response): Promise<[number, string | undefined]> {
  const body = (await response.json()) as Partial<Problem>
  return [response.status, body.code]
}

/** Messages that the server has logged from a position of its output on, without those that tell that the machine is slow. */
function loggedSince(server: TestServer, position: number): string[] {
  const lines = server.output().slice(position).split('\n')
  const messages = lines.filter((line) => line.startsWith('{')).map((line) => (JSON.parse(line) as { msg: string }).msg)
  return messages.filter((message) => !message.startsWith('A statement of the database was slow'))
}

/** All that an outage writes: nothing of it is repeated by requests, turns and background work. */
const ONE_OUTAGE = [DATABASE_OUTAGE.begin, DATABASE_OUTAGE.end]

describe.runIf(DATABASES.includes('postgres'))('a PostgreSQL', () => {
  let proxy: TcpProxy
  let server: TestServer
  beforeAll(async () => {
    const created = await createDatabase()
    proxy = await startTcpProxy(created.url)
    server = await startServer({
      database: 'sqlite',
      env: {
        DATABASE_URL: proxy.through(created.url),
        ...withConstants({ databaseTimeoutMs: 2_000 }),
        OPENAI_BASE_URL: model.baseUrl,
        MODEL: 'scripted',
      },
    })
    return async () => {
      const code = await server.stop()
      await proxy.close()
      await created.drop()
      expect(code, server.output()).toBe(0)
    }
  })

  const faults: [string, (isBroken: boolean) => void][] = [
    [
      'that is away',
      (isBroken) => {
        proxy.refuse(isBroken)
        if (isBroken) proxy.resetAll()
      },
    ],
    ['that does not answer', (isBroken) => proxy.set('down', { kind: isBroken ? 'stall' : 'none' })],
    ['that hears nothing', (isBroken) => proxy.set('up', { kind: isBroken ? 'stall' : 'none' })],
  ]

  test.each(faults)('%s is reported by every call; a running answer is buffered and then stored', async (_, set) => {
    const conversation = await begin(server)
    const { cookie, turn, session } = conversation
    const headers = { cookie, 'content-type': 'application/json' }
    const post = { method: 'POST', headers, body: '{}' }
    const logged = server.output().length
    set(true)
    onTestFinished(() => set(false))
    const calls = [
      fetch(`${server.url}/api/v1/sessions`, { headers }),
      fetch(`${server.url}/api/v1/sessions/${session}`, { headers }),
      fetch(`${server.url}/api/v1/agent/chat/me`, { headers }),
      fetch(`${server.url}/api/v1/turns/${turn}`, { headers }),
      fetch(`${server.url}/api/v1/turns/${turn}/stream`, { headers }),
      fetch(`${server.url}/api/v1/turns/${turn}/events`, { headers }),
      fetch(`${server.url}/api/v1/turns/${turn}/stop`, post),
      fetch(`${server.url}/api/v1/turns/${turn}/retry`, post),
      fetch(`${server.url}/api/v1/turns/${turn}/continue`, post),
      fetch(`${server.url}/readyz`),
      ...Array.from({ length: 20 }, () => sendPrompt(server.url, 'me', 'more than the pool has connections')),
    ]
    for (const response of await Promise.all(calls)) expect(await outcomeOf(response)).toEqual([503, 'storage_unavailable'])
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    set(false)
    expect(await rest(conversation)).toBe(WORDS.join(''))
    expect(conversation.seen.map(({ id }) => id)).toEqual(conversation.seen.map((__, index) => index + 1))
    const detail = (await (await fetch(`${server.url}/api/v1/sessions/${session}`, { headers })).json()) as SessionDetail
    expect(detail.messages.map((message) => message.metadata?.status)).toEqual([undefined, 'done'])
    expect((await sendPrompt(server.url, 'me', 'hello')).status).toBe(200)
    await expect.poll(() => loggedSince(server, logged)).toEqual(ONE_OUTAGE)
  })
})

describe('a PostgreSQL that only reads', () => {
  test('fails the readiness check, and takes prompts again once it takes writes', async () => {
    const own = await startServer({ database: 'postgres', env: { OPENAI_BASE_URL: model.baseUrl, MODEL: 'scripted' } })
    try {
      const url = own.env['DATABASE_URL'] as string
      const name = new URL(url).pathname.slice(1)
      const ready = async () => (await fetch(`${own.url}/readyz`)).status
      expect(await ready()).toBe(200)
      await runStatement(url, `ALTER DATABASE ${name} SET default_transaction_read_only = on`)
      await runStatement(
        url,
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      )
      await expect.poll(ready).toBe(503)
      await expect.poll(async () => outcomeOf(await sendPrompt(own.url, 'me', 'hello'))).toEqual([503, 'storage_unavailable'])
      await runStatement(process.env['TEST_DATABASE_URL'] as string, `ALTER DATABASE ${name} RESET default_transaction_read_only`)
      await expect.poll(ready).toBe(200)
      for (const reply of await Promise.all(Array.from({ length: 12 }, () => sendPrompt(own.url, 'me', 'hello'))))
        expect([200, 503]).toContain(reply.status)
      // Each connection that only read has been used and discarded.
      for (const reply of await Promise.all(Array.from({ length: 12 }, () => sendPrompt(own.url, 'me', 'hello'))))
        expect(reply.status).toBe(200)
      // A connection that only read may fail once more after another one has written.
      await expect.poll(() => loggedSince(own, 0).at(-1)).toBe(DATABASE_OUTAGE.end)
      const logged = loggedSince(own, 0)
      expect(logged).toEqual(Array.from({ length: logged.length / 2 }, () => ONE_OUTAGE).flat())
    } finally {
      await own.stop()
    }
  })
})

describe.skipIf(isMissing('tmpfs'))('a full disk below the embedded database', () => {
  let disk: SmallDisk
  let server: TestServer
  beforeAll(async () => {
    disk = mountSmallDisk(8 * 1024 * 1024)
    server = await startServer({ database: 'sqlite', env: { DATA_DIR: disk.path, OPENAI_BASE_URL: model.baseUrl, MODEL: 'scripted' } })
    return async () => {
      const code = await server.stop()
      disk.remove()
      expect(code, server.output()).toBe(0)
    }
  })

  test('rejects writes with the reason, serves reads, and recovers by itself; a running answer is stored then', async () => {
    const conversation = await begin(server)
    const headers = { cookie: conversation.cookie }
    const free = disk.fill()
    onTestFinished(free)
    // SQLite may still use free pages in its files.
    await expect.poll(async () => outcomeOf(await sendPrompt(server.url, 'me', 'x'.repeat(30_000)))).toEqual([503, 'storage_full'])
    await expect.poll(async () => outcomeOf(await fetch(`${server.url}/readyz`))).toEqual([503, 'storage_full'])
    const detail = await fetch(`${server.url}/api/v1/sessions/${conversation.session}`, { headers })
    expect(detail.status).toBe(200)
    expect((await fetch(`${server.url}/api/v1/sessions`, { headers })).status).toBe(200)
    free()
    expect((await sendPrompt(server.url, 'me', 'hello')).status).toBe(200)
    expect(await rest(conversation)).toBe(WORDS.join(''))
    const after = (await (await fetch(`${server.url}/api/v1/sessions/${conversation.session}`, { headers })).json()) as SessionDetail
    expect(after.messages.map((message) => [textOf(message), message.metadata?.status])).toEqual([
      ['slow', undefined],
      [WORDS.join(''), 'done'],
    ])
  })
})

test.runIf(DATABASES.includes('postgres'))('a slow statement of PostgreSQL is answered, one that takes longer is cut', async () => {
  const created = await createDatabase()
  const server = await startServer({
    database: 'sqlite',
    env: { DATABASE_URL: created.url, ...withConstants({ databaseTimeoutMs: 12_000 }), OPENAI_BASE_URL: model.baseUrl, MODEL: 'scripted' },
  })
  const blocker = new pg.Client({ connectionString: created.url })
  await blocker.connect()
  onTestFinished(async () => {
    await blocker.end()
    await server.stop()
    await created.drop()
  })
  const headers = { cookie: cookieOf(await sendPrompt(server.url, 'me', 'hello')) }
  const askWhileLocked = async () => {
    await blocker.query('BEGIN; LOCK TABLE sessions IN ACCESS EXCLUSIVE MODE')
    const asking = fetch(`${server.url}/api/v1/sessions`, { headers })
    const waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
    await expect.poll(() => runStatement(created.url, waiting)).not.toEqual([])
    return asking
  }
  const slow = askWhileLocked()
  await pause(7_200)
  await blocker.query('ROLLBACK')
  expect((await slow).status).toBe(200)
  expect(await outcomeOf(await askWhileLocked())).toEqual([503, 'storage_unavailable'])
  await blocker.query('ROLLBACK')
  expect((await fetch(`${server.url}/api/v1/sessions`, { headers })).status).toBe(200)
})
