import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SendPromptReply } from '../../src/contract/chat/chat.ts'
import type { ApprovedAnswerView, ApprovedDraft } from '../../src/contract/staff/content/approved-answers.ts'
import type { UploadDetails } from '../../src/contract/staff/content/knowledge.ts'
import type { ErasureReply, Receipt } from '../../src/contract/rights.ts'
import { answerOf, expectBody, expectReading, type Reading, Visitor } from '../faults/kit/visitor.ts'
import { storedRows } from '../faults/kit/stored-rows.ts'
import { sendPrompt } from '../support/api.ts'
import { eventually } from '../support/eventually.ts'
import { obey } from '../support/obedient-model.ts'
import { type ProcessPair, startPair } from '../support/process-pair.ts'
import { startRedis, type TestRedis } from '../support/redis.ts'
import { isMissing } from '../support/services.ts'
import { followSessions } from '../support/session-events.ts'
import type { TestServer } from '../support/server.ts'
import { consoleOf, StaffClient } from '../support/staff-client.ts'

const FEE: ApprovedDraft = {
  question: 'What does the zeppelin cost?',
  matches: [],
  mustNotMatch: [],
  languages: ['en'],
  owner: 'Ada',
  sourceTitle: 'Fees',
  sourceUrl: '',
  validFrom: '2026-01-01',
  validUntil: '9999-12-31',
  text: 'It costs 140 euros.',
}

