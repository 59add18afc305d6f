import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SendPromptReply } from '../../src/contract/chat/chat.ts'
import type { SessionDetail } from '../../src/contract/chat/sessions.ts'
import type { UploadDetails } from '../../src/contract/staff/content/knowledge.ts'
import type { TopicList } from '../../src/contract/staff/questions.ts'
import type { SearchTestResult } from '../../src/contract/staff/content/search-test.ts'
import { cookieOf } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { withConstants } from '../../scripts/constants.mjs'
import { freePort } from '../support/free-port.ts'
import { runSql } from '../support/run-sql.ts'
import { tablesWith } from '../support/stored-text.ts'
import { sampleSize } from '../support/sample-size.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { consoleOf, StaffClient } from '../support/staff-client.ts'

/** Random numbers from 0 to 1 that a seed repeats. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

interface Chat {
  cookie: string
  session: string
  state: string
  network: string
}

const DAY_MS = 86_400_000
const SEEDS = Array.from({ length: sampleSize({ long: 3, short: 1 }) }, (_, index) => index + 1)
/** In the first hour after midnight too: two days later, the day's salt is gone. */
const BUILT_AT_ONCE = withConstants({ lateWritesMs: 0 })

describe.each(DATABASES)('questions without an answer on %s', (database) => {
  let server: TestServer
  let owner: StaffClient
  beforeAll(async () => {
    server = await startServer({
      database,
      env: { CONSOLE_PORT: String(await freePort()), TRUSTED_PROXIES: '127.0.0.1', ...BUILT_AT_ONCE },
    })
    const { origin, link } = await consoleOf(server)
    owner = new StaffClient(origin)
    await owner.enter(link)
  })
  afterAll(() => server.stop())

  let visitors = 0
  /** Asks as a new visitor on a network of their own, or in a chat. */
  async function ask(prompt: string, { body = {}, chat, network }: { body?: object; chat?: Chat; network?: string } = {}): Promise<Chat> {
    visitors += 1
    const address = network ?? chat?.network ?? `203.0.${visitors >> 8}.${visitors & 255}`
    const response = await fetch(`${server.url}/api/v1/agent/chat/me${chat ? `?session_id=${chat.session}` : ''}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address, ...(chat && { cookie: chat.cookie }) },
      body: JSON.stringify({ prompt, ...body }),
    })
    const { session_id: session, state } = (await response.json()) as SendPromptReply
    return { cookie: chat?.cookie ?? cookieOf(response), session, state, network: address }
  }
  const askAll = async (prompts: string[], options?: { network: string }) => {
    const chats: Chat[] = []
    for (const prompt of prompts) chats.push(await ask(prompt, options))
    return chats
  }
  const erase = ({ cookie, session }: Chat) => fetch(`${server.url}/api/v1/sessions/${session}`, { method: 'DELETE', headers: { cookie } })
  const list = async () => (await owner.call<TopicList>('GET', 'questions')).body
  const topicWith = async (word: string) =>
    (await list()).topics.find(({ words, phrases }) => [...words, ...phrases].join(' ').includes(word))
  const search = (query: string, agent = 'assistant', client = owner) =>
    client.call<SearchTestResult>('GET', `search-test?${new URLSearchParams({ agent, query }).toString()}`)
  const upload = (name: string, text: string) =>
    owner.call<UploadDetails>('POST', `knowledge/uploads?name=${name}&owner=Harbour`, Buffer.from(text))

  /** Makes today a day that is over, and waits for its topics. */
  async function endDay(): Promise<void> {
    const now = Date.now()
    const yesterday = new Date(now - DAY_MS).toISOString().slice(0, 10)
    await server.kill()
    for (const statement of [
      `UPDATE turns SET started_at = started_at - ${DAY_MS}`,
      `UPDATE feedback SET given_at = given_at - ${DAY_MS}`,
      `DELETE FROM address_salts WHERE day < ${Math.floor(now / DAY_MS)}`,
      `UPDATE address_salts SET day = day - 1`,
      `DELETE FROM daily_topics`,
      `UPDATE daily_visitors SET day = '${yesterday}'`,
    ])
      await runSql(server, statement)
    await server.restart()
    // Afterwards, nothing says which network a visitor came from.
    await eventually(async () => {
      const tables = await tablesWith(server, yesterday)
      expect([tables.includes('daily_topics'), tables.includes('daily_visitors')]).toEqual([true, false])
    })
  }

  test('are topics of a day that is over, from five visitors on five networks on', async () => {
    const chats = await askAll(['zeppelin rides', 'Where do zeppelins land?', 'zeppelin', 'book a zeppelin please'])
    expect(chats.map(({ state }) => state)).toEqual(['not_covered', 'not_covered', 'not_covered', 'not_covered'])
    await ask('my zeppelin, temporarily', { body: { temporary: true, history: [] } })
    await ask('another zeppelin of mine', { chat: chats[0]! })
    await ask('zeppelin over Ada Lovelace Street 7')
    const balloons = await askAll(['balloon', 'balloon rides', 'a balloon', 'Where is the balloon?', 'balloons'])
    expect((await erase(balloons[4]!)).status).toBe(200)
    // A reviewer's four browsers with a list of words, and one visitor who used some of them.
    await ask('Does my landlord Hinterhuber know about my epilepsy medication keppra')
    const words = 'Does landlord hinterhuber epilepsy medication keppra asylum divorce'
    await askAll(
      Array.from({ length: 4 }, () => words),
      { network: '198.51.100.7' },
    )
    const rated = await askAll(['What is Parley?', 'what is parley', 'Tell me about Parley', 'Was ist Parley?', 'Is Parley open source?'])
    expect(rated.map(({ state }) => state)).toEqual(Array(5).fill('answered'))
    for (const { cookie, session } of rated) {
      const { messages } = (await (
        await fetch(`${server.url}/api/v1/sessions/${session}`, { headers: { cookie } })
      ).json()) as SessionDetail
      const response = await fetch(`${server.url}/api/v1/sessions/${session}/feedback`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie },
        body: JSON.stringify({ message: messages.at(-1)?.id, thumb: 'down', reason: 'a secret reason' }),
      })
      expect(response.status).toBe(200)
    }
    expect(await list()).toEqual({ topics: [], days: 30, outcome: 'not_enough' })
    await endDay()
    const found = await list()
    expect(found).toMatchObject({ outcome: 'topics' })
    expect(await topicWith('zeppelin')).toMatchObject({ visitors: 5, prompts: 6, days: 1 })
    expect(await topicWith('parley')).toMatchObject({ words: ['parley'], ratedDown: 5 })
    expect(found.topics).toHaveLength(2)
    expect(JSON.stringify(found.topics.map((topic) => ({ ...topic, id: undefined })))).not.toMatch(
      /lovelace|ada|landlord|hinterhuber|keppra|epilepsy|medication|balloon|secret/i,
    )

    // Dismissed by editors, which the audit log records, until a later day has it.
    const topic = await topicWith('zeppelin')
    const reviewer = await owner.colleague('reviewer')
    expect(await reviewer.call('POST', `questions/${topic?.id}/dismissal`, {})).toMatchObject({ status: 403 })
    expect(await owner.call('POST', `questions/${topic?.id}/dismissal`, {})).toMatchObject({ status: 200 })
    expect(await topicWith('zeppelin')).toBeUndefined()
    const { body } = await owner.call<{ entries: { action: string }[] }>('GET', 'audit')
    expect(body.entries[0]?.action).toBe('topic.dismiss')
  })

  test('are none, which is said, where all visitors come from one network', async () => {
    await askAll(['trampoline', 'a trampoline', 'trampoline park', 'big trampoline', 'old trampoline'], { network: '198.51.100.7' })
    await endDay()
    expect((await list()).outcome).toBe('one_network')
    expect(await topicWith('trampoline')).toBeUndefined()
  })

  test('show the passages nearest to the words that five visitors share, and why these do not answer', async () => {
    await upload('harbour.md', `# Harbour\n\n## Harbour festival\n\n${'The harbour festival is in June. '.repeat(30)}\n`)
    const asked = [
      'harbour sauna',
      'Is there a harbour sauna?',
      'harbour sauna tickets',
      'the harbour sauna please',
      'harbour sauna Grace Hopper',
    ]
    const chats = await askAll(asked)
    expect(chats.map(({ state }) => state)).toEqual(asked.map(() => 'not_covered'))
    await endDay()
    const topic = await topicWith('sauna')
    expect([topic?.phrases, topic?.words]).toEqual([['harbour sauna'], []])
    const { status, body } = await search('harbour sauna', 'assistant', await owner.colleague('reviewer'))
    expect({ status, body }).toMatchObject({ status: 200, body: { usedBy: 'builtin', minRelevance: 0.5 } })
    const [nearest] = body.passages
    expect(nearest).toMatchObject({
      file: 'source:uploads/harbour.md',
      breadcrumb: 'Harbour › Harbour festival',
      score: 1,
      missed: 'low_relevance',
    })
    expect(nearest?.relevance).toBeLessThan(0.5)
    expect(JSON.stringify(body)).not.toMatch(/hopper|tickets/i)
    expect(await search('harbour sauna', 'unknown')).toMatchObject({ status: 404 })
    expect(await search('harbour sauna', 'assistant', await owner.colleague('viewer'))).toMatchObject({ status: 403 })
  })

  test.each(SEEDS)('have nothing in any reply that fewer than five visitors wrote (chats %i)', async (seed) => {
    const random = randomFrom(seed)
    // Words that no other test uses; some are in the knowledge, where they stay.
    const words = ['kayak', 'kayaks', 'jetty', 'lantern', 'regatta', 'mooring', 'buoy', 'lighthouse'].map(
      (word) => `${word}${'xyz'[seed - 1]}`,
    )
    await upload(`lanterns-${seed}.md`, `# Lantern ${words[3]}\n\nEvery ${words[0]} has a ${words[3]}. The ${words[7]} has none.\n`)
    const writers = new Map<string, Set<number>>()
    const chats = new Map<number, Chat>()
    for (let prompt = 0; prompt < 24; prompt += 1) {
      const visitor = Math.floor(random() * 12)
      const used = Array.from({ length: 1 + Math.floor(random() * 3) }, () => words[Math.floor(random() ** 2 * words.length)] ?? '')
      for (const word of used) writers.set(word, (writers.get(word) ?? new Set()).add(visitor))
      const chat = chats.get(visitor)
      chats.set(visitor, await ask(`${used.join(' ')} secret${visitor}`, chat && { chat }))
    }
    await endDay()
    const rare = words.filter((word) => (writers.get(word)?.size ?? 0) < 5)
    const forms = (word: string) => new RegExp(`\\b${word}\\b`)
    let searched = 0
    for (const topic of (await list()).topics) {
      const query = [...topic.phrases, ...topic.words].join(' ')
      for (const word of rare) expect(query).not.toMatch(forms(word))
      expect(JSON.stringify([topic, (await search(query)).body])).not.toMatch(/secret\d/)
      if (words.some((word) => forms(word).test(query))) searched += 1
    }
    expect(rare.length).toBeGreaterThan(0)
    expect(searched).toBeGreaterThan(0)
  })
})
