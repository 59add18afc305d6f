import { PAGE_LANGUAGES, type PageLanguage } from '../../../contract/page-languages.ts'
import { normalizeText } from '../../../text/normalize-text.ts'
import { WORDINGS } from './wordings.ts'

const MAX_CHARACTERS = 250
const ARITHMETIC = /^(?:[\d\s.,+\-*/^%×÷·√²³π()']|x(?=[\s\d(])|of(?=\s))+$/
const OPERATION = /\d\s*(?:[+\-*/^×÷·x]|%?\s*of\s|%\s*[×*])\s*[\d(√-]|√|[²³]/
/** Dates, shares and telephone numbers, which only look like a calculation. */
const NO_CALCULATION =
  /^(?:\d{4}-\d{1,2}(?:-\d{1,2})?|\d{1,2}\/\d{1,2}\/\d{2,4}|24\/7|50\/50|9\/11|\d{4}\/\d{2}|[\d ()+/-]*\d{5}[\d ()+/-]*)$/

export interface Calculation {
  /** As the calculator reads it. */
  expression: string
  language: PageLanguage
}

/** The calculation that is all a prompt asks for, read in the given language first; undefined for anything else. */
export function calculationIn(prompt: string, language: PageLanguage): Calculation | undefined {
  if (prompt.length > MAX_CHARACTERS || !/\d/.test(prompt)) return undefined
  for (const one of new Set([language, ...PAGE_LANGUAGES])) {
    const expression = expressionIn(prompt, one)
    if (expression !== undefined) return { expression, language: one }
  }
  return undefined
}

function expressionIn(prompt: string, language: PageLanguage): string | undefined {
  const { ask, signs } = WORDINGS[language]
  const plain = normalizeText(prompt).toLowerCase()
  let text = plain.replace(wordsIn(ask), ' ')
  for (const [sign, words] of Object.entries(signs)) if (words !== '') text = text.replace(wordsIn(words), ` ${sign} `)
  text = withPlainNumbers(text.replace(/[=?？!。.]+\s*$/, ''), language)
    .replace(/\s+%/g, '%')
    .replace(/\s+/g, ' ')
    .trim()
  return ARITHMETIC.test(text) && OPERATION.test(text) && !NO_CALCULATION.test(text) ? text : undefined
}

/** A calculation and its result, numbers written as in the language. */
export function calculationText({ expression, language }: Calculation, result: number): string {
  const format = new Intl.NumberFormat(language, { maximumSignificantDigits: 12, numberingSystem: 'latn' })
  const { of } = WORDINGS[language].signs
  const shown = expression
    .replace(/\d+(?:\.\d+)?/g, (number) => (number.length > 15 ? number : format.format(Number(number))))
    .replace(/\s*\*\s*/g, ' × ')
    .replace(/\s*(\+|\/|(?<=[\d)%]\s*)-)\s*/g, ' $1 ')
    .replace(/\bof\b/, of.split('|')[0] || '×')
  return `${shown} = **${format.format(result)}**`
}

/** Longest first; between letters only where the script has spaces between words. */
function wordsIn(words: string): RegExp {
  const longestFirst = words.split('|').toSorted((one, other) => other.length - one.length)
  return new RegExp(longestFirst.map((word) => (/^[a-zа-яà-ž]/i.test(word) ? `(?<!\\p{L})${word}(?!\\p{L})` : word)).join('|'), 'gu')
}

/** The text with its numbers as JavaScript writes them: a sign before exactly three digits separates thousands if it does in the language. */
function withPlainNumbers(text: string, language: PageLanguage): string {
  const isCommaDecimal = new Intl.NumberFormat(language).format(1.5).includes(',')
  return text.replace(/(?<=\d)[ ']+(?=\d{3}(?!\d))/g, '').replace(/\d+(?:[.,]\d+)+/g, (number) => {
    const last = Math.max(number.lastIndexOf('.'), number.lastIndexOf(','))
    const sign = number.charAt(last)
    const isMixed = number.includes('.') && number.includes(',')
    const isRepeated = number.indexOf(sign) !== last
    const isGrouping = number.length - last === 4 && (sign === ',') !== isCommaDecimal
    if (isRepeated || (isGrouping && !isMixed)) return number.replace(/[.,]/g, '')
    return `${number.slice(0, last).replace(/[.,]/g, '')}.${number.slice(last + 1)}`
  })
}
