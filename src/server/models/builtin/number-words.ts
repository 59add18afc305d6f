import type { LanguageRules } from './languages/language-rules.ts'

const patterns = new Map<string, RegExp>()

/** The text with number words as digits: "twenty-three times seven" is "23 times 7". */
export function withDigits(text: string, { language, numbers }: LanguageRules): string {
  const known = patterns.get(language)
  const pattern =
    known ?? new RegExp(`(?<![\\p{L}\\d])(?:${[...numbers.keys()].toSorted((a, b) => b.length - a.length).join('|')})(?![\\p{L}])`, 'giu')
  patterns.set(language, pattern)
  return withScales(text.replace(pattern, (word) => String(numbers.get(word.toLowerCase()) ?? word)))
}

/** "2 hundred and 5", "3 thousand". */
function withScales(text: string): string {
  return text
    .replace(
      /(?<!\d)(?:(\d{1,2}) |a )?(?<![\p{L}])(?:hundred|hundert|cents?|ciento)(?: (?:and )?(\d{1,2})(?!\d))?(?![\p{L}%])/giu,
      (_, many: string | undefined, rest: string | undefined) => String(Number(many ?? 1) * 100 + Number(rest ?? 0)),
    )
    .replace(
      /(?<!\d)(?:(\d{1,3}) |a )?(?<![\p{L}])(?:thousand|tausend|mille|mil)(?: (?:and )?(\d{1,3})(?!\d))?(?![\p{L}])/giu,
      (_, many: string | undefined, rest: string | undefined) => String(Number(many ?? 1) * 1000 + Number(rest ?? 0)),
    )
}

/** A number in the text: digits with any separators between them. */
const LITERAL = /(?<![\p{L}\d.,])\d+(?:[.,]\d+)*(?![\p{L}\d])|(?<![\p{L}\d])\d+(?:[.,]\d+)*(?=[\p{L}%°])|(?<=[€$£])\d+(?:[.,]\d+)*/gu

/** The text with its numbers as JavaScript writes them; `1.234,50` and, where commas are decimal, `1,5` are understood. */
export function withPlainNumbers(text: string, commaIsDecimal: boolean): string {
  const isComma = commaIsDecimal || /\d,\d{1,2}(?!\d)(?!,\d)/.test(text)
  return text
    .replace(/(?<=\d)[ \u00a0\u202f'](?=\d{3}(?!\d))/g, (gap) => (gap === ' ' && !isComma ? gap : ''))
    .replace(LITERAL, (literal) => plain(literal, isComma))
}

/** Whether numbers of the text have a decimal comma beyond doubt. */
export function hasDecimalComma(text: string): boolean {
  return /(?<![\d,])\d+(?:\.\d{3})*,(?:\d{1,2}|\d{4,})(?![\d,])/.test(text)
}

function plain(literal: string, commaIsDecimal: boolean): string {
  const comma = literal.lastIndexOf(',')
  const dot = literal.lastIndexOf('.')
  if (comma >= 0 && dot >= 0) {
    const [decimal, grouping] = comma > dot ? [',', '.'] : ['.', ',']
    return literal.replaceAll(grouping, '').replace(decimal, '.')
  }
  const sign = comma >= 0 ? ',' : '.'
  const parts = literal.split(sign)
  if (parts.length === 1) return literal
  const isGrouped = parts.slice(1).every((part) => part.length === 3) && (parts[0]?.length ?? 0) <= 3
  if (parts.length > 2) return isGrouped ? parts.join('') : parts.join(' ')
  const isDecimal = !isGrouped || (sign === ',') === commaIsDecimal
  return isDecimal ? parts.join('.') : parts.join('')
}
