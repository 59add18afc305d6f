import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { describe, expect, test } from 'vitest'
import type { Topic } from '../../../contract/staff/questions.ts'
import type { RecentPrompt, UnansweredPrompt } from '../../store/turns/unanswered.ts'
import { findTopics } from './find-topics.ts'
import { topicQuery } from './topic-search.ts'

const NOW = Date.UTC(2026, 10, 20)
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const EVAL = join(import.meta.dirname, '../../../../eval')

interface Planted {
  topic: string[]
  prompts: string[]
}
const planted = (half: 'seen' | 'unseen') => parse(readFileSync(join(EVAL, 'questions', `${half}.yaml`), 'utf8')) as Planted[]

/** Prompts of another invented town, by the state that their answer should have. */
const OTHERS = parse(readFileSync(join(EVAL, 'states.yaml'), 'utf8')) as { prompt: string; state: string }[]

function unanswered(text: string, owner: string, changes: Partial<UnansweredPrompt> = {}): UnansweredPrompt {
  return { turnId: `${owner} ${text}`, owner, text, at: NOW - HOUR_MS, reasons: new Set(['notCovered']), ...changes }
}
const answered = (text: string, at = NOW - 2 * HOUR_MS): RecentPrompt => ({ text, at, isAnswered: true })
const SINCE = NOW - 30 * DAY_MS
const find = (
  prompts: UnansweredPrompt[],
  recent: RecentPrompt[] = [],
  dismissals = new Map<string, number>(),
  since: number | null = SINCE,
) => findTopics({ unanswered: prompts, recent, dismissals, since, now: NOW })
const textsOf = ({ words, phrases }: Topic) => [...phrases, ...words]
const visitorsOf = (prompts: readonly UnansweredPrompt[]) => new Set(prompts.map(({ owner }) => owner)).size

describe.each(['seen', 'unseen'] as const)('ten topics planted among 300 chats, %s', (half) => {
  test('at least eight are found, named by their words', async () => {
    const topics = planted(half)
    expect(topics).toHaveLength(10)
    const prompts = topics.flatMap(({ topic, prompts: texts }) => texts.map((text, index) => unanswered(text, `${topic[0]} ${index}`)))
    const share = (300 - prompts.length) / OTHERS.length
    const others = OTHERS.filter((_, index) => Math.floor((index + 1) * share) > Math.floor(index * share))
    const isOpen = ({ state }: (typeof OTHERS)[number]) => state === 'not_covered' || state === 'out_of_scope'
    const found = await find(
      [...prompts, ...others.filter(isOpen).map(({ prompt }, index) => unanswered(prompt, `other ${index}`))],
      others.filter((other) => !isOpen(other)).map(({ prompt }) => answered(prompt)),
    )
    const names = found.map((topic) => textsOf(topic).slice(0, 3).join(' ').toLowerCase())
    const isFound = ({ topic }: Planted) => names.some((name) => topic.some((word) => name.split(/[ …]/).includes(word.toLowerCase())))
    expect(topics.filter(isFound).length, names.join('\n')).toBeGreaterThanOrEqual(8)
  })
})

