import { hash } from 'node:crypto'
import { setImmediate as immediate } from 'node:timers/promises'
import { MIN_VISITORS, type Topic, type TopicCount } from '../../../contract/staff/questions.ts'
import { ContentWordReader } from '../../replies/content-words.ts'
import { languageOf } from '../../language.ts'
import type { RecentPrompt, UnansweredPrompt, UnansweredReason } from '../../store/turns/unanswered.ts'

const MAX_TOPICS = 50
const MAX_WORDS = 6
/** Words of a prompt that count. */
const MAX_PROMPT_WORDS = 40
/** Prompts that are read, and topics that are looked for, before other work gets its turn. */
const PROMPTS_A_STEP = 100
const WEEK_MS = 7 * 86_400_000
/** Answered prompts about a topic, after its last one without an answer, that close it. */
const CLOSING_ANSWERS = 3
/** Fewer prompts with an answer don't tell what visitors ask about anyway. */
const MIN_BACKGROUND = 20
/** How many times more, or less, a topic is asked about than usual where it rises or falls. */
const TREND_FACTOR = 1.5
const REASONS = ['notCovered', 'ratedDown', 'rephrased'] as const satisfies readonly UnansweredReason[]
/** Letters of the beginning that forms of a word must share to be shown. */
const MIN_PREFIX = 4

/** A prompt without an answer, by the stems of its words and how these are written. */
interface ReadPrompt extends UnansweredPrompt {
  forms: ReadonlyMap<string, string>
  phrases: ReadonlySet<string>
}

export interface TopicOptions {
  unanswered: readonly UnansweredPrompt[]
  recent: readonly RecentPrompt[]
  /** When topics were dismissed, by id. */
  dismissals: ReadonlyMap<string, number>
  /** Since when all prompts without an answer are among them; `null` if it isn't known. */
  since: number | null
  now: number
}

/**
 * The subjects of prompts without an answer, by the words that they share. Nothing in the result was written by fewer than five visitors.
 * A topic is the prompts with one word: the one that most visitors use, compared with how often it occurs in prompts with an answer.
 */
export async function findTopics({ unanswered, recent, dismissals, since, now }: TopicOptions): Promise<Topic[]> {
  const reader = new ContentWordReader()
  let left: ReadPrompt[] = []
  for (const [index, prompt] of unanswered.entries()) {
    left.push(readPrompt(reader, prompt))
    if (index % PROMPTS_A_STEP === 0) await immediate()
  }
  const background = await readBackground(reader, recent)
  const prompts = left.length
  const topics: Topic[] = []
  while (topics.length < MAX_TOPICS) {
    const stem = strongestStem(left, prompts, background)
    if (stem === undefined) break
    const id = topicId(stem)
    const dismissedAt = dismissals.get(id) ?? Number.NEGATIVE_INFINITY
    const members = left.filter((prompt) => prompt.forms.has(stem))
    left = left.filter((prompt) => !prompt.forms.has(stem))
    const current = members.filter(({ at }) => at > dismissedAt)
    const period = { since: since === null ? null : Math.max(since, dismissedAt), now }
    const topic = !isClosed(stem, current, background) && topicOf(id, stem, current, period)
    if (topic) topics.push(topic)
    await immediate()
  }
  return topics.toSorted((one, other) => other.visitors - one.visitors || other.prompts - one.prompts)
}

function readPrompt(reader: ContentWordReader, prompt: UnansweredPrompt): ReadPrompt {
  const words = reader.readForms(prompt.text).slice(0, MAX_PROMPT_WORDS)
  const forms = new Map(words.flatMap(({ form, stems }) => stems.map((stem) => [stem, form.toLowerCase()] as const)))
  const phrases = words.slice(1).flatMap(({ form, at }, index) => {
    const before = words[index]!
    const isBeside = at - before.at - before.form.length === 1
    return isBeside ? `${before.form} ${form}`.toLowerCase() : []
  })
  return { ...prompt, forms, phrases: new Set(phrases) }
}

/** The time that the prompts are from: all of it, or `null` if it isn't known since when. */
interface Period {
  since: number | null
  now: number
}

/** How many of the prompts with an answer have a stem, and when. */
interface Background {
  prompts: number
  answeredAt: ReadonlyMap<string, number[]>
}

async function readBackground(reader: ContentWordReader, recent: readonly RecentPrompt[]): Promise<Background> {
  const answered = recent.filter(({ isAnswered }) => isAnswered)
  const answeredAt = new Map<string, number[]>()
  for (const [index, { text, at }] of answered.entries()) {
    for (const stem of new Set(reader.readForms(text).flatMap(({ stems }) => stems))) {
      const times = answeredAt.get(stem)
      if (times) times.push(at)
      else answeredAt.set(stem, [at])
    }
    if (index % PROMPTS_A_STEP === 0) await immediate()
  }
  return { prompts: answered.length, answeredAt }
}

/** The stem that enough visitors use and that tells most; `undefined` if there is none. */
function strongestStem(left: readonly ReadPrompt[], prompts: number, { prompts: answered, answeredAt }: Background): string | undefined {
  const users = new Map<string, Set<string>>()
  for (const { owner, forms } of left)
    for (const stem of forms.keys()) {
      const known = users.get(stem)
      if (known) known.add(owner)
      else users.set(stem, new Set([owner]))
    }
  let best: { stem: string; score: number } | undefined
  for (const [stem, { size }] of users) {
    if (size < MIN_VISITORS) continue
    const usual = answered < MIN_BACKGROUND ? size / prompts : ((answeredAt.get(stem)?.length ?? 0) + 1) / (answered + 1)
    const score = size * Math.log2(1 + size / prompts / usual)
    if (!best || score > best.score || (score === best.score && stem < best.stem)) best = { stem, score }
  }
  return best?.stem
}

