import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { DATABASES } from '../../../../test/support/databases.ts'
import { type OpenedDatabase, openTestDatabase } from '../../../../test/support/test-database.ts'
import type { ChatMessage } from '../../../contract/chat/message.ts'
import { type ChangedFeedback, type CountedTurn, Figures, filesOf } from './figures.ts'

const NOON = Date.UTC(2026, 10, 20, 12)
const HOUR_MS = 3_600_000

describe.each(DATABASES)('daily figures on %s', (kind) => {
  let opened: OpenedDatabase
  let now: number
  let faults: string[]
  beforeEach(async () => {
    opened = await openTestDatabase(kind)
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    now = NOON
    faults = []
  })
  afterEach(async () => {
    vi.useRealTimers()
    await opened.remove()
  })

  const open = (database = opened.database) =>
    new Figures({ database, retentionMs: 30 * 24 * HOUR_MS, now: () => now, onFault: (fault) => faults.push(fault) })
  const stored = async (dimension: string) =>
    (await opened.database.selectFrom('daily_figures').selectAll().orderBy('day').orderBy('value').execute()).filter(
      (row) => row.dimension === dimension && (row.turns || row.up || row.down),
    )
  const visitors = () => opened.database.selectFrom('daily_visitors').selectAll().execute()

  test('add turns of several processes to the same sums', async () => {
    const [one, other] = [open(), open()]
    one.turnEnded(turn({ cost: 0.5, inputTokens: 10 }))
    one.turnEnded(turn({ state: 'not_covered', inputTokens: 5 }))
    other.turnEnded(turn({ owner: 'v_2', agent: 'press', cost: 0.25, embed: 'https://shop.example.org' }))
    await Promise.all([one.close(), other.close()])
    expect(await stored('all')).toMatchObject([{ day: 'open-turns', turns: 3, input_tokens: 15, cost: 0.75, complete: 2, not_covered: 1 }])
    expect(await stored('agent')).toMatchObject([
      { value: 'default', turns: 2 },
      { value: 'press', turns: 1 },
    ])
    expect(await stored('embed')).toMatchObject([
      { value: 'https://shop.example.org', turns: 1 },
      { value: 'page', turns: 2 },
    ])
    expect(await stored('language')).toMatchObject([{ value: 'en', turns: 3 }])
    expect(await stored('file')).toMatchObject([{ value: 'fees.md', turns: 3 }])
    expect(await stored('first_text')).toMatchObject([{ value: '250', turns: 3 }])
    expect(await visitors()).toHaveLength(2)
    expect(faults).toEqual([])
  })

  test('keep neither texts, ids nor addresses, and of a past day the number of visitors alone', async () => {
    const figures = open()
    for (const number of [1, 2, 3, 4, 5]) {
      figures.visitorSeen(`v_secret${number}`, `203.0.113.${number}`)
      figures.turnEnded(turn({ owner: `v_secret${number}` }))
    }
    await figures.write()
    const before = JSON.stringify([await opened.database.selectFrom('daily_figures').selectAll().execute(), await visitors()])
    expect(before).not.toMatch(/v_secret|203\.0|parking|costs/)
    expect(await visitors()).toHaveLength(5)
    expect(await stored('all')).toMatchObject([{ day: '2026-11-20', turns: 5 }])
    now += 13 * HOUR_MS
    await figures.close()
    expect(await visitors()).toEqual([])
    expect(await stored('visitors')).toMatchObject([{ day: '2026-11-20', turns: 5 }])
  })

  test('write what an outage has kept, once', async () => {
    const figures = open()
    figures.turnEnded(turn({}))
    const transaction = vi.spyOn(opened.database, 'transaction').mockImplementationOnce(() => {
      throw new Error('away')
    })
    await figures.write()
    expect(faults).toEqual(['Writing the daily figures failed; retrying'])
    transaction.mockRestore()
    await figures.write()
    await figures.write()
    expect(await stored('all')).toMatchObject([{ turns: 1 }])
    expect(await visitors()).toHaveLength(1)
    await figures.close()
  })

  test('count changed feedback in a slot of its own', async () => {
    const figures = open()
    const given = {
      owner: 'v_rater',
      agent: 'default',
      embed: 'https://shop.example.org',
      state: 'answered',
      model: 'small',
      prompt: [...message('user', 'What does a parking permit cost?').parts],
      files: ['fees.md'],
    } satisfies Partial<ChangedFeedback>
    figures.feedbackChanged({ ...given, before: null, after: 'up' })
    figures.feedbackChanged({ ...given, before: 'up', after: 'down' })
    await figures.close()
    expect(await stored('all')).toMatchObject([{ day: 'open-ratings', turns: 0, up: 0, down: 1, lost: 1 }])
    expect(await stored('embed')).toMatchObject([{ value: 'https://shop.example.org', down: 1, lost: 1 }])
    expect(await stored('language')).toMatchObject([{ value: 'en', down: 1, lost: 1 }])
    expect(await stored('model')).toMatchObject([{ value: 'small', down: 1, lost: 1 }])
    expect(await stored('file')).toMatchObject([{ value: 'fees.md', down: 1 }])
  })

  test('are deleted after three years', async () => {
    const figures = open()
    for (const number of [1, 2, 3, 4, 5]) figures.visitorSeen(`v_${number}`, `203.0.113.${number}`)
    await figures.write()
    now += 13 * HOUR_MS
    await figures.write()
    expect(await stored('visitors')).toHaveLength(1)
    now += 1_102 * 24 * HOUR_MS
    await figures.close()
    expect(await stored('visitors')).toEqual([])
  })
})

test('a file is counted if the answer cites it, not if it was only searched', () => {
  const source = (number: number, filename: string) =>
    ({ type: 'source-document', sourceId: `${number}`, mediaType: 'text/markdown', title: filename, filename }) as const
  const sources = [source(1, 'pool.md'), source(2, 'about.md'), source(3, 'pool.md'), source(4, 'fees.md')]
  const filesNamed = (text: string) => filesOf({ parts: [...sources, { type: 'text', text }] })
  expect(filesNamed('It opens at 9 [1], and costs 4 euros [4][3].')).toEqual(['pool.md', 'fees.md'])
  expect(filesNamed('It is closed.')).toEqual([])
})

function message(role: 'user' | 'assistant', text: string): ChatMessage {
  return { id: 'm', role, parts: [{ type: 'text', text }] }
}

function answer(): ChatMessage {
  const source = { type: 'source-document', sourceId: '1', mediaType: 'text/markdown', title: 'Fees', filename: 'fees.md' } as const
  return {
    ...message('assistant', 'It costs 12.'),
    parts: [source],
    metadata: { sessionId: 's', turnId: 't', createdAt: new Date(NOON).toISOString(), state: 'answered' },
  }
}

function turn(changes: Partial<CountedTurn>): CountedTurn {
  return {
    state: 'answered',
    agent: 'default',
    embed: 'page',
    model: 'small',
    inputTokens: 0,
    outputTokens: 0,
    cost: 0,
    firstTextMs: 120,
    wholeMs: 900,
    owner: 'v_1',
    messages: [message('user', 'What does a parking permit cost?')],
    answer: answer(),
    ...changes,
  }
}