/** Random numbers from 0 to 1 that a seed repeats. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

const WORDS =
  'parking parked park permit permits museum Müllabfuhr Müll 垃圾 回收 dogs dog Ada Lovelace 4711 <b>tax</b> =SUM the is my'.split(' ')

const REASONS = ['notCovered', 'ratedDown', 'rephrased'] as const

test.each(Array.from({ length: 150 }, (_, seed) => seed))(
  'nothing that fewer than five visitors wrote is in a topic or in what is searched for it, nor is their number (chats %i)',
  async (seed) => {
    const random = randomFrom(seed)
    const prompts = Array.from({ length: 10 + Math.floor(random() * 60) }, () => {
      const words = Array.from({ length: 1 + Math.floor(random() * 4) }, () => WORDS[Math.floor(random() ** 2 * WORDS.length)])
      const reasons = REASONS.filter(() => random() < 0.4)
      return unanswered(words.join(' '), `visitor ${Math.floor(random() * 25)}`, {
        reasons: new Set(reasons.length > 0 ? reasons : ['notCovered']),
        at: NOW - random() * 14 * DAY_MS,
      })
    })
    const writers = (shown: string) => {
      const part = shown.replace(/…$/, '').toLowerCase()
      return visitorsOf(prompts.filter(({ text }) => text.toLowerCase().includes(part)))
    }
    for (const topic of await find(prompts)) {
      for (const shown of textsOf(topic)) expect(writers(shown), shown).toBeGreaterThanOrEqual(5)
      const asked = textsOf(topic).map((shown) => shown.replace(/…$/, ''))
      expect(topicQuery(topic)).toBe(asked.join(' '))
      expect(topic.visitors).toBeGreaterThanOrEqual(5)
      const shown = REASONS.map((reason) => topic[reason])
      for (const count of [...shown, topic.lastWeek].filter((one) => typeof one === 'number')) {
        expect([1, 2, 3, 4]).not.toContain(count)
        expect([1, 2, 3, 4]).not.toContain(topic.prompts - count)
      }
      // Every prompt has a reason, so those that the numbers don't explain are of the reasons without one.
      const unexplained = topic.prompts - shown.reduce<number>((sum, count) => sum + (typeof count === 'number' ? count : 0), 0)
      const words = shown.filter((count) => typeof count === 'string')
      expect(unexplained > 0 && words.length === 1 && words.includes('few')).toBe(false)
    }
  },
)

const ASKED = ['sauna opening hours', 'is there a sauna', 'sauna price', 'Sauna for women only', 'can I book the sauna']
const byVisitors = (texts: readonly string[], visitors: number, at = NOW - HOUR_MS) =>
  texts.map((text, index) => unanswered(text, `visitor ${index % visitors}`, { at }))

test('four visitors are too few, however often they ask', async () => {
  expect(await find(byVisitors([...ASKED, ...ASKED, ...ASKED], 4))).toEqual([])
  expect(await find(byVisitors(ASKED, 5))).toMatchObject([
    { words: ['sauna'], phrases: [], visitors: 5, prompts: 5, notCovered: 5, ratedDown: 0 },
  ])
})

test('stop words and requests make no topic', async () => {
  expect(
    await find(
      byVisitors(['what is it', 'please help me', 'can you tell me', 'I would like to know what this is', 'hello how are you'], 5),
    ),
  ).toEqual([])
})

test('a word whose forms are written by few is shown by what they share', async () => {
  const forms = ['permit', 'permits', 'permitted', 'permitting', 'permit']
  const [topic] = await find(byVisitors(forms, 5))
  expect(topic && textsOf(topic)).toEqual(['permit…'])
})

test('words that stand side by side are a phrase', async () => {
  const [topic] = await find(
    byVisitors(['bulky waste', 'bulky waste date', 'when is bulky waste', 'bulky waste sofa', 'Bulky waste fee'], 5),
  )
  expect(topic).toMatchObject({ phrases: ['bulky waste'], words: [], languages: [] })
})

test('a topic closes when prompts about it are answered, and opens again when they are not', async () => {
  const asked = byVisitors(ASKED, 5, NOW - 5 * HOUR_MS)
  const answers = [1, 2, 3].map((hours) => answered('When does the sauna open?', NOW - hours * HOUR_MS))
  expect(await find(asked, answers.slice(1))).toHaveLength(1)
  expect(await find(asked, answers)).toEqual([])
  expect(await find([...asked, unanswered('sauna in August', 'visitor 9', { at: NOW })], answers)).toHaveLength(1)
})

test('a dismissed topic is back when five visitors ask after that', async () => {
  const [topic] = await find(byVisitors(ASKED, 5, NOW - 5 * HOUR_MS))
  const dismissed = new Map([[topic!.id, NOW - 4 * HOUR_MS]])
  expect(await find([...byVisitors(ASKED, 5, NOW - 5 * HOUR_MS), ...byVisitors(ASKED, 4)], [], dismissed)).toEqual([])
  expect(await find(byVisitors(ASKED, 5), [], dismissed)).toMatchObject([{ id: topic!.id, visitors: 5 }])
})

const saunas = (
  count: number,
  { visitors = count, days = 1, ...changes }: Partial<UnansweredPrompt> & { visitors?: number; days?: number },
) =>
  Array.from({ length: count }, (_, index) =>
    unanswered(`sauna ${index}`, `${days} ${[...(changes.reasons ?? [])].join()} ${index % visitors}`, {
      at: NOW - days * DAY_MS,
      ...changes,
    }),
  )

test('a number is shown in words if it, or that of the rest, is of fewer than five visitors, however many prompts these sent', async () => {
  const ratedDown = new Set(['ratedDown'] as const)
  const rephrased = new Set(['rephrased'] as const)
  const reasons = async (...prompts: UnansweredPrompt[][]) => {
    const [topic] = await find(prompts.flat())
    return [topic?.notCovered, topic?.ratedDown, topic?.rephrased]
  }
  expect(await reasons(saunas(6, {}), saunas(7, { reasons: ratedDown }))).toEqual([6, 7, 0])
  expect(await reasons(saunas(9, {}), saunas(8, { reasons: ratedDown, visitors: 4 }))).toEqual(['most', 'few', 0])
  expect(await reasons(saunas(6, {}), saunas(7, { reasons: ratedDown }), saunas(2, { reasons: rephrased }))).toEqual(['some', 7, 'few'])
  expect(await reasons(saunas(6, { reasons: new Set(['notCovered', 'ratedDown'] as const) }), saunas(6, {}))).toEqual([12, 6, 0])
})

test.each([
  ['rising', [saunas(8, { days: 2 }), saunas(8, { days: 20 })], 8],
  ['rising', [saunas(8, { days: 2 }), saunas(2, { days: 20 })], 'most'],
  ['steady', [saunas(6, { days: 2 }), saunas(15, { days: 20 })], 6],
  ['falling', [saunas(5, { days: 2 }), saunas(40, { days: 20 })], 5],
  ['falling', [saunas(8, { days: 20 })], 0],
  ['falling', [saunas(2, { days: 2 }), saunas(40, { days: 20 })], 'few'],
  // Four of eight would be more than usual, one of eight less.
  [null, [saunas(2, { days: 2 }), saunas(6, { days: 20 })], 'few'],
] as const)('the trend is %s, by what is shown of the last week', async (trend, prompts, lastWeek) => {
  expect(await find(prompts.flat())).toMatchObject([{ trend, lastWeek }])
})

test('there is no trend if the last week is all that was read', async () => {
  const prompts = saunas(8, { days: 2 })
  expect(await find(prompts, [], new Map(), NOW - 7 * DAY_MS)).toMatchObject([{ trend: null, lastWeek: 8 }])
  expect(await find(prompts, [], new Map(), null)).toMatchObject([{ trend: null }])
  const [topic] = await find(prompts)
  expect(await find(prompts, [], new Map([[topic!.id, NOW - 3 * DAY_MS]]))).toMatchObject([{ trend: null }])
})