/** Whether prompts about it have been answered since the last one that was not. */
function isClosed(stem: string, members: readonly ReadPrompt[], { answeredAt }: Background): boolean {
  const last = Math.max(...members.map(({ at }) => at))
  return (answeredAt.get(stem) ?? []).filter((at) => at > last).length >= CLOSING_ANSWERS
}

/** `undefined` if fewer than five visitors share it, or no word of it. */
function topicOf(id: string, stem: string, members: readonly ReadPrompt[], period: Period): Topic | undefined {
  const visitors = visitorsOf(members)
  if (visitors < MIN_VISITORS) return undefined
  const own = shownForm(stem, members)
  if (own === undefined) return undefined
  const phrases = shared(members, ({ phrases: all }) => all).slice(0, MAX_WORDS)
  const words = shared(members, ({ forms }) => forms.keys()).flatMap((one) => shownForm(one, members) ?? [])
  const lastWeek = countOf(members, ({ at }) => at > period.now - WEEK_MS)
  return {
    id,
    phrases,
    words: [...new Set([own, ...words])].filter((word) => !phrases.some((phrase) => phrase.split(' ').includes(word))).slice(0, MAX_WORDS),
    visitors,
    prompts: members.length,
    lastWeek,
    trend: trendOf({ lastWeek, prompts: members.length, visitors }, period),
    ...reasonsOf(members),
    languages: shared(members, ({ text }) => [languageOf(text)].filter((language) => language !== null)),
  }
}

/** How many of the prompts, if both they and the others are of enough visitors, or there are none. */
function countOf(members: readonly ReadPrompt[], isCounted: (prompt: ReadPrompt) => boolean): TopicCount {
  const counted = members.filter(isCounted)
  const others = members.filter((prompt) => !isCounted(prompt))
  if (counted.length > 0 && visitorsOf(counted) < MIN_VISITORS) return 'few'
  return others.length > 0 && visitorsOf(others) < MIN_VISITORS ? 'most' : counted.length
}

/** How many prompts there are for each reason. */
function reasonsOf(members: readonly ReadPrompt[]): Pick<Topic, UnansweredReason> {
  const of = (reason: UnansweredReason) => countOf(members, ({ reasons }) => reasons.has(reason))
  const counts = { notCovered: of('notCovered'), ratedDown: of('ratedDown'), rephrased: of('rephrased') }
  const [one, other] = REASONS.filter((reason) => typeof counts[reason] === 'number')
  if (!one || !other || !Object.values(counts).includes('few')) return counts
  if (Number(counts[one]) + Number(counts[other]) >= members.length) return counts
  // Every prompt has a reason: those that two numbers don't explain would be the few of the third.
  return { ...counts, [Number(counts[one]) < Number(counts[other]) ? one : other]: 'some' }
}

/** Compares the last week with the whole period, by what is shown of both. */
function trendOf(
  { lastWeek, prompts, visitors }: Pick<Topic, 'lastWeek' | 'prompts' | 'visitors'>,
  { since, now }: Period,
): Topic['trend'] {
  if (since === null || now - since <= WEEK_MS) return null
  const share = { few: (MIN_VISITORS - 1) / visitors, some: null, most: 1 }
  const found = typeof lastWeek === 'number' ? lastWeek / prompts : share[lastWeek]
  if (found === null) return null
  const usual = WEEK_MS / (now - since)
  if (found < usual / TREND_FACTOR) return 'falling'
  // Few may be any number up to four.
  if (lastWeek === 'few') return null
  return found > usual * TREND_FACTOR ? 'rising' : 'steady'
}

/** Values that enough visitors share, those of most visitors first. */
function shared(members: readonly ReadPrompt[], valuesOf: (prompt: ReadPrompt) => Iterable<string>): string[] {
  const owners = new Map<string, Set<string>>()
  for (const prompt of members) for (const value of valuesOf(prompt)) owners.set(value, (owners.get(value) ?? new Set()).add(prompt.owner))
  return [...owners]
    .filter(([, { size }]) => size >= MIN_VISITORS)
    .toSorted(([one, { size }], [other, { size: another }]) => another - size || (one < other ? -1 : 1))
    .map(([value]) => value)
}

/** A stem as enough visitors write it, or the beginning that its forms share. */
function shownForm(stem: string, members: readonly ReadPrompt[]): string | undefined {
  const [form] = shared(members, ({ forms }) => [forms.get(stem)].filter((one) => one !== undefined))
  if (form !== undefined) return form
  const prefix = commonPrefix(members.flatMap(({ forms }) => forms.get(stem) ?? []))
  return prefix.length < MIN_PREFIX ? undefined : `${prefix}…`
}

function commonPrefix(forms: readonly string[]): string {
  const [first = ''] = forms
  let length = first.length
  for (const form of forms) while (!form.startsWith(first.slice(0, length))) length--
  return first.slice(0, length)
}

const visitorsOf = (members: readonly ReadPrompt[]) => new Set(members.map(({ owner }) => owner)).size
const topicId = (stem: string) => hash('sha256', `topic ${stem}`, 'hex').slice(0, 16)
