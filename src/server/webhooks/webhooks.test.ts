import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Webhook as Receiver } from 'standardwebhooks'
import { BOTH_DATABASES } from '../../../test/support/databases.ts'
import { openTestDatabase } from '../../../test/support/test-database.ts'
import type { InstallationStatus } from '../../contract/staff/status.ts'
import { WEBHOOK_EVENTS, type WebhookEvent } from '../../contract/staff/webhook-events.ts'
import { emptyReport } from '../knowledge/websites/run-report.ts'
import type { Database } from '../store/engine/database.ts'
import { writeFact } from '../store/engine/installation-facts.ts'
import { addSource, leaseSource, recordEnd } from '../store/knowledge/sources.ts'
import { deleteWebhook, insertWebhook, listDeliveries } from '../store/staff/webhooks.ts'
import { keyIdOf } from '../keys.ts'
import { webhookSecret } from './signature.ts'
import { Webhooks, type WebhooksOptions } from './webhooks.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const KEY = 'installation key'
const ID = '0123456789abcdef'

interface Received {
  headers: IncomingHttpHeaders
  body: string
}

describe.each(BOTH_DATABASES)('webhooks on %s', (kind) => {
  let database: Database
  let remove: () => Promise<void>
  let receiver: Server
  let received: Received[]
  let status: number
  let now: number
  let attention: InstallationStatus['attention']
  beforeAll(async () => {
    ;({ database, remove } = await openTestDatabase(kind))
    receiver = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() })
        response.writeHead(status, { location: '/elsewhere' }).end()
      })
    })
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  })
  afterAll(async () => {
    receiver.close()
    await remove()
  })
  beforeEach(() => {
    received = []
    status = 204
    attention = []
    now = Date.now()
  })
  afterEach(async () => {
    await deleteWebhook(database, ID)
    await database.deleteFrom('sources').execute()
    await database.deleteFrom('installation_facts').where('name', '=', 'last_failed_backup').execute()
  })

  const urlOf = (host = '127.0.0.1') => `http://${host}:${(receiver.address() as AddressInfo).port}/hook`
  const make = (events: readonly WebhookEvent[], url = urlOf()) =>
    insertWebhook(database, { id: ID, url, events: [...events], keyId: keyIdOf(KEY), createdAt: now })
  const open = (more: Partial<WebhooksOptions> = {}) =>
    new Webhooks({
      database,
      keys: [KEY],
      privateHosts: ['127.0.0.1'],
      status: async () => ({ attention }),
      now: () => now,
      onFault: (_, cause) => {
        throw cause
      },
      ...more,
    })
  /** As a receiver with the library reads it; throws if the signature is wrong. */
  const verified = ({ body, headers }: Received, secret = webhookSecret(KEY, ID)) =>
    new Receiver(secret).verify(body, headers as Record<string, string>) as {
      type: string
      timestamp: string
      data: Record<string, unknown>
    }
  const fail = () => writeFact(database, 'last_failed_backup', String(now))
  const deliveries = () => listDeliveries(database, 10)

  test('are verified by the receiver with the library, and by no other secret', async () => {
    await make(WEBHOOK_EVENTS)
    await fail()
    await open().tick()
    const message = received.find(({ body }) => body.includes('backup.failed'))!
    expect(verified(message)).toEqual({ type: 'backup.failed', timestamp: new Date(now).toISOString(), data: {} })
    expect(() => verified(message, webhookSecret('another key', ID))).toThrow('No matching signature found')
    expect(() => verified({ ...message, body: message.body.replace('backup', 'buckup') })).toThrow('No matching signature found')
  })

  test('reach a receiver that was away for an hour, with the same id and a new signature', async () => {
    await make(['backup.failed'])
    await fail()
    const webhooks = open()
    status = 503
    for (const end = now + HOUR_MS; now < end; now += MINUTE_MS) await webhooks.tick()
    expect(received.length).toBeGreaterThan(3)
    expect(received.length).toBeLessThan(15)
    expect(await deliveries()).toMatchObject([{ state: 'pending', result: '503', attempts: received.length }])
    status = 200
    for (const end = now + 2 * HOUR_MS; now < end; now += MINUTE_MS) await webhooks.tick()
    expect(await deliveries()).toMatchObject([{ state: 'delivered', result: '200' }])
    const last = received.at(-1)!
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(Number(last.headers['webhook-timestamp'])).toBeGreaterThan(Number(received[0]!.headers['webhook-timestamp']) + 1_800)
    expect(last.headers['webhook-signature']).not.toBe(received[0]!.headers['webhook-signature'])
  })

  test('end as failed after a day, without their payload, which isn’t sent again', async () => {
    await make(['backup.failed'])
    await fail()
    const webhooks = open()
    status = 500
    for (const end = now + DAY_MS + HOUR_MS; now < end; now += HOUR_MS) await webhooks.tick()
    const [delivery] = await deliveries()
    expect(delivery).toMatchObject({ state: 'failed', payload: null })
    const attempts = received.length
    await webhooks.tick()
    expect(received).toHaveLength(attempts)
  })

  test('are sent once by several processes', async () => {
    await make(['backup.failed'])
    await fail()
    const processes = [open(), open(), open()]
    for (let round = 0; round < 3; round += 1) await Promise.all(processes.map((one) => one.tick()))
    expect(received).toHaveLength(1)
  })

  test.each([
    ['a private address that no setting names', () => urlOf(), []],
    ['a name of a private address', () => urlOf('localhost').replace('http:', 'https:'), []],
    ['plain http to the Internet', () => 'http://example.org/hook', []],
  ])('never reach %s', async (_, url, privateHosts) => {
    await make(['backup.failed'], url())
    await fail()
    await open({ privateHosts }).tick()
    expect(await deliveries()).toMatchObject([{ state: 'pending', result: 'forbidden-address' }])
    expect(received).toEqual([])
  })

  test('follow no redirect', async () => {
    await make(['backup.failed'])
    await fail()
    status = 307
    await open().tick()
    expect(received).toHaveLength(1)
    expect(await deliveries()).toMatchObject([{ state: 'pending', result: '307' }])
  })

  test('tell of websites that failed or changed, each run once, and of nothing before they were made', async () => {
    const run = async (id: string, report: object, at: number) => {
      await addSource(database, id)
      await leaseSource(database, id, { holder: 'test', now: at, durationMs: 1 })
      await recordEnd(database, id, { holder: 'test', now: at, report: JSON.stringify({ ...emptyReport(), ...report }) })
    }
    const { counts } = emptyReport()
    await run('earlier', { outcome: 'failed', reason: 'The site is away.' }, now - 1)
    await make(['source.failed', 'source.changed'])
    await run('town', { outcome: 'failed', reason: 'The site is away.' }, now)
    await run('pool', { counts: { ...counts, changed: 2 } }, now)
    await run('same', { counts: { ...counts, unchanged: 9 } }, now)
    const webhooks = open()
    await webhooks.tick()
    now += HOUR_MS
    await webhooks.tick()
    expect(received.map((one) => verified(one)).toSorted((one, other) => (one.type < other.type ? -1 : 1))).toMatchObject([
      { type: 'source.changed', data: { source: 'pool', changed: 2 } },
      { type: 'source.failed', data: { source: 'town', reason: 'The site is away.' } },
    ])
  })

  test('tell of budgets once for each threshold, and of other problems once a day while they last', async () => {
    now = Date.parse('2030-05-06T08:00:00Z')
    await make(['budget.threshold', 'problem.opened'])
    const budget = (percent: number) => ({ screen: 'limits', code: 'budget-day', values: { percent }, text: '' }) as const
    const model = {
      screen: 'status',
      code: 'model',
      values: { name: 'large' },
      text: 'The model large failed 3 of the last 4 times.',
    } as const
    const webhooks = open()
    for (const percent of [81, 90, 100]) {
      attention = [budget(percent), model]
      await webhooks.tick()
      now += HOUR_MS
    }
    const events = () =>
      received
        .map((one) => JSON.parse(one.body) as { type: string; data: { percent?: number } })
        .map(({ type, data }) => `${type} ${data.percent ?? ''}`)
    expect(events().toSorted()).toEqual(['budget.threshold 100', 'budget.threshold 80', 'problem.opened '])
    attention = [model]
    now += DAY_MS
    await webhooks.tick()
    expect(events()).toHaveLength(4)
  })

  test('tell of a day once, after it is over, by what staff may see', async () => {
    now = Date.parse('2030-05-06T01:59:00Z')
    await make(['figures.daily'])
    const webhooks = open()
    for (let hour = 0; hour < 30; hour += 1) {
      await webhooks.tick()
      now += HOUR_MS
    }
    const told = received.map(({ body }) => JSON.parse(body) as { data: object })
    expect(told.map(({ data }) => data)).toMatchObject(
      ['2030-05-04', '2030-05-05', '2030-05-06'].map((day) => ({ day, days: [], topics: [] })),
    )
  })

  test('keep a thousand events that wait, and drop further ones', async () => {
    await make(['source.failed'])
    const row = {
      webhook_id: ID,
      event: 'source.failed',
      payload: '{}',
      report_id: null,
      attempts: 0,
      result: null,
      created_at: now,
    } as const
    const waiting = Array.from(
      { length: 1_000 },
      (_, index) => ({ ...row, id: `msg_${index}`, state: 'pending', next_at: now + DAY_MS }) as const,
    )
    for (let start = 0; start < waiting.length; start += 250)
      await database
        .insertInto('webhook_deliveries')
        .values(waiting.slice(start, start + 250))
        .execute()
    await addSource(database, 'town')
    await leaseSource(database, 'town', { holder: 'test', now, durationMs: 1 })
    await recordEnd(database, 'town', { holder: 'test', now, report: JSON.stringify({ ...emptyReport(), outcome: 'failed' }) })
    await open().tick()
    expect(await listDeliveries(database, 2_000)).toHaveLength(1_000)
    now += DAY_MS
    await open().tick()
    now += 32 * DAY_MS
    await open().tick()
    expect(await deliveries()).toEqual([])
  })
})
