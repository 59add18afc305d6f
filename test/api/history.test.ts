import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MessagePage, SessionDetail, SessionList, SessionSummary } from '../../src/contract/chat/sessions.ts'
import type { Piece, SearchReply } from '../../src/contract/chat/search.ts'
import { textOf } from '../../src/contract/chat/message-text.ts'
import { cookieOf, sendPrompt } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { seedChats } from '../support/seeded-chats.ts'
import { startServer, type TestServer } from '../support/server.ts'

describe.each(DATABASES)('the chats of a visitor on %s', (database) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({ database })
  })
  afterAll(() => server.stop())

  interface Visitor {
    cookie: string
    /** Session keys, in the order of their prompts. */
    keys: string[]
  }

  async function visitor(...prompts: string[]): Promise<Visitor> {
    let cookie = ''
    const keys: string[] = []
    for (const prompt of prompts) {
      const response = await sendPrompt(server.url, 'me', prompt, cookie ? { headers: { cookie } } : {})
      cookie ||= cookieOf(response)
      keys.push(((await response.json()) as { session_id: string }).session_id)
    }
    return { cookie, keys }
  }

  const get = (path: string, { cookie }: Pick<Visitor, 'cookie'>) => fetch(`${server.url}/api/v1${path}`, { headers: { cookie } })
  const read = async <T>(path: string, who: Visitor) => (await (await get(path, who)).json()) as T
  const titlesOf = ({ sessions }: SessionList) => sessions.map(({ title }) => title)

  test('are listed page by page, without duplicates', async () => {
    const someone = await visitor('a', 'b', 'c', 'd', 'e')
    const seen: string[] = []
    let next: string | null = ''
    while (next !== null) {
      const page: SessionList = await read(`/sessions?limit=2${next && `&cursor=${next}`}`, someone)
      expect(page.sessions.length).toBeLessThanOrEqual(2)
      seen.push(...titlesOf(page))
      next = page.next
    }
    expect(seen).toEqual(['e', 'd', 'c', 'b', 'a'])
    expect((await read<SessionList>('/sessions', someone)).next).toBeNull()
  })

  test('return their messages page by page, newest first, or back to a requested message', async () => {
    const someone = await visitor('prompt 1')
    const [key = ''] = someone.keys
    for (const number of [2, 3, 4])
      await sendPrompt(server.url, 'me', `prompt ${number}`, { session: key, headers: { cookie: someone.cookie } })
    const whole = await read<SessionDetail>(`/sessions/${key}`, someone)
    expect(whole).toMatchObject({ earlier: null, messages: { length: 8 } })
    const opened = await read<SessionDetail>(`/sessions/${key}?limit=3`, someone)
    expect(opened.messages).toEqual(whole.messages.slice(5))
    const page = await read<MessagePage>(`/sessions/${key}/messages?limit=3&before=${opened.earlier}`, someone)
    expect(page.messages).toEqual(whole.messages.slice(2, 5))
    const last = await read<MessagePage>(`/sessions/${key}/messages?limit=3&before=${page.earlier}`, someone)
    expect(last).toEqual({ messages: whole.messages.slice(0, 2), earlier: null })
    expect(textOf(whole.messages[0] ?? { parts: [] })).toBe('prompt 1')
  })

  test('reject invalid limits and cursors, and clamp limits that are too large', async () => {
    const someone = await visitor('a', 'b')
    const stranger = await visitor('c', 'd')
    const [key = ''] = someone.keys
    await sendPrompt(server.url, 'me', 'more', { session: key, headers: { cookie: someone.cookie } })
    const { next } = await read<SessionList>('/sessions?limit=1', someone)
    const { earlier } = await read<SessionDetail>(`/sessions/${key}?limit=1`, someone)
    const forged = Buffer.from(JSON.stringify([0, 9e15, 'z'])).toString('base64url')
    const wrong = ['-1', '0', '1.5', 'x', ''].flatMap((limit) => [`/sessions?limit=${limit}`, `/sessions/${key}/messages?limit=${limit}`])
    wrong.push(`/sessions?cursor=${forged}`, `/sessions?cursor=${forged}.${next?.split('.')[1]}`, `/sessions?cursor=${earlier}`)
    wrong.push(
      `/sessions?cursor=x`,
      '/sessions?cursor=',
      `/sessions/${key}/messages?before=${next}`,
      `/sessions/${someone.keys[1]}/messages?before=${earlier}`,
    )
    for (const path of wrong) expect([path, (await get(path, someone)).status]).toEqual([path, 400])
    expect((await get(`/sessions?cursor=${next}`, stranger)).status).toBe(400)
    expect((await read<SessionList>('/sessions?limit=999999', someone)).sessions).toHaveLength(2)
    expect((await read<{ sessions: SessionSummary[] }>(`/sessions?cursor=${next}`, someone)).sessions).toHaveLength(1)
  })

  describe('can be searched', () => {
    const search = (query: string, who: Visitor, more = '') => read<SearchReply>(`/search?q=${encodeURIComponent(query)}${more}`, who)
    const shown = (pieces: Piece[] = []) => pieces.map(({ text, marked }) => (marked ? `[${text}]` : text)).join('')
    const titles = ({ chats }: SearchReply) => chats.map(({ session }) => session.title)

    test('in titles and messages, ignoring accents, with an excerpt', async () => {
      const someone = await visitor('A long question about crème brûlée, if I may', 'something else', '東京の天気は？')
      const found = await search('creme bru', someone)
      expect(titles(found)).toEqual(['A long question about crème brûlée, if I may'])
      expect(shown(found.chats[0]?.excerpt)).toContain('[crème] [brû]lée')
      expect(titles(await search('quest', someone))).toEqual(['A long question about crème brûlée, if I may'])
      expect(titles(await search('天気', someone))).toEqual(['東京の天気は？'])
      expect(await search('!?', someone)).toEqual({ chats: [], next: null })
    })

    test('page by page, in own chats only, without deleted and temporary ones', async () => {
      const someone = await visitor('pears 1', 'pears 2', 'pears 3')
      await visitor('pears of somebody else')
      await fetch(`${server.url}/api/v1/agent/chat/me`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie: someone.cookie },
        body: JSON.stringify({ prompt: 'pears for now', temporary: true }),
      })
      const first = await search('pears', someone, '&limit=2')
      expect(titles(first)).toEqual(['pears 3', 'pears 2'])
      const next = `&limit=2&cursor=${first.next}`
      expect(titles(await search('pears', someone, next))).toEqual(['pears 1'])
      expect((await get(`/search?q=other${next}`, someone)).status).toBe(400)
      for (const wrong of ['', 'q=', 'q=%20', `q=${'x'.repeat(201)}`, 'q=a&q=b', 'q=a&limit=0'])
        expect([wrong, (await get(`/search?${wrong}`, someone)).status]).toEqual([wrong, 400])
      await fetch(`${server.url}/api/v1/sessions/${someone.keys[2]}`, { method: 'DELETE', headers: { cookie: someone.cookie } })
      expect(titles(await search('pears', someone))).toEqual(['pears 2', 'pears 1'])
      expect(await (await fetch(`${server.url}/api/v1/search?q=pears`)).json()).toEqual({ chats: [], next: null })
    })

    test('to the end of a chat that is longer than a page of the search reads', async () => {
      const someone = await visitor('needle at the very beginning')
      const text = `${'hay '.repeat(60_000)}needle`
      const part = { type: 'text', text }
      const messages = Array.from({ length: 42 }, () => ({ role: 'assistant' as const, parts: [part] }))
      const marked = (role: 'user' | 'assistant', words: string) => ({ role, parts: [{ type: 'text', text: words }] })
      const marks = [marked('user', '**Cloth**, as I wrote it'), marked('assistant', '# On cloth\n\n| *cloth* | `3 m` |\n|---|--:|')]
      const { visitor: known } = await read<{ visitor: { sub: string } }>('/me', someone)
      await seedChats(server, known.sub, [
        { title: 'Haystack', messages },
        { title: 'Marks', messages: marks },
      ])
      expect(titles(await search('needle', someone))).toEqual(['Haystack', 'needle at the very beginning'])
      const pagesOf = async (query: string) => {
        const pages: SearchReply[] = [await search(query, someone)]
        while (pages.at(-1)?.next) pages.push(await search(query, someone, `&cursor=${pages.at(-1)?.next}`))
        return pages
      }
      const [cloth] = (await pagesOf('cloth')).flatMap(({ chats }) => chats)
      expect(shown(cloth?.excerpt)).toBe('On [cloth] [cloth] 3 m')
      const pages = await pagesOf('very')
      expect(pages.length).toBeGreaterThan(1)
      expect(pages.flatMap(titles)).toEqual(['needle at the very beginning'])
    })
  })
})
