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
/** Fewer prompts with an answer don't tell what visitors ask about anyway. */
const MIN_BACKGROUND = 20
/** Letters of the beginning that forms of a word must share to be shown. */
const MIN_PREFIX = 4

/** A prompt without an answer, and a hash of the network it came from; `null` if it isn't known. */
export interface PromptOfNetwork extends UnansweredPrompt {
  network: string | null
}

/** By the stems of its words and how these are written. */
interface ReadPrompt extends PromptOfNetwork {
  forms: ReadonlyMap<string, string>
  phrases: ReadonlySet<string>
}

/** A topic of the prompts of one day. */
export type TopicOfDay = Omit<Topic, 'day' | 'days'>

/**
 * The subjects of a day's prompts without an answer, by the words that they share. Nothing in the result was written by fewer than five
 * visitors on five networks. A topic is the prompts with one word: the one that most visitors use, compared with how often it occurs in
 * prompts with an answer.
 */
export async function findTopics(unanswered: readonly PromptOfNetwork[], recent: readonly RecentPrompt[]): Promise<TopicOfDay[]> {
  const reader = new ContentWordReader()
  let left: ReadPrompt[] = []
  for (const [index, prompt] of unanswered.entries()) {
    left.push(readPrompt(reader, prompt))
    if (index % PROMPTS_A_STEP === 0) await immediate()
  }
  const background = await readBackground(reader, recent)
  const prompts = left.length
  const topics: TopicOfDay[] = []
  while (topics.length < MAX_TOPICS) {
    const stem = strongestStem(left, prompts, background)
    if (stem === undefined) break
    const topic = topicOf(
      stem,
      left.filter((prompt) => prompt.forms.has(stem)),
    )
    left = left.filter((prompt) => !prompt.forms.has(stem))
    if (topic) topics.push(topic)
    await immediate()
  }
  return topics.toSorted((one, other) => other.visitors - one.visitors || other.prompts - one.prompts)
}

function readPrompt(reader: ContentWordReader, prompt: PromptOfNetwork): ReadPrompt {
  const words = reader.readForms(prompt.text).slice(0, MAX_PROMPT_WORDS)
  const forms = new Map(words.flatMap(({ form, stems }) => stems.map((stem) => [stem, form.toLowerCase()] as const)))
  const phrases = words.slice(1).flatMap(({ form, at }, index) => {
    const before = words[index]!
    const isBeside = at - before.at - before.form.length === 1
    return isBeside ? `${before.form} ${form}`.toLowerCase() : []
  })
  return { ...prompt, forms, phrases: new Set(phrases) }
}

/** How many prompts have an answer, and how many of them a stem. */
interface Background {
  prompts: number
  withStem: ReadonlyMap<string, number>
}

async function readBackground(reader: ContentWordReader, recent: readonly RecentPrompt[]): Promise<Background> {
  const answered = recent.filter(({ isAnswered }) => isAnswered)
  const withStem = new Map<string, number>()
  for (const [index, { text }] of answered.entries()) {
    for (const stem of new Set(reader.readForms(text).flatMap(({ stems }) => stems))) withStem.set(stem, (withStem.get(stem) ?? 0) + 1)
    if (index % PROMPTS_A_STEP === 0) await immediate()
  }
  return { prompts: answered.length, withStem }
}

/** The stem that enough visitors use and that tells most; `undefined` if there is none. */
function strongestStem(left: readonly ReadPrompt[], prompts: number, { prompts: answered, withStem }: Background): string | undefined {
  let best: { stem: string; score: number } | undefined
  for (const [stem, size] of supported(left, ({ forms }) => forms.keys())) {
    const usual = answered < MIN_BACKGROUND ? size / prompts : ((withStem.get(stem) ?? 0) + 1) / (answered + 1)
    const score = size * Math.log2(1 + size / prompts / usual)
    if (!best || score > best.score || (score === best.score && stem < best.stem)) best = { stem, score }
  }
  return best?.stem
}

/** `undefined` if too few visitors share it, or no word of it. */
function topicOf(stem: string, members: readonly ReadPrompt[]): TopicOfDay | undefined {
  const own = shownForm(stem, members)
  if (own === undefined) return undefined
  const phrases = shared(members, ({ phrases: all }) => all).slice(0, MAX_WORDS)
  const words = shared(members, ({ forms }) => forms.keys()).flatMap((one) => shownForm(one, members) ?? [])
  return {
    id: topicId(stem),
    phrases,
    words: [...new Set([own, ...words])].filter((word) => !phrases.some((phrase) => phrase.split(' ').includes(word))).slice(0, MAX_WORDS),
    visitors: new Set(members.map(({ owner }) => owner)).size,
    prompts: members.length,
    // Each prompt has one of two reasons or both: where one is of few, the other is of all, so no difference tells the few.
    notCovered: countOf(members, 'notCovered'),
    ratedDown: countOf(members, 'ratedDown'),
    languages: shared(members, ({ text }) => [languageOf(text)].filter((language) => language !== null)),
  }
}

/** How many of the prompts have the reason, if both they and the others are of enough visitors, or there are none. */
function countOf(members: readonly ReadPrompt[], reason: UnansweredReason): TopicCount {
  const counted = members.filter(({ reasons }) => reasons.has(reason))
  const others = members.filter(({ reasons }) => !reasons.has(reason))
  if (counted.length > 0 && !areEnough(counted)) return 'few'
  return others.length > 0 && !areEnough(others) ? 'most' : counted.length
}

/** Values that enough visitors share, those of most visitors first. */
function shared(members: readonly ReadPrompt[], valuesOf: (prompt: ReadPrompt) => Iterable<string>): string[] {
  return [...supported(members, valuesOf)]
    .toSorted(([one, visitors], [other, others]) => others - visitors || (one < other ? -1 : 1))
    .map(([value]) => value)
}

/** Values of prompts of enough visitors on enough networks, with the number of the visitors. */
function supported(members: readonly ReadPrompt[], valuesOf: (prompt: ReadPrompt) => Iterable<string>): Map<string, number> {
  const prompts = new Map<string, ReadPrompt[]>()
  for (const prompt of members)
    for (const value of valuesOf(prompt)) {
      const known = prompts.get(value)
      if (known) known.push(prompt)
      else prompts.set(value, [prompt])
    }
  return new Map(
    [...prompts].filter(([, some]) => areEnough(some)).map(([value, some]) => [value, new Set(some.map(({ owner }) => owner)).size]),
  )
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

function areEnough(prompts: readonly PromptOfNetwork[]): boolean {
  if (prompts.length < MIN_VISITORS) return false
  const networks = new Set(prompts.map(({ network }) => network).filter((network) => network !== null))
  return networks.size >= MIN_VISITORS && new Set(prompts.map(({ owner }) => owner)).size >= MIN_VISITORS
}

const topicId = (stem: string) => hash('sha256', `topic ${stem}`, 'hex').slice(0, 16)
