import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ExportDocument } from '../../src/contract/chat/export.ts'
import type { SendPromptReply } from '../../src/contract/chat/chat.ts'
import { cookieOf, sendPrompt } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { seedChats } from '../support/seeded-chats.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { readZip } from '../support/zip.ts'

describe.each(DATABASES)('export on %s', (database) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({ database })
  })
  afterAll(async () => {
    expect(await server.stop(), server.output()).toBe(0)
  })

  const get = (path: string, cookie: string) => fetch(server.url + path, { headers: { cookie } })

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
    return { files, document: JSON.parse(files.get('parley.json') ?? '') as ExportDocument }
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

  test('exports one chat as Markdown or a document, to its owner only', async () => {
    const { cookie, keys } = await visitor('What is 6 * 7?')
    const path = `/api/v1/sessions/${keys[0]}/export`
    expect(await (await get(path, cookie)).text()).toMatch(/^# What is 6 \* 7\?/)
    const response = await get(`${path}?format=json`, cookie)
    expect(((await response.json()) as ExportDocument).chats.map(({ key }) => key)).toEqual(keys)
    expect((await get(`${path}?format=html`, cookie)).status).toBe(400)
    const other = await visitor('somebody else')
    expect((await get(path, other.cookie)).status).toBe(404)
    expect((await get('/api/v1/me/export', 'visitor=x')).status).toBe(404)
  })

  test('exports sources within their limits, without addresses that are not web pages', async () => {
    const { cookie } = await visitor('mine')
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
    const { visitor: me } = (await (await get('/api/v1/me', cookie)).json()) as { visitor: { sub: string } }
    const [key = ''] = await seedChats(server, me.sub, [{ title: 'Cited', messages: [{ role: 'assistant', parts }] }])
    const empty = { breadcrumb: '', quote: '', asOf: null, address: null }
    const bounded = { breadcrumb: 'b'.repeat(500), quote: 'q'.repeat(1_000), asOf: null, address: null }
    const kept = [
      source(1, citation, 'Returns ![x](https://evil.example/)'),
      source(2, bounded, 'Hostile'),
      source(3, empty, 'No citation'),
      parts[3],
    ]
    const exported = (await (await get(`/api/v1/sessions/${key}/export?format=json`, cookie)).json()) as ExportDocument
    expect(exported.chats[0]?.messages[0]?.parts).toEqual(kept)
    const markdown = await (await get(`/api/v1/sessions/${key}/export`, cookie)).text()
    const first = '- [1] Returns !\\[x\\](https://evil.example/), Returns › Time limits, as of 2026-11-22, <https://shop.example/returns>'
    const lists = `Sources:\n\n${first}\n- [3] No citation, returns.html\n\nAlso searched:\n\n- [2] Hostile, ${'b'.repeat(500)}, returns.html\n`
    expect(markdown).toContain(`You have 30 days [1]. So [3].\n\n${lists}`)
    const { files } = await exportOf(cookie)
    expect([...files.values()].filter((file) => file.includes(first))).toHaveLength(1)
  })
})
