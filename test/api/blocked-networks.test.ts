import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { NetworkList } from '../../src/contract/staff/networks.ts'
import { cookieOf, sendPrompt } from '../support/api.ts'
import { BOTH_DATABASES } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { consoleOf, StaffClient, WITH_CONSOLE } from '../support/staff-client.ts'

const PATIENCE_MS = 60_000
const ABUSER = { 'x-forwarded-for': '203.0.113.7' }
const NEIGHBOUR = { 'x-forwarded-for': '203.0.113.8' }

describe.each(BOTH_DATABASES)('blocked networks on %s', (database) => {
  let near: TestServer
  /** Another process of the installation where there can be one. */
  let far: TestServer
  let owner: StaffClient
  let ledger: string
  beforeAll(async () => {
    ledger = mkdtempSync(join(tmpdir(), 'parley-ledger-'))
    const env = { TRUSTED_PROXIES: '127.0.0.1', ERASURE_LEDGER: ledger, INSTALLATION_KEY: randomBytes(32).toString('hex') }
    near = await startServer({ database, env: { ...env, ...WITH_CONSOLE } })
    far =
      database === 'postgres' ? await startServer({ database: 'sqlite', env: { ...env, DATABASE_URL: near.env['DATABASE_URL'] } }) : near
    const { origin, link } = await consoleOf(near)
    owner = new StaffClient(origin)
    await owner.enter(link)
  })
  afterAll(async () => {
    await Promise.all([near.stop(), far.stop()])
    rmSync(ledger, { recursive: true })
  })

  const networks = async () => (await owner.call<NetworkList>('GET', 'networks')).body
  const sessionsOf = (cookie: string) => fetch(`${far.url}/api/v1/sessions`, { headers: { ...ABUSER, cookie } })

  test('are listed without an address, blocked in every process, and unblocked; their visitors keep what they have', async () => {
    expect(await networks()).toEqual({ rejected: [], blocks: [] })
    const cookie = cookieOf(await sendPrompt(near.url, 'me', 'hello', { headers: ABUSER }))
    for (let index = 0; index < 25; index += 1)
      await (await fetch(`${near.url}/api/v1/sessions`, { headers: { ...ABUSER, authorization: 'Bearer wrong' } })).text()
    const [rejected] = await eventually(async () => {
      const { rejected: listed } = await networks()
      expect(listed).toHaveLength(1)
      return listed
    }, PATIENCE_MS)
    expect(rejected).toMatchObject({ rejections: 25, reasons: [{ code: 'unauthorized', count: 25 }] })
    expect(rejected?.network).toMatch(/^[0-9a-f]{32}$/)
    expect(JSON.stringify(rejected)).not.toContain('203.')

    const path = `networks/${rejected?.network}/block`
    for (const body of [
      { hours: 73, reason: 'scripts' },
      { hours: 0, reason: 'scripts' },
      { hours: 1.5, reason: 'x' },
      { hours: 1, reason: ' ' },
    ])
      expect(await owner.call('POST', path, body)).toMatchObject({ status: 400 })
    expect(await owner.call('POST', path, { hours: 72, reason: 'scripts' })).toMatchObject({ status: 200, body: { by: 'First owner' } })
    expect(await owner.call('POST', path, { hours: 1, reason: 'again' })).toMatchObject({
      status: 409,
      body: { code: 'changed_meanwhile' },
    })
    const prompt = async (headers: Record<string, string>, text = 'hello') => {
      const response = await sendPrompt(far.url, 'me', text, { headers })
      return { status: response.status, body: (await response.json()) as { code?: string } }
    }
    await eventually(
      async () => expect(await prompt({ ...ABUSER, cookie })).toMatchObject({ status: 403, body: { code: 'network_blocked' } }),
      PATIENCE_MS,
    )
    expect(await prompt(ABUSER)).toMatchObject({ status: 403 })
    expect(await prompt(NEIGHBOUR)).toMatchObject({ status: 200 })
    const file = await fetch(`${far.url}/api/v1/files?name=a.txt`, {
      method: 'POST',
      headers: { ...ABUSER, cookie, 'content-type': 'application/octet-stream' },
      body: 'text',
    })
    expect(((await file.json()) as { code: string }).code).toBe('network_blocked')
    expect(await prompt({ ...ABUSER, cookie }, 'my son drank drain cleaner what do i do')).toMatchObject({ status: 200 })

    const { sessions } = (await (await sessionsOf(cookie)).json()) as { sessions: { key: string }[] }
    expect(sessions.length).toBeGreaterThan(0)
    const gone = await fetch(`${far.url}/api/v1/sessions/${sessions[0]?.key}`, { method: 'DELETE', headers: { ...ABUSER, cookie } })
    expect(gone.status).toBe(200)

    expect((await networks()).blocks).toMatchObject([{ network: rejected?.network, reason: 'scripts' }])
    expect(await owner.call('DELETE', path)).toMatchObject({ status: 200, body: { unblocked: true } })
    expect(await owner.call('DELETE', path)).toMatchObject({ status: 404 })
    await eventually(async () => expect(await prompt({ ...ABUSER, cookie })).toMatchObject({ status: 200 }), PATIENCE_MS)
    const { body } = await owner.call<{ entries: { action: string; target: string }[] }>('GET', 'audit?area=network')
    expect(body.entries.map(({ action }) => action)).toEqual(['network.unblock', 'network.block'])
    expect(body.entries.map(({ target }) => target)).not.toContain(rejected?.network)
  })
})
