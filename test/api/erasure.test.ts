import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SendPromptReply } from '../../src/contract/chat/chat.ts'
import { ErasureReply } from '../../src/contract/rights.ts'
import { cookieOf, listSessions, readEvents, sendPrompt, spoken, streamPrompt } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { startServer, type TestServer } from '../support/server.ts'

const CHECK_RECEIPT = join(import.meta.dirname, '../../scripts/check-receipt.mjs')
const run = promisify(execFile)

describe.each(DATABASES)('deleting on %s', (database) => {
  let model: ScriptedModel
  let server: TestServer
  beforeAll(async () => {
    model = await startScriptedModel()
    model.script((request) => (request.prompt.startsWith('slow') ? [{ endless: 'word ', tokensPerSecond: 50 }] : undefined))
    server = await startServer({ database, env: { OPENAI_BASE_URL: model.baseUrl, MODEL: 'scripted' } })
  })
  afterAll(async () => {
    const code = await server.stop()
    await model.close()
    expect(code, server.output()).toBe(0)
  })

  /** A new visitor with one chat. */
  async function visitor(prompt: string): Promise<{ cookie: string; session: string }> {
    const response = await sendPrompt(server.url, 'me', prompt)
    const cookie = cookieOf(response)
    const { session_id: session } = (await response.json()) as SendPromptReply
    return { cookie, session }
  }

  const erase = (path: string, headers: Record<string, string> = {}) => fetch(server.url + path, { method: 'DELETE', headers })
  const receiptOf = async (response: Response) => {
    expect(response.status).toBe(200)
    return ErasureReply.parse(await response.json())
  }
  const keysOf = async (headers: Record<string, string>) => (await listSessions(server.url, 'me', headers)).map(({ key }) => key)

  test('gives one receipt for twenty deletions at the same time', async () => {
    const { cookie, session } = await visitor('first')
    await (await sendPrompt(server.url, 'me', 'another', { headers: { cookie } })).text()
    const twenty = async (path: string) => {
      const replies = await Promise.all(Array.from({ length: 20 }, () => erase(`/api/v1/${path}`, { cookie })))
      const receipts = await Promise.all(replies.map(async (reply) => ((await reply.json()) as Partial<ErasureReply>).receipt))
      // A deletion that comes after the others finds nobody.
      return new Set(receipts.filter((receipt) => receipt?.subject).map((receipt) => receipt?.id)).size
    }
    expect(await twenty(`sessions/${session}`)).toBe(1)
    expect(await twenty('me')).toBe(1)
  })

  /** Whether the text is anywhere in the database: in SQLite's files or PostgreSQL's rows. */
  async function isStored(text: string): Promise<boolean> {
    if (database === 'sqlite') {
      const entries = readdirSync(server.dataDirectory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      return entries.some(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes(text))
    }
    const client = new pg.Client({ connectionString: server.env['DATABASE_URL'] ?? '' })
    await client.connect()
    try {
      const { rows } = await client.query<{ name: string }>(
        `select table_name as name from information_schema.tables where table_schema = 'public'`,
      )
      for (const { name } of rows) {
        const { rowCount } = await client.query(`select 1 from "${name}" as row where row::text like $1 limit 1`, [`%${text}%`])
        if (rowCount !== 0) return true
      }
      return false
    } finally {
      await client.end()
    }
  }

  test('deletes one chat and no other', async () => {
    const { cookie, session } = await visitor('first cAnAry-one-chat')
    const { session_id: other } = (await (await sendPrompt(server.url, 'me', 'second', { headers: { cookie } })).json()) as SendPromptReply
    expect(await isStored('cAnAry-one-chat')).toBe(true)
    const { receipt } = await receiptOf(await erase(`/api/v1/sessions/${session}`, { cookie }))
    expect(receipt).toMatchObject({ scope: 'session', subject: session, deleted: { chats: 1, messages: 2, answers: 1 } })
    expect(await keysOf({ cookie })).toEqual([other])
    expect((await fetch(`${server.url}/api/v1/sessions/${session}`, { headers: { cookie } })).status).toBe(404)
    expect(await isStored('cAnAry-one-chat')).toBe(false)
    expect((await erase(`/api/v1/sessions/${session}`, { cookie })).status).toBe(404)
  })

  test('deletes all chats and keeps the visitor', async () => {
    const { cookie } = await visitor('cAnAry-all-1')
    for (let count = 2; count <= 25; count += 1) await sendPrompt(server.url, 'me', `cAnAry-all-${count}`, { headers: { cookie } })
    const { receipt } = await receiptOf(await erase('/api/v1/sessions', { cookie }))
    expect(receipt).toMatchObject({ scope: 'sessions', deleted: { chats: 25, messages: 50 } })
    expect(await keysOf({ cookie })).toEqual([])
    expect(await isStored('cAnAry-all-')).toBe(false)
    const me = (await (await fetch(`${server.url}/api/v1/me`, { headers: { cookie } })).json()) as { visitor: unknown }
    expect(me.visitor).not.toBeNull()
  })

  test('deletes a visitor: rows, key, cookies and browser storage', async () => {
    const { cookie } = await visitor('cAnAry-forget')
    const { visitor: known } = (await (await fetch(`${server.url}/api/v1/me`, { headers: { cookie } })).json()) as {
      visitor: { sub: string }
    }
    const response = await erase('/api/v1/me', { cookie })
    expect(response.headers.get('clear-site-data')).toBe('"storage"')
    expect(response.headers.getSetCookie().join()).toMatch(/visitor=;.*Max-Age=0.*privacy-consent=;.*Max-Age=0/)
    const { receipt } = await receiptOf(response)
    expect(receipt).toMatchObject({ scope: 'everything', deleted: { visitor: 1, devices: 1, chats: 1, messages: 2 } })
    expect(await isStored('cAnAry-forget')).toBe(false)
    expect(await isStored(known.sub)).toBe(false)
    const bearer = `Bearer ${cookie.slice(cookie.indexOf('=') + 1)}`
    expect((await fetch(`${server.url}/api/v1/sessions`, { headers: { authorization: bearer } })).status).toBe(401)
    const again = await receiptOf(await erase('/api/v1/me', { cookie }))
    expect(Object.values(again.receipt.deleted).every((count) => count === 0)).toBe(true)
  })

  test('stops running turns first, and notifies their readers', async () => {
    const response = await streamPrompt(server.url, 'me', 'slow: cAnAry-running')
    const cookie = cookieOf(response)
    const events = readEvents(response)
    let chunk = (await events.next()).value?.chunk
    while (chunk?.type !== 'text-delta') chunk = (await events.next()).value?.chunk
    const request = model.requests.find(({ prompt }) => prompt === 'slow: cAnAry-running')
    const { receipt } = await receiptOf(await erase('/api/v1/me', { cookie }))
    expect(receipt).toMatchObject({ stoppedAnswers: 1, deleted: { chats: 1 } })
    expect(await request?.ended).toBe(true)
    expect((await Array.fromAsync(events)).at(-1)?.chunk).toMatchObject({ type: 'abort' })
    expect(await isStored('cAnAry-running')).toBe(false)
  })

  test('does not affect another visitor’s chats, and replies for them as for unknown ones', async () => {
    const owner = await visitor('mine')
    await listSessions(server.url, 'me', { cookie: owner.cookie })
    await fetch(`${server.url}/api/v1/sessions/${owner.session}`, { headers: { cookie: owner.cookie } })
    const { cookie } = await visitor('somebody else')
    const replies = await Promise.all(
      [owner.session, 'A'.repeat(21)].map(async (key) => {
        const response = await erase(`/api/v1/sessions/${key}`, { cookie })
        const headers = [...response.headers].filter(([name]) => name !== 'date' && name !== 'x-request-id')
        return [response.status, headers, await response.text()]
      }),
    )
    expect(replies[0]).toEqual(replies[1])
    expect(replies[0]?.[0]).toBe(404)
    await erase('/api/v1/sessions', { cookie })
    await erase('/api/v1/me', { cookie })
    await erase('/api/v1/me')
    expect(await keysOf({ cookie: owner.cookie })).toEqual([owner.session])
  })

  test('works for a client-chosen id, and for a chat that its session id alone opens', async () => {
    await sendPrompt(server.url, 'my-own-id', 'hello')
    const { receipt } = await receiptOf(await erase('/api/v1/me?id=my-own-id'))
    expect(receipt.deleted).toMatchObject({ chats: 1, messages: 2 })
    expect(await listSessions(server.url, 'my-own-id')).toEqual([])
    const { session } = await visitor('hello')
    expect((await receiptOf(await erase(`/api/v1/sessions/${session}`))).receipt.deleted['chats']).toBe(1)
  })

  test('returns a receipt that anyone can verify and nobody can alter', async () => {
    const { cookie } = await visitor('to be forgotten')
    const reply = await receiptOf(await erase('/api/v1/me', { cookie }))
    const file = join(server.dataDirectory, 'receipt.json')
    writeFileSync(file, JSON.stringify(reply))
    const { stdout } = await run(process.execPath, [CHECK_RECEIPT, file, server.url])
    expect(stdout).toContain('The signature is valid.')
    expect(JSON.parse(stdout.slice(0, stdout.lastIndexOf('}') + 1))).toEqual(reply.receipt)
    expect(reply.receipt.outOfReach.map(({ what }) => what)).toContain('Backups')
    expect(reply.receipt.outOfReach).toHaveLength(database === 'sqlite' ? 2 : 3)
    expect(reply.receipt.files).toBe(database === 'sqlite' ? 'overwritten' : 'left-to-the-database')

    const [header, , signature] = reply.jws.split('.')
    const forged = Buffer.from(JSON.stringify({ ...reply.receipt, deleted: {} })).toString('base64url')
    writeFileSync(file, `${header}.${forged}.${signature}`)
    await expect(run(process.execPath, [CHECK_RECEIPT, file, server.url])).rejects.toMatchObject({ code: 1 })
  })

  test('is rejected from other sites, and needs no consent, so that it works after consent is withdrawn', async () => {
    const { cookie, session } = await visitor('guarded')
    const from = (site: string, consent = '') => ({ cookie: `${cookie}${consent}`, 'sec-fetch-site': site })
    for (const path of [`/api/v1/sessions/${session}`, '/api/v1/sessions', '/api/v1/me']) {
      expect((await erase(path, from('cross-site', '; privacy-consent=true'))).status).toBe(403)
      expect((await erase(path, { cookie, origin: 'null' })).status).toBe(403)
      expect((await erase(`${path}?all=1`, { cookie })).status).toBe(400)
    }
    expect(spoken((await listSessions(server.url, 'me', { cookie }))[0])[0]).toEqual(['human', 'guarded'])
    expect((await erase(`/api/v1/sessions/${session}`, from('same-origin', '; privacy-consent=false'))).status).toBe(200)
  })
  test.skipIf(database === 'postgres')('stays in force when an older database is restored', async () => {
    const erased = await visitor('cAnAry-restored')
    const kept = await visitor('kept')
    const file = join(server.dataDirectory, 'parley.db')
    await server.kill()
    const backup = readFileSync(file)
    await server.restart()
    await receiptOf(await erase('/api/v1/me', { cookie: erased.cookie }))
    await server.kill()
    writeFileSync(file, backup)
    await server.restart()
    expect(await keysOf({ cookie: erased.cookie })).toEqual([])
    expect(await keysOf({ cookie: kept.cookie })).toEqual([kept.session])
    expect(await isStored('cAnAry-restored')).toBe(false)
    await expect.poll(() => server.output()).toContain('The database was older than the ledger of erasures')
  })
})
