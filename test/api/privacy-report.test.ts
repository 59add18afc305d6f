import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SendPromptReply } from '../../src/contract/chat/chat.ts'
import { csvOf } from '../../src/server/staff-api/send-csv.ts'
import type { OwnReport } from '../../src/contract/reports.ts'
import type { SessionDetail } from '../../src/contract/chat/sessions.ts'
import type { PrivacyReport } from '../../src/contract/staff/privacy.ts'
import { cookieOf, sendPrompt } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { consoleOf, StaffClient, WITH_CONSOLE } from '../support/staff-client.ts'

const PATIENCE_MS = 60_000

describe.each(DATABASES)('the privacy report on %s', (database) => {
  let server: TestServer
  let owner: StaffClient
  beforeAll(async () => {
    server = await startServer({ database, env: { ...WITH_CONSOLE, TRUSTED_PROXIES: '127.0.0.1' } })
    const { origin, link } = await consoleOf(server)
    owner = new StaffClient(origin)
    await owner.enter(link)
  })
  afterAll(() => server.stop())

  const read = async () => (await owner.call<PrivacyReport>('GET', 'privacy')).body

  test('says when what had expired was last deleted', async () => {
    await eventually(async () => expect(Date.parse((await read()).lastRunAt ?? '')).toBeGreaterThan(Date.now() - PATIENCE_MS * 10))
    expect(await read()).toMatchObject({ retentionDays: 30, readings: [] })
  })

  test('says by role who read what was handed over', async () => {
    const reply = await sendPrompt(server.url, 'me', 'cAnary')
    const headers = { cookie: cookieOf(reply), 'content-type': 'application/json' }
    const { session_id: session } = (await reply.json()) as SendPromptReply
    const { messages } = (await (await fetch(`${server.url}/api/v1/sessions/${session}`, { headers })).json()) as SessionDetail
    const body = JSON.stringify({ message: messages.at(-1)?.id, scope: 'rating', reason: 'cAnary' })
    const sent = await fetch(`${server.url}/api/v1/sessions/${session}/reports`, { method: 'POST', headers, body })
    const { id } = (await sent.json()) as OwnReport
    const reviewer = await owner.colleague('reviewer')
    expect(await reviewer.call('POST', `reports/${id}/readings`, {})).toMatchObject({ status: 200 })
    const { readings } = await read()
    expect(readings).toEqual([
      {
        at: expect.any(String),
        reader: expect.stringMatching(/^[0-9a-f]{16}$/),
        role: 'reviewer',
        what: 'report',
        target: expect.any(String),
      },
    ])
    expect(JSON.stringify(readings)).not.toContain(id)
    expect(JSON.stringify(readings)).not.toContain(session)
    const { body: csv, headers: type } = await reviewer.call<string>('GET', 'privacy.csv')
    expect(type.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(csv).toBe(csvOf(readings))
  })
})
