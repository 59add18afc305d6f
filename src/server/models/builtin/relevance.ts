import type { PageLanguage } from '../../../contract/page-languages.ts'
import { fold } from '../../../text/fold.ts'
import { foldWording } from '../../../text/fold-wording.ts'
import { mergedByRank } from '../../knowledge/retrieval/fusion.ts'
import type { FoundPassage, SearchKnowledgeResult } from '../../knowledge/retrieval/search.ts'
import type { WordMatch } from '../../knowledge/retrieval/word-matches.ts'
import { quotationFrom } from './quotation.ts'

/** Minimum share of the prompt's informative words, rare ones counting more, in the headings and sentences that are quoted. */
export const MIN_CONFIDENCE = 0.5
/** Minimum share of the score by which a passage is ahead of the next by words; from a confidence of `full` on, less is enough. */
const MIN_LEAD = { shared: 0.4, full: 0.1 }
const FULL_CONFIDENCE = 0.7
/** Without its words, a passage is quoted if it is so close in meaning, and the closest by so much, also as a share; a smaller one with a lead. */
const CLOSEST = { closeness: 0.09, ahead: 0.05, share: { alone: 0.5, leading: 0.25 }, lead: 0.3 }
/** With its words, it is the closest by so much. */
const MIN_AHEAD = 0.01
/** Above this share in heading and keywords, a passage is about the prompt, however near others are. */
const MIN_NAMED = 0.8
/** A passage has at least so many of the words, where heading and keywords don't decide; of what may be a follow-up, more. */
const MIN_WORDS = { alone: 2, following: 3 }

/** Words that ask for a price, and what a passage with one has, in the page's languages. */
const ASKS_PRICE =
  /how much|\bcosts?\b|\bprices?\b|expensive|kostet|kosten|teuer|wie hoch|\bhoch\b|preis|combien|co[uû]te|\bprix\b|cu[aá]nto|cuesta|precio|quanto|prezzo|pre[cç]o|сколько|(?<!\p{L})сто[ия]т|цена|多少|钱|價|价格|いくら|料金|値段|얼마|가격|요금|(?<!\p{L})كم(?!\p{L})|سعر|تكلفة|कितन|कीमत|दाम/iu
const PRICE =
  /\p{Sc}|\b(?:EUR|USD|GBP|CHF|euros?|dollars?|francs?|franken|gratuit|gratis|gr[aá]tis)\b|(?:is|for) free\b|free of charge|kostenlos|kostenfrei|евро(?!п)|рубл|доллар|бесплатн|[\d一二三四五六七八九十百千万億亿两][欧美日]?(?:元|円|원|ユーロ|ドル)|免费|無料|\d ?유로|달러|무료|يورو|دولار|ريال|مجان|यूरो(?!प)|रुपय|डॉलर|मुफ्त|निःशुल्क/iu

/** Why the built-in assistant doesn't quote a passage. */
export type UnquotedReason = 'low_relevance' | 'other_words' | 'ambiguous'

export interface Judgement {
  /** 0 to 1; compared with `MIN_CONFIDENCE`. */
  confidence: number
  /** `null` for a passage that can stand as the answer. */
  reason: UnquotedReason | null
}

/** Function words by language; those of the index's own languages are never among the matches. */
const FUNCTION_WORDS: Partial<Record<PageLanguage, () => Promise<{ stopwords: string[] }>>> = {
  ar: () => import('@orama/stopwords/arabic'),
  de: () => import('@orama/stopwords/german'),
  es: () => import('@orama/stopwords/spanish'),
  fr: () => import('@orama/stopwords/french'),
  hi: () => import('@orama/stopwords/indian'),
  it: () => import('@orama/stopwords/italian'),
  ja: () => import('@orama/stopwords/japanese'),
  pt: () => import('@orama/stopwords/portuguese'),
  ru: () => import('@orama/stopwords/russian'),
  zh: () => import('@orama/stopwords/mandarin'),
}

export type InformativeWords = (matches?: readonly WordMatch[]) => WordMatch[]

export async function informativeWords(language: PageLanguage | null): Promise<InformativeWords> {
  const words = language === null ? undefined : await FUNCTION_WORDS[language]?.()
  const ignored = new Set(words?.stopwords.map(fold))
  return (matches = []) => matches.filter(({ word }) => !ignored.has(word))
}