const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`).join(' ')

/** An answer with a controlled duration. */
const slowly = (count: number, tokensPerSecond: number) => [{ text: words(count), tokensPerSecond }]

/** Sends a new visitor's first prompt and resolves when the turn is known. */
async function startTurn(url: string, prompt: string): Promise<{ visitor: Visitor; turn: Reading }> {
  const visitor = new Visitor(url)
  const turn = expectReading(await visitor.send(prompt))
  await turn.begun
  return { visitor, turn }
}

/** The same visitor at another process. */
function at(url: string, { cookie }: Visitor): Visitor {
  const visitor = new Visitor(url)
  visitor.cookie = cookie
  return visitor
}

async function storedText(visitor: Visitor, { session, turn }: Reading): Promise<string> {
  return answerOf(expectBody(await visitor.session(session)), turn)?.text ?? ''
}

const receiptIn = (jws: string) => JSON.parse(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString()) as Receipt

async function shows(reading: Reading, text: string): Promise<void> {
  await expect.poll(() => reading.text).toContain(text)
}

const hasPostgres = !isMissing('postgresql')

describe.skipIf(!hasPostgres).each(['with Redis', 'without Redis'])('two processes %s', (how) => {
  let redis: TestRedis | undefined
  let pair: ProcessPair
  let owner: StaffClient
  beforeAll(async () => {
    redis = how === 'with Redis' ? await startRedis() : undefined
    pair = await startPair({ ...(redis && { redisUrl: redis.url }), consolePort: '0' })
    const { origin, link } = await consoleOf(pair.near)
    owner = new StaffClient(origin)
    await owner.enter(link)
  })
  afterAll(async () => {
    await pair.stop()
    await redis?.kill()
  })

  const callsWith = (prompt: string) => pair.model.requests.filter((request) => request.prompt === prompt)

  test('each follows a running turn of the other, from its start and from any event', async () => {
    const { near, far, model } = pair
    model.script(slowly(60, 20))
    const { visitor, turn } = await startTurn(near.url, 'Follow me')
    const there = at(far.url, visitor)
    const readers = [expectReading(await there.follow(turn.turn)), expectReading(await there.follow(turn.turn))] as const
    await shows(readers[0], 'word10')
    expect(await there.turn(turn.turn)).toMatchObject({ status: 'running' })
    const cut = { ...readers[0] }
    const resumed = expectReading(await there.follow(turn.turn, cut))
    await Promise.all([turn, ...readers, resumed].map(({ ended }) => ended))
    for (const reader of [turn, ...readers, resumed]) {
      expect(reader.text).toBe(words(60))
      expect(reader.status).toBe('done')
      for (const replaced of reader.replaced) expect(words(60).startsWith(replaced)).toBe(true)
    }
    expect(resumed.chunks[0]).toBe('text-delta')
    expect(await storedText(there, turn)).toBe(words(60))
    expect(callsWith('Follow me')).toHaveLength(1)
  })

  test('each stops a turn of the other, and keeps what was written', async () => {
    const { near, far, model } = pair
    model.script(slowly(2000, 20))
    const { visitor, turn } = await startTurn(near.url, 'Stop me')
    const there = at(far.url, visitor)
    await shows(turn, 'word3')
    expect(await there.stop(turn.turn)).toMatchObject({ id: turn.turn, status: 'stopped' })
    await turn.ended
    expect(turn.status).toBe('stopped')
    expect(await callsWith('Stop me')[0]?.ended).toBe(true)
    expect(await storedText(there, turn)).toBe(turn.text)
  })

  test('both answer from a document that is uploaded at one of them, until it is deleted', async () => {
    const { near, far, model } = pair
    const text = '# Zeppelins\n\nA zeppelin ride costs 140 euros.\n'
    const { body } = await owner.call<UploadDetails>('POST', 'knowledge/uploads?name=zeppelin.md&owner=Ada', Buffer.from(text))
    model.script((request) => (request.prompt.startsWith('use ') ? obey(request) : undefined))
    const finds = async ({ url }: TestServer) => {
      const response = await sendPrompt(url, `visitor-${randomUUID()}`, 'use search_knowledge {"query":"zeppelin ride"}')
      return ((await response.json()) as SendPromptReply).response.includes('140 euros')
    }
    for (const server of [near, far]) await eventually(async () => expect(await finds(server)).toBe(true))
    expect((await owner.call('DELETE', `knowledge/uploads/${body.id}?base=${body.revision}`)).status).toBe(200)
    for (const server of [near, far]) await eventually(async () => expect(await finds(server)).toBe(false))
  })

  test('take one of two changes that staff make at both at once, and one of two first owners', async () => {
    const there = await consoleOf(pair.far)
    const late = new StaffClient(there.origin)
    // Both have printed a link for the first owner, and one was used.
    expect((await late.enter(there.link)).status).toBe(410)
    late.cookie = owner.cookie
    const both = async (method: string, path: string, body?: (by: number) => object) => {
      const replies = await Promise.all([owner, late].map((staff, by) => staff.call(method, path, body?.(by))))
      return replies.map(({ status }) => status).toSorted((one, other) => one - other)
    }
    const answer = 'approved-answers/zeppelin'
    expect(await both('POST', 'approved-answers', () => ({ id: 'zeppelin', content: FEE }))).toEqual([200, 409])
    for (let revision = 1; revision < 5; revision += 1) {
      expect(await both('POST', `${answer}/publication`, () => ({ revision }))).toEqual([200, 409])
      const change = (by: number) => ({ content: { ...FEE, text: `${revision} or ${by} euros` }, basedOn: revision })
      expect(await both('POST', `${answer}/draft`, change)).toEqual([200, 409])
    }
    const { body } = await owner.call<ApprovedAnswerView>('GET', answer)
    expect(body.managed?.publications.map(({ number }) => number)).toEqual([4, 3, 2, 1])
    expect((await owner.call('GET', 'audit/check')).body).toMatchObject({ isIntact: true })
  })

  test.each(['me', 'sessions', 'sessions/{key}'])('give one receipt for twenty deletions of %s at once', async (path) => {
    const { visitor, turn } = await startTurn(pair.near.url, 'Forget me')
    await turn.ended
    const replies = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const { url } = index % 2 === 0 ? pair.near : pair.far
        const { session } = turn
        const reply = await fetch(`${url}/api/v1/${path.replace('{key}', session)}`, {
          method: 'DELETE',
          headers: { cookie: visitor.cookie },
        })
        return ((await reply.json()) as Partial<ErasureReply>).jws
      }),
    )
    const receipts = [...new Set(replies)].filter((jws) => jws !== undefined).map(receiptIn)
    // A deletion of everything that arrives when the visitor is gone finds nobody, and says so.
    expect(receipts.filter(({ subject }) => subject !== null)).toMatchObject([{ deleted: { chats: 1 } }])
    expect(receipts.filter(({ subject, deleted }) => subject === null && Object.values(deleted).some((count) => count > 0))).toEqual([])
  })

  test('together allow one visitor two running answers', async () => {
    const { near, far, model } = pair
    const { visitor, turn: first } = await startTurn(near.url, 'Who am I here')
    await first.ended
    const there = at(far.url, visitor)
    for (let answer = 0; answer < 2; answer += 1) model.script(slowly(2000, 20))
    const running = [expectReading(await visitor.send('One here')), expectReading(await there.send('One there'))]
    await Promise.all(running.map(({ begun }) => begun))
    expect(await there.send('One too many')).toMatchObject({ status: 429, code: 'too_many_turns' })
    await Promise.all(running.map(({ turn }) => visitor.stop(turn)))
    expectReading(await there.send('One again'))
  })

  test('each lists a turn of the other, and reports its start and end', async () => {
    const { near, far, model } = pair
    const { visitor, turn: first } = await startTurn(near.url, 'Who am I')
    await first.ended
    const list = await followSessions(far.url, { cookie: visitor.cookie })
    await eventually(() => expect(list.events).toHaveLength(1))
    model.script(slowly(60, 20))
    const second = expectReading(await visitor.send('Show me', { session: first.session }))
    await second.begun
    const tells = (runningTurn: string | null) =>
      eventually(() => expect(list.newest(first.session)).toMatchObject({ data: { runningTurn } }))
    await tells(second.turn)
    expect(await at(far.url, visitor).sessions()).toMatchObject([{ key: first.session, runningTurn: second.turn }])
    await second.ended
    await tells(null)
    list.leave()
  })

  test('create one turn for the same prompt and key at both, which both follow', async () => {
    const { near, far, model } = pair
    model.script(({ prompt }) => (prompt === 'To both' ? slowly(40, 20) : undefined))
    const key = randomUUID()
    const sent = [near, far, near, far].map(async ({ url }) => expectReading(await new Visitor(url).send('To both', { key })))
    const readers = await Promise.all(sent)
    await Promise.all(readers.map(({ ended }) => ended))
    expect(new Set(readers.map(({ text }) => text))).toEqual(new Set([words(40)]))
    expect(new Set(readers.map(({ turn }) => turn)).size).toBe(1)
    expect(callsWith('To both')).toHaveLength(1)
    // A JSON client waits for the end, also on another process.
    const json = await sendPrompt(far.url, 'me', 'To both', { headers: { 'idempotency-key': key } })
    expect(await json.json()).toMatchObject({ response: words(40) })
  })

  test('each names the turn of the other that keeps a session busy', async () => {
    const { near, far, model } = pair
    model.script(slowly(2000, 20))
    const { visitor, turn } = await startTurn(near.url, 'Busy')
    const there = at(far.url, visitor)
    expect(await there.send('Me too', { session: turn.session })).toMatchObject({ status: 409, code: 'session_busy', turn: turn.turn })
    await there.stop(turn.turn)
    await turn.ended
  })
})

test.skipIf(!hasPostgres).concurrent(
  'F23: streams continue and nothing is rejected while Redis is killed, is unavailable, hangs and recovers',
  async () => {
    const redis = await startRedis()
    const pair = await startPair({ redisUrl: redis.url })
    try {
      const { near, far, model } = pair
      model.script([{ endless: 'word ', tokensPerSecond: 25 }])
      const { visitor, turn } = await startTurn(near.url, 'Through it all')
      const there = at(far.url, visitor)
      const reader = expectReading(await there.follow(turn.turn))
      const goesOn = async () => {
        const before = reader.text.length
        await eventually(() => expect(reader.text.length).toBeGreaterThan(before + 50))
      }
      await goesOn()
      await redis.kill()
      await goesOn()
      expect((await sendPrompt(far.url, 'me', 'While Redis is down')).status).toBe(200)
      await redis.start()
      await goesOn()
      redis.freeze(true)
      expect((await sendPrompt(far.url, 'me', 'While Redis hangs')).status).toBe(200)
      redis.freeze(false)
      await goesOn()
      await there.stop(turn.turn)
      await Promise.all([turn.ended, reader.ended])
      const stored = await storedText(there, turn)
      expect([reader.text, 'word '.repeat(reader.text.length / 5 + 1).startsWith(stored)]).toEqual([stored, true])
      for (const server of [near, far]) await expect.poll(() => server.output()).toContain('Redis unavailable')
    } finally {
      await pair.stop()
      await redis.kill()
    }
  },
  600_000,
)

test.skipIf(!hasPostgres).concurrent(
  'F5: turns of a process killed under load are interrupted by the other, without losing anything that was shown',
  async () => {
    const redis = await startRedis()
    const pair = await startPair({ redisUrl: redis.url })
    try {
      const { near, far, model } = pair
      model.script(({ prompt }) => (prompt.startsWith('Load') ? [{ endless: 'word ', tokensPerSecond: 40 }] : undefined))
      // One after another: a burst on a busy machine can exceed the two seconds that a process waits for PostgreSQL.
      const started: Awaited<ReturnType<typeof startTurn>>[] = []
      for (let index = 0; index < 20; index += 1) started.push(await startTurn(near.url, `Load ${index}`))
      const elsewhere = await Promise.all(
        started.map(async ({ visitor, turn }) => expectReading(await at(far.url, visitor).follow(turn.turn))),
      )
      await Promise.all([...started.map(({ turn }) => turn), ...elsewhere].map((reading) => shows(reading, 'word '.repeat(20))))
      await near.kill('SIGKILL')
      // Readers at the other process receive the end from it.
      await Promise.all([...started.map(({ turn }) => turn), ...elsewhere].map(({ ended }) => ended))
      for (const [index, { visitor, turn }] of started.entries()) {
        const there = at(far.url, visitor)
        const reader = elsewhere[index] as Reading
        expect(await there.turn(turn.turn)).toMatchObject({ status: 'interrupted' })
        const stored = await storedText(there, turn)
        expect('word '.repeat(stored.length / 5 + 1).startsWith(stored)).toBe(true)
        for (const seen of [turn.text, ...reader.replaced]) expect(stored.startsWith(seen)).toBe(true)
        expect([reader.text, reader.status]).toEqual([stored, 'interrupted'])
      }
      const { visitor, turn } = started[0] as (typeof started)[number]
      const next = expectReading(await at(far.url, visitor).send('Go on', { session: turn.session }))
      await next.ended
      expect([next.session, next.status]).toEqual([turn.session, 'done'])
    } finally {
      await pair.stop()
      await redis.kill()
    }
  },
  600_000,
)

test.skipIf(!hasPostgres)('two processes never spend more than the budget, with fifty prompts at once', async () => {
  // Each prompt reserves some 12,000 tokens.
  const [budget, unitsOfMoney] = [0.25, 1e9]
  const pair = await startPair({ env: { PRICES: 'scripted=1/1', BUDGET_PER_DAY: String(budget), BUDGET_PER_MONTH: '1000' } })
  try {
    const { near, far, model } = pair
    model.script(() => [{ endless: 'word ', tokensPerSecond: 1 }])
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => new Visitor((index % 2 === 0 ? near : far).url).send('Spend it')),
    )
    const turns = outcomes.flatMap((outcome) => (outcome.kind === 'reading' ? [outcome] : []))
    const refused = outcomes.flatMap((outcome) => (outcome.kind === 'rejected' ? [outcome.code] : []))
    const [sums] = await storedRows<{ reserved: string; total: string }>(
      near,
      "SELECT sum(reserved) AS reserved, sum(spent + reserved) AS total FROM budgets WHERE account LIKE 'money:day:%'",
    )
    const [reserved, total] = [Number(sums?.reserved), Number(sums?.total)]
    expect([new Set(refused), turns.length + refused.length]).toEqual([new Set(['budget_exhausted']), 50])
    expect([total, total <= budget * unitsOfMoney]).toEqual([reserved, true])
    // Another one would not have fitted.
    expect(total + reserved / turns.length).toBeGreaterThan(budget * unitsOfMoney)
  } finally {
    await pair.stop()
  }
})
