import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ExportDocument, type ImportReply } from '../../src/contract/chat/export.ts'
import type { SendPromptReply } from '../../src/contract/chat/chat.ts'
import type { SessionDetail, SessionList } from '../../src/contract/chat/sessions.ts'
import { cookieOf, sendPrompt } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { openTricklingBodies, sendRaw } from '../support/raw-http.ts'
import { runSql } from '../support/run-sql.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { readZip } from '../support/zip.ts'

describe.each(DATABASES)('export and import on %s', (database) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({ database })
  })
  afterAll(async () => {
    expect(await server.stop(), server.output()).toBe(0)
  })

  const get = (path: string, cookie: string) => fetch(server.url + path, { headers: { cookie } })
  const take = (document: unknown, cookie?: string) =>
    fetch(`${server.url}/api/v1/me/import`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(cookie && { cookie }) },
      body: typeof document === 'string' ? document : JSON.stringify(document),
    })
  const taken = async (response: Response) => {
    expect(response.status).toBe(200)
    return (await response.json()) as ImportReply
  }
  const sessionsOf = async (cookie: string) => ((await (await get('/api/v1/sessions', cookie)).json()) as SessionList).sessions
  const detailOf = async (key: string, cookie: string) => (await (await get(`/api/v1/sessions/${key}`, cookie)).json()) as SessionDetail

  /** A new visitor with one chat per prompt. */
  async function visitor(...prompts: string[]): Promise<{ cookie: string; keys: string[] }> {
    let cookie = ''
    const keys: string[] = []
    for (const prompt of prompts) {
      const response = await sendPrompt(server.url, 'me', prompt, { headers: cookie ? { cookie } : {} })
      cookie ||= cookieOf(response)
      keys.push(((await response.json()) as SendPromptReply).session_id)
    }
    return { cookie, keys }
  }

  async function exportOf(cookie: string) {
    const response = await get('/api/v1/me/export', cookie)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/zip')
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="chats-\d{4}-\d\d-\d\d\.zip"$/)
    const files = await readZip(Buffer.from(await response.arrayBuffer()))
    return { files, document: ExportDocument.parse(JSON.parse(files.get('parley.json') ?? '')) }
  }

  test('exports a ZIP with all chats as JSON and Markdown', async () => {
    const { cookie, keys } = await visitor('What is 6 * 7?', 'hello <script>alert(1)</script> / ..\\..\\x', 'größe 🙂')
    const { files, document } = await exportOf(cookie)
    expect(document.chats.map((chat) => chat.key)).toEqual(keys)
    const [first] = document.chats
    expect(first?.messages[0]).toMatchObject({ role: 'user', parts: [{ type: 'text', text: 'What is 6 * 7?' }] })
    expect(first?.messages[1]).toMatchObject({ role: 'assistant', status: 'done', model: expect.any(String) })
    expect(first?.messages[1]?.parts.some((part) => part.type === 'tool-calculator')).toBe(true)
    const names = [...files.keys()].filter((name) => name !== 'parley.json')
    expect(names.map((name) => name.replace(/\d{4}-\d\d-\d\d/, 'DAY'))).toEqual([
      'chats/0001 DAY What is 6 7.md',
      'chats/0002 DAY hello script alert 1 script x.md',
      'chats/0003 DAY größe.md',
    ])
    expect(files.get(names[0] ?? '')).toMatch(/^# What is 6 \* 7\?\n[^]*## You[^]*What is 6 \* 7\?[^]*## Assistant[^]*calculator[^]*42/)
  })

  test('imports each chat of an export once, as a new chat of the importing visitor', async () => {
    const { cookie, keys } = await visitor('What is 6 * 7?', 'hello')
    const { document } = await exportOf(cookie)
    const response = await take(document)
    const device = cookieOf(response)
    const first = await taken(response)
    expect(first).toMatchObject({ imported: 2, skipped: 0 })
    expect(first.sessions.filter((key) => keys.includes(key))).toEqual([])
    expect((await sessionsOf(device)).map(({ title }) => title)).toEqual(['hello', 'What is 6 * 7?'])
    const [original, copy] = [await detailOf(keys[0] ?? '', cookie), await detailOf(first.sessions[0] ?? '', device)]
    expect(copy.messages.map(({ role, parts }) => ({ role, parts }))).toEqual(
      original.messages.map(({ role, parts }) => ({ role, parts: parts.map((part) => expect.objectContaining({ type: part.type })) })),
    )
    expect(copy.messages.map(({ id }) => id)).not.toEqual(original.messages.map(({ id }) => id))
    expect((await get(`/api/v1/sessions/${first.sessions[0]}`, cookie)).status).toBe(404)

    expect(await taken(await take(document, device))).toEqual({ imported: 0, skipped: 2, withoutRoom: 0, sessions: [] })
    await fetch(`${server.url}/api/v1/sessions/${first.sessions[0]}`, { method: 'DELETE', headers: { cookie: device } })
    expect(await taken(await take(document, device))).toMatchObject({ imported: 1, skipped: 1 })
    const again = await exportOf(device)
    const content = (chats: ExportDocument['chats']) =>
      chats.map(({ key: _key, ...chat }) => chat).sort((a, b) => (a.title < b.title ? -1 : 1))
    expect(content(again.document.chats)).toEqual(content(document.chats))
  })

  test('lists an imported chat under its original day, never in the future, and keeps it as long as a new one', async () => {
    const { cookie, keys } = await visitor('a chat of now')
    const said = '2020-02-02T02:02:02.000Z'
    const messages = [{ role: 'user', createdAt: said, parts: [{ type: 'text', text: 'a chat of then' }] }]
    const then = { title: 'then', agent: 'assistant', createdAt: said, updatedAt: said, messages }
    const later = { ...then, title: 'later', updatedAt: '2999-01-01T00:00:00.000Z' }
    const { document } = await exportOf(cookie)
    const { sessions } = await taken(await take({ ...document, chats: [then, later] }, cookie))
    const listed = await sessionsOf(cookie)
    expect(listed.map(({ key }) => key)).toEqual([sessions[1], keys[0], sessions[0]])
    const [imported, own, old] = listed
    expect(old).toMatchObject({ createdAt: said, updatedAt: said })
    expect(old!.expiresAt).toBe(imported!.expiresAt)
    expect(imported!.expiresAt >= own!.expiresAt).toBe(true)
  })

  test('continues an imported chat like any other', async () => {
    const { cookie } = await visitor('hello')
    const { sessions } = await taken(await take((await exportOf(cookie)).document, cookie))
    const reply = await sendPrompt(server.url, 'me', 'What is 2 + 2?', { session: sessions[0] ?? '', headers: { cookie } })
    expect(((await reply.json()) as SendPromptReply).session_id).toBe(sessions[0])
    expect((await detailOf(sessions[0] ?? '', cookie)).messages).toHaveLength(4)
  })

  test('exports one chat as Markdown or a document, to its owner only', async () => {
    const { cookie, keys } = await visitor('What is 6 * 7?')
    const path = `/api/v1/sessions/${keys[0]}/export`
    expect(await (await get(path, cookie)).text()).toMatch(/^# What is 6 \* 7\?/)
    const response = await get(`${path}?format=json`, cookie)
    expect(ExportDocument.parse(await response.json()).chats.map(({ key }) => key)).toEqual(keys)
    expect((await get(`${path}?format=html`, cookie)).status).toBe(400)
    const other = await visitor('somebody else')
    expect((await get(path, other.cookie)).status).toBe(404)
    expect((await get('/api/v1/me/export', 'visitor=x')).status).toBe(404)
  })

  test('preserves sources through import and export, and drops addresses that are not web pages', async () => {
    const { cookie } = await visitor('mine')
    const at = new Date().toISOString()
    const citation = {
      breadcrumb: 'Returns › Time limits',
      quote: 'You have **30 days**.',
      asOf: '2026-11-22',
      address: 'https://shop.example/returns',
      place: 'page 3',
    }
    const source = (number: number, parley: object, title: string) => ({
      type: 'source-document',
      sourceId: `${number}`,
      mediaType: 'text/html',
      title,
      filename: 'returns.html',
      providerMetadata: { parley },
    })
    const hostile = { breadcrumb: 'b'.repeat(9_999), quote: 'q'.repeat(9_999), asOf: 'never', address: 'javascript:alert(1)', owner: 'x' }
    const parts = [
      source(1, citation, 'Returns ![x](https://evil.example/)'),
      source(2, hostile, 'Hostile'),
      source(3, { quote: 5 }, 'No citation'),
      { type: 'text', text: 'You have 30 days [1]. So [3].' },
    ]
    const messages = [{ role: 'assistant', createdAt: at, parts }]
    const chat = { title: 'Cited', agent: 'assistant', createdAt: at, updatedAt: at, messages }
    const document = { format: 'parley-export', version: 1, exportedAt: at, installation: 'x', chats: [chat] }
    const { sessions } = await taken(await take(document, cookie))
    const key = sessions[0] ?? ''
    const bounded = { breadcrumb: 'b'.repeat(500), quote: 'q'.repeat(1_000), asOf: null, address: null }
    const { providerMetadata: _, ...bare } = source(3, {}, 'No citation')
    const kept = [source(1, citation, 'Returns ![x](https://evil.example/)'), source(2, bounded, 'Hostile'), bare, parts[3]]
    expect((await detailOf(key, cookie)).messages[0]?.parts).toEqual(kept)
    const exported = await (await get(`/api/v1/sessions/${key}/export?format=json`, cookie)).json()
    expect(ExportDocument.parse(exported).chats[0]?.messages[0]?.parts).toEqual(kept)
    expect(await taken(await take(exported, cookie))).toMatchObject({ skipped: 1 })
    const markdown = await (await get(`/api/v1/sessions/${key}/export`, cookie)).text()
    const first = '- [1] Returns !\\[x\\](https://evil.example/), Returns › Time limits, as of 2026-11-22, <https://shop.example/returns>'
    const lists = `Sources:\n\n${first}\n- [3] No citation, returns.html\n\nAlso searched:\n\n- [2] Hostile, ${'b'.repeat(500)}, returns.html\n`
    expect(markdown).toContain(`You have 30 days [1]. So [3].\n\n${lists}`)
    const { files } = await exportOf(cookie)
    expect([...files.values()].filter((file) => file.includes(first))).toHaveLength(1)
  })

  test('rejects an invalid document, stores nothing, and does not quote it', async () => {
    const { cookie } = await visitor('mine')
    const { document } = await exportOf(cookie)
    const [chat] = document.chats
    const broken = [
      '',
      '{"format":',
      '[]',
      { ...document, version: 9 },
      { ...document, cAnAry: 1 },
      { ...document, chats: [chat, { ...chat, owner: 'cAnAry' }] },
      '['.repeat(50_000) + ']'.repeat(50_000),
    ]
    for (const body of broken) {
      const response = await take(body, cookie)
      expect(response.status).toBe(400)
      expect(await response.text()).not.toContain('cAnAry')
    }
    expect(await sessionsOf(cookie)).toHaveLength(1)
  })

  test('accepts up to 10 MB without delaying others, and cuts off larger bodies', async () => {
    const { cookie } = await visitor('mine')
    const { document } = await exportOf(cookie)
    const [chat] = document.chats
    const message = (text: string) => ({ role: 'user', createdAt: document.exportedAt, parts: [{ type: 'text', text }] })
    const large = {
      ...document,
      chats: Array.from({ length: 9 }, (_, index) => ({
        ...chat,
        title: `large ${index}`,
        messages: Array.from({ length: 5 }, () => message('x'.repeat(200_000))),
      })),
    }
    expect(await taken(await take(large, cookie))).toMatchObject({ imported: 9 })
    expect((await exportOf(cookie)).document.chats).toHaveLength(10)
    const residentBytes = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) * 1024
    const before = residentBytes()
    const head = ['POST /api/v1/me/import HTTP/1.1', 'Host: localhost', 'Content-Type: application/json']
    const whole = await sendRaw(server.url, [[...head, 'Content-Length: 10485761', '', ''].join('\r\n'), '{'])
    expect(whole.status).toBe(413)
    let sent = 0
    const chunked = await sendRaw(
      server.url,
      (function* () {
        yield [...head, 'Transfer-Encoding: chunked', '', ''].join('\r\n')
        const piece = Buffer.from(`10000\r\n${' '.repeat(0x10000)}\r\n`)
        for (; sent < 256 * 1024 ** 2; sent += 0x10000) yield piece
      })(),
    )
    expect(chunked.status).toBe(413)
    expect(sent).toBeLessThan(64 * 1024 ** 2)
    expect(residentBytes() - before).toBeLessThan(96 * 1024 ** 2)
  })

  test('imports while other documents arrive slowly', async () => {
    const { cookie } = await visitor('mine')
    const { document } = await exportOf(cookie)
    const head = ['POST /api/v1/me/import HTTP/1.1', 'Host: localhost', 'Content-Type: application/json']
    const close = await openTricklingBodies(server.url, 2, head)
    try {
      expect(await taken(await take(document))).toMatchObject({ imported: 1 })
    } finally {
      close()
    }
  })

  test('limits what an import stores, leaves out the excess, and has room again after a deletion', async () => {
    const { cookie } = await visitor('mine')
    const { document } = await exportOf(cookie)
    const message = { role: 'user', createdAt: document.exportedAt, parts: [{ type: 'text', text: 'x'.repeat(250_000) }] }
    const chats = (name: string) => [{ ...document.chats[0], title: name, messages: Array.from({ length: 36 }, () => message) }]
    expect(await taken(await take({ ...document, chats: chats('1') }, cookie))).toMatchObject({ imported: 1, withoutRoom: 0 })
    // As if four more such documents had been imported, which takes a minute.
    await runSql(server, 'UPDATE imports SET characters = 5 * characters WHERE characters BETWEEN 8000000 AND 10000000')
    expect(await taken(await take({ ...document, chats: chats('2') }, cookie))).toMatchObject({ imported: 0, withoutRoom: 1 })
    await fetch(`${server.url}/api/v1/sessions`, { method: 'DELETE', headers: { cookie } })
    expect(await taken(await take({ ...document, chats: chats('2') }, cookie))).toMatchObject({ imported: 1 })
  })

  test('creates no visitor for an empty import', async () => {
    const response = await take({ format: 'parley-export', version: 1, exportedAt: '2026-11-21T00:00:00Z', installation: 'x', chats: [] })
    expect(response.headers.getSetCookie()).toEqual([])
    expect(await taken(response)).toMatchObject({ imported: 0 })
  })

  test('applies the rules of every write to an import', async () => {
    const body = JSON.stringify((await exportOf((await visitor('x')).cookie)).document)
    const post = (headers: Record<string, string>) => fetch(`${server.url}/api/v1/me/import`, { method: 'POST', headers, body })
    expect((await post({ 'content-type': 'text/plain' })).status).toBe(415)
    expect((await post({ 'content-type': 'application/json', origin: 'https://evil.example' })).status).toBe(403)
    expect((await post({ 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' })).status).toBe(428)
  })
})