/** Judges whether each passage of a prompt's search answers it. */
export function judgePassages(
  passages: readonly FoundPassage[],
  prompt: string,
  informative: InformativeWords,
  minWords = MIN_WORDS.alone,
): Judgement[] {
  const asksPrice = ASKS_PRICE.test(prompt)
  return passages.map((passage, index) => {
    if (isHeadingOf(passage, prompt)) return { confidence: 1, reason: null }
    // A price says what was asked, in other words.
    const isPriced = asksPrice && PRICE.test(passage.text)
    const words = informative(passage.matches).filter(({ word, place }) => !isPriced || place !== null || !ASKS_PRICE.test(word))
    const isOneWord = words.length <= 1 && !/\s/.test(prompt.trim())
    const confidence = quotationFrom(passage, words).coverage
    const others = passages.filter((other) => other !== passage)
    const lead = index === 0 ? passage.score - Math.max(0, ...others.map(({ score }) => score)) : 0
    const closeness = Math.max(0, passage.closeness ?? 0)
    const next = Math.max(0, ...others.map((other) => other.closeness ?? 0))
    const share = CLOSEST.share[lead >= CLOSEST.lead ? 'leading' : 'alone']
    if (closeness >= CLOSEST.closeness && closeness - next >= Math.max(CLOSEST.ahead, share * closeness))
      return { confidence, reason: null }
    if (confidence < MIN_CONFIDENCE) return { confidence, reason: 'low_relevance' }
    const named = words.filter(({ place }) => place === 'heading' || place === 'keywords')
    const isAbout = words.length > 0 && weightOf(named) >= MIN_NAMED * weightOf(words)
    const found = words.filter(({ place }) => place !== null).length
    if (!isAbout && found < (isPriced || isOneWord ? 1 : minWords)) return { confidence, reason: 'other_words' }
    const leads = lead >= (confidence < FULL_CONFIDENCE ? MIN_LEAD.shared : MIN_LEAD.full) || (isAbout && words.length > 1)
    const isClosest = closeness >= next + (next === 0 ? 0 : MIN_AHEAD) || (isAbout && named.some(({ place }) => place === 'keywords'))
    return { confidence, reason: leads && isClosest ? null : 'ambiguous' }
  })
}

/** Whether a prompt is a passage's heading, with or without the headings above it. */
export function isHeadingOf({ heading, breadcrumb }: Pick<FoundPassage, 'heading' | 'breadcrumb'>, prompt: string): boolean {
  const wording = foldWording(prompt)
  return wording !== '' && (wording === foldWording(heading) || wording === foldWording(breadcrumb))
}

const weightOf = (words: readonly WordMatch[]) => words.reduce((total, { weight }) => total + weight, 0)

/** The passage that answers a prompt, if any, and the others, best first; `combined` is the search of "previous prompt + prompt" of a follow-up. */
export function judgeSearches(
  prompt: string,
  [own, combined]: readonly [SearchKnowledgeResult, SearchKnowledgeResult?],
  informative: InformativeWords,
): { answer: FoundPassage | undefined; others: FoundPassage[] } {
  const standsAlone = !combined || own.passages.some((passage) => isHeadingOf(passage, prompt))
  const merged = standsAlone ? own.passages : mergedByRank([own.passages, combined.passages])
  const judgements = judgePassages(own.passages, prompt, informative, combined ? MIN_WORDS.following : MIN_WORDS.alone)
  const answers = own.passages.filter((_, index) => judgements[index]?.reason === null)
  if (!standsAlone) answers.push(...completing(combined, prompt, informative))
  const answer = merged.find(({ id }) => answers.some((one) => one.id === id))
  return { answer, others: merged.filter((passage) => passage !== answer) }
}

/** The passages that answer "previous prompt + prompt" and have every informative word of the prompt itself. */
function completing({ passages }: SearchKnowledgeResult, prompt: string, informative: InformativeWords): FoundPassage[] {
  const typed = new Set(foldWording(prompt).split(' '))
  const judgements = judgePassages(passages, prompt, informative)
  return passages.filter((passage, index) => {
    const named = informative(passage.matches).filter(({ word }) => typed.has(word))
    return judgements[index]?.reason === null && named.length > 0 && named.every(({ place }) => place !== null)
  })
}
