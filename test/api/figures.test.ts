import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SessionDetail } from '../../src/contract/chat/sessions.ts'
import type { Figures } from '../../src/contract/staff/figures.ts'
import { storedRows } from '../faults/kit/stored-rows.ts'
import { cookieOf, sendPrompt } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { tablesWith } from '../support/stored-text.ts'
import { consoleOf, StaffClient, WITH_CONSOLE } from '../support/staff-client.ts'

const SHOP = 'https://shop.example.org'

describe.each(DATABASES)('figures on %s', (database) => {
  let server: TestServer
  let owner: StaffClient
  beforeAll(async () => {
    server = await startServer({ database, env: { ...WITH_CONSOLE, FRAME_ANCESTORS: SHOP, TRUSTED_PROXIES: '127.0.0.1' } })
    const { origin, link } = await consoleOf(server)
    owner = new StaffClient(origin)
    await owner.enter(link)
  })
  afterAll(() => server.stop())

  const read = async (query = '') => (await owner.call<Figures>('GET', `figures${query}`)).body
  const csv = async (query: string) =>
    (await fetch(`${owner.origin}/api/staff/v1/figures.csv?${query}`, { headers: { cookie: owner.cookie ?? '' } })).text()

  /** Asks as a new visitor from a network of their own, or from another one. */
  let visitors = 0
  const from = (network = `203.0.113.${(visitors += 1)}`) => ({ 'x-forwarded-for': network })
  const prompt = async (headers = from()) => (await sendPrompt(server.url, 'me', 'What is Parley?', { headers })).json()
  /** Waits until what has happened is stored. */
  const written = (turns: number) =>
    eventually(async () => {
      const rows = await storedRows<{ turns: number | string }>(server, "SELECT turns FROM daily_figures WHERE dimension = 'all'")
      expect(rows.reduce((sum, row) => sum + Number(row.turns), 0)).toBe(turns)
    })

  test('shows nothing of four visitors or four networks, and the sums of five', async () => {
    for (let network = 1; network <= 4; network++) await prompt()
    // A reviewer's own browsers, to be told from the one visitor who comes next.
    for (let puppet = 1; puppet <= 4; puppet++) await prompt(from('203.0.113.1'))
    await written(8)
    expect(await read()).toMatchObject({ days: [], periods: [], total: { turns: 0 } })
    await prompt()
    await eventually(async () => expect((await read()).total.turns).toBe(9))
    const figures = await read()
    expect(figures).toMatchObject({ days: [{ turns: 9, visitors: null }], total: { notCovered: { of: 9 } } })
    // One more visitor changes nothing that can be read.
    await prompt()
    await written(10)
    expect(await read()).toEqual(figures)
    const { body: made } = await owner.call<{ token: string }>('POST', 'tokens', { name: 'report', scopes: ['read:figures'], days: 1 })
    const ofToken = await fetch(`${owner.origin}/api/staff/v1/figures`, { headers: { authorization: `Bearer ${made.token}` } })
    expect(await ofToken.json()).toMatchObject({ days: [], total: { turns: 0 }, breakdowns: { agent: [] } })
    expect(figures.breakdowns.agent).toMatchObject([{ value: 'assistant', turns: 9 }])
    expect(figures.breakdowns.language).toMatchObject([{ value: 'en', turns: 9 }])
    expect(figures.times.firstText?.median).toBeGreaterThan(0)
    const [day] = figures.days
    expect(await csv('table=days')).toBe(
      `from,to,turns,inputTokens,outputTokens,cost,visitors\r\n${day?.from},${day?.to},9,${day?.inputTokens},${day?.outputTokens},0,\r\n`,
    )
    expect(await csv('table=state')).toMatch(/^state,turns,.*\r\n\w+,9,/)
  })

  /** Asks from a frame of a site, as a new visitor. */
  const askFramed = async (site: string) => {
    const consented = 'privacy-consent=true'
    const headers = { embedded: 'true', origin: new URL(server.url).origin, 'embedding-site': site, 'content-type': 'application/json' }
    const asked = await sendPrompt(server.url, 'me', 'What is Parley?', { headers: { ...headers, ...from(), cookie: consented } })
    const cookie = `${consented}; ${cookieOf(asked)}`
    const { session_id: session } = (await asked.json()) as { session_id: string }
    const call = (path: string, body?: object) =>
      fetch(`${server.url}/api/v1/sessions/${session}${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { ...headers, cookie },
        ...(body && { body: JSON.stringify(body) }),
      })
    return { call, lastAnswer: async () => ((await (await call('')).json()) as SessionDetail).messages.at(-1)?.id }
  }

  test('tells the sites that embed the page apart, and stores the site with no chat or visitor', async () => {
    const rows = async () => (await read()).breakdowns.embed ?? []
    const shop = await Promise.all(Array.from({ length: 5 }, () => askFramed(SHOP)))
    await Promise.all(Array.from({ length: 5 }, () => askFramed('https://elsewhere.example')))
    for (const { call, lastAnswer } of shop) expect((await call('/regenerate', { message: await lastAnswer() })).status).toBe(200)
    // More visitors, since those of the last slot may be too few.
    await eventually(async () => {
      await prompt()
      const turns = new Map((await rows()).map((row) => [row.value, row.turns]))
      expect([...turns.keys()].toSorted()).toEqual(['api', SHOP, 'other'])
      expect([turns.get(SHOP), turns.get('other')]).toEqual([10, 5])
    })
    for (const { call, lastAnswer } of shop)
      expect((await call('/feedback', { message: await lastAnswer(), thumb: 'up' })).status).toBe(200)
    await eventually(async () => expect((await rows()).find(({ value }) => value === SHOP)?.up).toEqual({ count: 5, of: 10 }))
    expect(await csv('table=embed')).toContain(`\r\n${SHOP},10,`)
    expect(await tablesWith(server, 'shop.example.org')).toEqual(['daily_figures'])
  })

  test('rejects a range that ends before it begins, is too long, or is no date', async () => {
    for (const query of ['?from=2026-11-02&to=2026-11-01', '?from=2020-01-01&to=2026-01-01', '?from=yesterday', '?days=3'])
      expect(await owner.call('GET', `figures${query}`), query).toMatchObject({ status: 400 })
    expect(await owner.call('GET', 'figures?from=2026-11-01&to=2026-11-01')).toMatchObject({ status: 200 })
  })
})
