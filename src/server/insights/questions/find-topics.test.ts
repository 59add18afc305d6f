import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { describe, expect, test } from 'vitest'
import type { Topic } from '../../../contract/staff/questions.ts'
import type { RecentPrompt } from '../../store/turns/unanswered.ts'
import { findTopics, type PromptOfNetwork } from './find-topics.ts'

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

function unanswered(text: string, owner: string, changes: Partial<PromptOfNetwork> = {}): PromptOfNetwork {
  return {
    network: `network of ${owner}`,
    turnId: `${owner} ${text}`,
    owner,
    text,
    at: NOW - HOUR_MS,
    reasons: new Set(['notCovered']),
    ...changes,
  }
}
const answered = (text: string, at = NOW - 2 * HOUR_MS): RecentPrompt => ({ text, at, isAnswered: true })
const find = (prompts: PromptOfNetwork[], recent: RecentPrompt[] = []) => findTopics(prompts, recent)
const textsOf = ({ words, phrases }: Pick<Topic, 'words' | 'phrases'>) => [...phrases, ...words]
const visitorsOf = (prompts: readonly PromptOfNetwork[]) => new Set(prompts.map(({ owner }) => owner)).size

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

const REASONS = ['notCovered', 'ratedDown'] as const

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
      expect(topic.visitors).toBeGreaterThanOrEqual(5)
      const shown = REASONS.map((reason) => topic[reason])
      for (const count of shown.filter((one) => typeof one === 'number')) {
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

test('visitors of four networks are too few, however many they are', async () => {
  const onNetworks = (networks: number) =>
    find(byVisitors([...ASKED, ...ASKED], 10).map((prompt, index) => ({ ...prompt, network: `network ${index % networks}` })))
  expect(await onNetworks(4)).toEqual([])
  expect(await onNetworks(5)).toMatchObject([{ words: ['sauna'] }])
})

test('a visitor whose network is not known supports nothing', async () => {
  const [first, ...others] = byVisitors(ASKED, 5)
  expect(await find([{ ...first!, network: null }, ...others])).toEqual([])
})

test('four puppets and their list of words, on one network, reveal no word of a stranger', async () => {
  const list = 'epilepsy keppra landlord hinterhuber asylum insulin medication divorce'.split(' ')
  const puppets = Array.from({ length: 4 }, (_, index) => `puppet ${index}`)
  const stranger = unanswered('Does my landlord Hinterhuber know about my epilepsy medication keppra', 'stranger')
  expect(
    await find([stranger, ...puppets.flatMap((owner) => list.map((word) => unanswered(word, owner, { network: 'the reviewer’s' })))]),
  ).toEqual([])
})

const saunas = (count: number, { visitors = count, ...changes }: Partial<PromptOfNetwork> & { visitors?: number }) =>
  Array.from({ length: count }, (_, index) =>
    unanswered(`sauna ${index}`, `${[...(changes.reasons ?? [])].join()} ${index % visitors}`, changes),
  )

test('a number is shown in words if it, or that of the rest, is of fewer than five visitors, however many prompts these sent', async () => {
  const ratedDown = new Set(['ratedDown'] as const)
  const reasons = async (...prompts: PromptOfNetwork[][]) => {
    const [topic] = await find(prompts.flat())
    return [topic?.notCovered, topic?.ratedDown]
  }
  expect(await reasons(saunas(6, {}), saunas(7, { reasons: ratedDown }))).toEqual([6, 7])
  expect(await reasons(saunas(9, {}), saunas(8, { reasons: ratedDown, visitors: 4 }))).toEqual(['most', 'few'])
  expect(await reasons(saunas(6, { reasons: new Set(['notCovered', 'ratedDown'] as const) }), saunas(6, {}))).toEqual([12, 6])
})
