import { foldWording } from '../../../text/fold-wording.ts'
import { fold } from '../../../text/fold.ts'
import { normalizeText } from '../../../text/normalize-text.ts'
import type { PageLanguage } from '../../../contract/page-languages.ts'
import type { NearWording } from '../../knowledge/embeddings/wording-index.ts'
import { detectLanguage } from '../../language.ts'
import { REQUEST_WORDS } from '../content-words.ts'
import type { ApprovedAnswer } from './approved-answer.ts'

/** Fitted on published paraphrases (eval/README.md): with the vetoes below, it lets none of the unlike pairs pass. */
const MIN_SIMILARITY = 0.912
/** A wording of another answer, or one that must not match, which is as near but for this much makes it unclear what is meant. */
const MIN_LEAD = 0.02
/** Shorter than this share of the other, a text leaves out too much. */
const MIN_LENGTH_SHARE = 0.4
/** Most words in which two texts that are equal otherwise differ in what they ask. */
const MAX_DECISIVE_WORDS = 2
/** Characters of a name that inflections keep. */
const NAME_CHARACTERS = 6

/** Words that negate, folded. */
const NEGATIONS: Readonly<Record<PageLanguage, RegExp>> = {
  en: words('not no never without cannot none nothing nobody t cant dont doesnt isnt wont'),
  ar: words('لا ليس لم لن بدون دون غير بلا'),
  de: words('nicht kein keine keinen keinem keiner keines nie niemals ohne nichts niemand'),
  es: words('no nunca sin jamas ningun ninguna nada nadie'),
  fr: words('pas jamais sans aucun aucune rien'),
  hi: words('नहीं मत बिना न'),
  it: words('non mai senza nessun nessuno nessuna niente'),
  ja: /ない|ません|なし|ずに/u,
  ko: / [안못] |없|않/u,
  pt: words('nao nunca sem nenhum nenhuma nada ninguem'),
  ru: words('не нет без никогда нельзя'),
  zh: /[不没沒无無未别別]/u,
}
const SEGMENTER = new Intl.Segmenter(undefined, { granularity: 'word' })
const NUMBER = /\p{Nd}+/gu
/** Not part of a name such as COVID-19. */
const LONE_NUMBER = /(?<![\p{L}\p{Nd}]-?)\p{Nd}+(?!\p{L})/gu
const SENTENCE_START = /(?<=[.!?:]\s+|^\s*)[\p{L}\p{N}]+/gu
const NAME = /\p{Lu}[\p{Ll}\p{M}]+/gu
const ABBREVIATION = /\p{Lu}[\p{Lu}\p{N}-]+/gu

/**
 * The answer whose wording is nearest to a prompt, if it is near enough, none of another answer or that must not match is about as near,
 * and nothing tells that the two ask something else. `near`: the nearest wordings, nearest first.
 */
export function nearestAnswer(prompt: string, near: readonly NearWording[], answers: readonly ApprovedAnswer[]): ApprovedAnswer | null {
  const first = near.find(({ wording }) => answers.some(({ matches }) => matches.includes(wording)))
  if (!first || first.similarity < MIN_SIMILARITY) return null
  const answer = answers.find(({ matches }) => matches.includes(first.wording))
  if (!answer || asksElse(prompt, first.wording, answer.languages)) return null
  const rivals = near.filter(({ similarity }) => similarity > first.similarity - MIN_LEAD)
  const isRival = ({ wording }: NearWording) =>
    answer.mustNotMatch.includes(wording) || answers.some((other) => other !== answer && other.matches.includes(wording))
  return rivals.some(isRival) ? null : answer
}

/** Whether a prompt asks something else than a wording that a model takes for similar. */
function asksElse(prompt: string, wording: string, languages: readonly PageLanguage[]): boolean {
  const language = detectLanguage(prompt, languages[0]) ?? languages[0]
  if (!languages.some((one) => one === language)) return true
  const [shorter = 0, longer = 0] = [prompt.length, wording.length].toSorted((one, other) => one - other)
  const differs = (isDifferent: (one: string, other: string) => boolean) => isDifferent(prompt, wording) || isDifferent(wording, prompt)
  return (
    shorter < MIN_LENGTH_SHARE * longer ||
    isNegated(prompt, languages) !== isNegated(wording, languages) ||
    differs(hasOtherNumber) ||
    differsInOnePlace(wordsOf(prompt), wordsOf(wording)) ||
    // German capitalises every noun.
    (language !== 'de' && differs(hasOtherName))
  )
}

function isNegated(text: string, languages: readonly PageLanguage[]): boolean {
  return languages.some((language) => NEGATIONS[language].test(` ${foldWording(text)} `))
}

function hasOtherNumber(text: string, other: string): boolean {
  const known: readonly string[] = normalizeText(other).match(NUMBER) ?? []
  return (normalizeText(text).match(LONE_NUMBER) ?? []).some((number) => !known.includes(number))
}

/** Whether a text has a name that the other lacks, for which no abbreviation or code of the other stands (US, COVID-19). */
function hasOtherName(text: string, other: string): boolean {
  const known = fold(other)
  const missing = (text.replaceAll(SENTENCE_START, '').match(NAME) ?? []).filter(
    (name) => !known.includes(fold(name).slice(0, NAME_CHARACTERS)),
  )
  const initials = missing.map(([first]) => first).join('')
  const stands = (code: string) => !text.includes(code) && (/\p{N}/u.test(code) || code.startsWith(initials))
  return missing.length > 0 && !(other.match(ABBREVIATION) ?? []).some(stands)
}

/** Whether two texts are equal but for one or two words in one place, which then decide: dog tax, cat tax. Politeness doesn't. */
function differsInOnePlace(one: readonly string[], other: readonly string[]): boolean {
  const least = Math.min(one.length, other.length)
  let start = 0
  while (start < least && one[start] === other[start]) start += 1
  let end = 0
  while (end < least - start && one.at(-1 - end) === other.at(-1 - end)) end += 1
  const different = [one, other].map((all) => all.slice(start, all.length - end))
  const most = Math.max(...different.map(({ length }) => length))
  return most <= Math.min(MAX_DECISIVE_WORDS, start + end) && different.flat().some((word) => !REQUEST_WORDS.has(word))
}

function wordsOf(text: string): string[] {
  return [...SEGMENTER.segment(foldWording(text))].flatMap(({ segment, isWordLike }) => (isWordLike ? segment : []))
}

function words(list: string): RegExp {
  return new RegExp(` (?:${list.replaceAll(' ', '|')}) `, 'u')
}
