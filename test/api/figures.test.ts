import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SessionDetail } from '../../src/contract/chat/sessions.ts'
import type { Figures } from '../../src/contract/staff/figures.ts'
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
    server = await startServer({ database, env: { ...WITH_CONSOLE, FRAME_ANCESTORS: SHOP } })
    const { origin, link } = await consoleOf(server)
    owner = new StaffClient(origin)
    await owner.enter(link)
  })
  afterAll(() => server.stop())

  const read = async (query = '') => (await owner.call<Figures>('GET', `figures${query}`)).body
  const csv = async (query: string) =>
    (await fetch(`${owner.origin}/api/staff/v1/figures.csv?${query}`, { headers: { cookie: owner.cookie ?? '' } })).text()

  test('shows nothing of four prompts, and the sums of five', async () => {
    for (let visitor = 1; visitor <= 4; visitor++) await (await sendPrompt(server.url, `visitor-${visitor}`, 'What is Parley?')).json()
    await eventually(async () => expect((await read()).isPending).toBe(true))
    expect(await read()).toMatchObject({ days: [], periods: [], total: { turns: 0 } })
    await (await sendPrompt(server.url, 'visitor-5', 'What is Parley?')).json()
    await eventually(async () => expect((await read()).total.turns).toBe(5))
    const figures = await read()
    expect(figures).toMatchObject({ isPending: false, days: [{ turns: 5, visitors: 5 }], total: { notCovered: { of: 5 } } })
    expect(figures.breakdowns.agent).toMatchObject([{ value: 'assistant', turns: 5 }])
    expect(figures.breakdowns.language).toMatchObject([{ value: 'en', turns: 5 }])
    expect(figures.times.firstText?.median).toBeGreaterThan(0)
    const [day] = figures.days
    expect(await csv('table=days')).toBe(
      `from,to,turns,inputTokens,outputTokens,cost,visitors\r\n${day?.from},${day?.to},5,${day?.inputTokens},${day?.outputTokens},0,5\r\n`,
    )
    expect(await csv('table=state')).toMatch(/^state,turns,.*\r\n\w+,5,/)
  })

  /** Asks from a frame of a site, as a new visitor. */
  const askFramed = async (site: string) => {
    const consented = 'privacy-consent=true'
    const headers = { embedded: 'true', origin: new URL(server.url).origin, 'embedding-site': site, 'content-type': 'application/json' }
    const asked = await sendPrompt(server.url, 'me', 'What is Parley?', { headers: { ...headers, cookie: consented } })
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
    const before = (await read()).total.turns
    const rows = async () => (await read()).breakdowns.embed ?? []
    const shop = await Promise.all(Array.from({ length: 5 }, () => askFramed(SHOP)))
    await Promise.all(Array.from({ length: 5 }, () => askFramed('https://elsewhere.example')))
    for (const { call, lastAnswer } of shop) expect((await call('/regenerate', { message: await lastAnswer() })).status).toBe(200)
    await eventually(async () => expect((await read()).total.turns).toBe(before + 15))
    const turns = (await rows()).map((row) => [row.value, row.turns])
    expect(turns).toHaveLength(3)
    expect(turns).toEqual(
      expect.arrayContaining([
        ['api', before],
        [SHOP, 10],
        ['other', 5],
      ]),
    )
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
