import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Webhook as Receiver } from 'standardwebhooks'
import type { CreatedWebhook, WebhookList } from '../../src/contract/staff/webhooks.ts'
import { WEBHOOK_EVENTS } from '../../src/contract/staff/webhook-events.ts'
import type { SendPromptReply } from '../../src/contract/chat/chat.ts'
import type { SessionDetail } from '../../src/contract/chat/sessions.ts'
import { cookieOf, sendPrompt } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { runOperatorCommand } from '../support/operator-command.ts'
import { eventually } from '../support/eventually.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { consoleOf, StaffClient, WITH_CONSOLE } from '../support/staff-client.ts'

const CANARY = 'canary-q7x'

describe.each(DATABASES)('webhooks of the console on %s', (database) => {
  let server: TestServer
  let owner: StaffClient
  let receiver: Server
  const received: { headers: Record<string, string>; body: string }[] = []
  beforeAll(async () => {
    receiver = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        received.push({ headers: request.headers as Record<string, string>, body: Buffer.concat(chunks).toString() })
        response.writeHead(204).end()
      })
    })
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    server = await startServer({ database, env: { ...WITH_CONSOLE, CONSOLE_PRIVATE_HOSTS: '127.0.0.1' } })
    const { origin, link } = await consoleOf(server)
    owner = new StaffClient(origin)
    await owner.enter(link)
  })
  afterAll(async () => {
    await server.stop()
    receiver.close()
  })

  const listed = async () => (await owner.call<WebhookList>('GET', 'webhooks')).body

  test('reports reach the receiver without any text of a visitor, and their payload goes with the chat', async () => {
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
    const { status, body: webhook } = await owner.call<CreatedWebhook>('POST', 'webhooks', { url, events: WEBHOOK_EVENTS })
    expect(status).toBe(200)
    const prompted = await sendPrompt(server.url, 'me', `Where is ${CANARY}?`)
    const cookie = cookieOf(prompted)
    const { session_id: session } = (await prompted.json()) as SendPromptReply
    const asVisitor = async (method: string, path: string, body?: object) => {
      const headers = { cookie, ...(body && { 'content-type': 'application/json' }) }
      const response = await fetch(`${server.url}/api/v1/${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      return { status: response.status, body: await response.json() }
    }
    const { messages: shown } = (await asVisitor('GET', `sessions/${session}`)).body as SessionDetail
    const message = shown.at(-1)?.id
    const messages = [{ role: 'user', text: `Where is ${CANARY}?` }]
    const reported = await asVisitor('POST', `sessions/${session}/reports`, {
      message,
      scope: 'answer',
      messages,
      reason: `Wrong about ${CANARY}`,
    })
    expect(reported.status).toBe(200)
    await eventually(() => expect(received.some(({ body }) => body.includes('report.created'))).toBe(true))
    const sent = received.find(({ body }) => body.includes('report.created'))!
    expect(new Receiver(webhook.secret).verify(sent.body, sent.headers)).toMatchObject({
      type: 'report.created',
      data: { id: (reported.body as { id: string }).id, scope: 'answer' },
    })
    await eventually(() => expect(received.some(({ body }) => body.includes('figures.daily'))).toBe(true))
    expect(JSON.stringify(received)).not.toContain(CANARY)
    await eventually(async () =>
      expect((await listed()).deliveries.find(({ event }) => event === 'report.created')).toMatchObject({
        state: 'delivered',
        result: '204',
      }),
    )

    expect((await asVisitor('DELETE', `sessions/${session}`)).status).toBe(200)
    expect((await listed()).deliveries.some(({ event }) => event === 'report.created')).toBe(false)
  })

  test('tell of a backup that failed', async () => {
    const folder = join(import.meta.filename, 'below-a-file')
    const { code } = await runOperatorCommand({ ...server.env, BACKUP_PASSPHRASE: 'a long passphrase' }, ['backup', '--to', folder])
    expect(code).not.toBe(0)
    await eventually(() => expect(received.some(({ body }) => body.includes('backup.failed'))).toBe(true))
  })

  test('show their secret once, and are in the audit log', async () => {
    const { body: webhook } = await owner.call<CreatedWebhook>('POST', 'webhooks', {
      url: 'https://example.org/hook',
      events: ['backup.failed'],
    })
    expect(webhook.secret).toMatch(/^whsec_/)
    expect(JSON.stringify(await listed())).not.toContain('whsec_')
    expect(server.output()).not.toContain(webhook.secret)
    expect((await owner.call('DELETE', `webhooks/${webhook.id}`)).status).toBe(200)
    const { body } = await owner.call<{ entries: { action: string }[] }>('GET', 'audit?area=webhook')
    expect(body.entries.map(({ action }) => action)).toEqual(['webhook.delete', 'webhook.create', 'webhook.create'])
  })

  test.each(['http://example.org/', 'https://me:pass@example.org/', 'ftp://example.org/', 'example.org'])(
    'reject the target %s',
    async (url) => {
      const { status } = await owner.call('POST', 'webhooks', { url, events: ['backup.failed'] })
      expect([400, 422]).toContain(status)
    },
  )
})
