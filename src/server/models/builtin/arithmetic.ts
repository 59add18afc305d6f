import { isArithmetic } from './computing/expression.ts'
import { plainLower } from './folding.ts'
import type { ArithmeticRule, LanguageRules, ReplyLanguage } from './languages/language-rules.ts'
import { rulesFrom } from './languages/languages.ts'
import { hasDecimalComma, withDigits, withPlainNumbers } from './number-words.ts'
import { compiled, trimmedBy } from './patterns.ts'

export interface Calculation {
  kind: 'calculate'
  /** Input of the calculator. */
  expression: string
  isPercentage: boolean
  /** Sign or name of the currency that the request has. */
  currency: string | null
  commaIsDecimal: boolean
  /** Its amounts have two decimals, so the result is shown with two. */
  isMoneyLike: boolean
  /** Language of the words that it was read from; undefined for signs alone. */
  wordsIn?: ReplyLanguage
  /** The request that it was read from, for follow-ups. */
  request: string
}

const NUMBER = String.raw`(-?\d+(?:\.\d+)?)`
const TOKENS = {
  N: NUMBER,
  P: String.raw`(\d+(?:\.\d+)?)%`,
  L: String.raw`(\d+(?:\.\d+)?(?:(?:\s?[,;&+]\s?|\s)(?:and |und |et |y |& )?\d+(?:\.\d+)?){1,30})`,
}
const CURRENCY =
  /[€$£]|(?<![\p{L}])(?:euros?|eur|dollars?|usd|bucks|pounds?|gbp|quid|francs?|franken|chf|pesos?|dolares|yen|rupees)(?![\p{L}])/gu
const CURRENCY_SIGNS: readonly (readonly [RegExp, string])[] = [
  [/^(?:€|eur)/, '€'],
  [/^(?:\$|dol|usd|buck)/, '$'],
  [/^(?:£|pound|gbp|quid)/, '£'],
  [/^(?:chf|franken)/, 'CHF'],
]
const PERCENT = /\s*(?:%|(?<![\p{L}])(?:percent|per cent|prozent|pour ?cents?|por ciento)(?![\p{L}]))/gu
const EQUALS = /\s*(?:=|(?<![\p{L}])(?:equals?|makes?|ergibt|ist gleich|font|fait|es igual a))\s*\??$/u
/** Dates, shares and idioms that look like a calculation and are none. */
const NO_CALCULATION = /^(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}\/\d{1,2}\/\d{2,4}|24\/7|50\/50|9\/11|\d{4}[-/]\d{2}|[\d ()+/-]*\d{5}[\d ()+/-]*)$/
const LONG_NUMBER = /\d{16}/
const OPERATION = /[+\-*/^%×÷√²³x!]|\w\(/i

/** The calculation that a request asks for in words or signs. */
export function calculationOf(request: string, language: ReplyLanguage | undefined): Calculation | undefined {
  const folded = plainLower(request)
  if (!/\d/.test(folded) && !rulesFrom(language).some((rules) => withDigits(folded, rules) !== folded)) return undefined
  for (const rules of rulesFrom(language)) {
    const calculation = calculationIn(folded, rules, language ?? rules.language)
    if (calculation) return { ...calculation, request }
  }
  return undefined
}

function calculationIn(folded: string, rules: LanguageRules, language: ReplyLanguage): Omit<Calculation, 'request'> | undefined {
  const [currency = null] = folded.match(CURRENCY) ?? []
  const inWords = folded.replace(PERCENT, '%').replace(CURRENCY, ' ').replace(/\s+/g, ' ')
  const commaIsDecimal = language !== 'en' || hasDecimalComma(inWords)
  const text = trimmedBy(
    withPlainNumbers(withDigits(inWords, rules), commaIsDecimal).replace(EQUALS, ''),
    rules.calculationLeads,
    rules.closings,
  )
  const inRule = byRule(text, rules)
  const found = inRule ?? bySigns(text, rules)
  if (!found) return undefined
  // A share of any number ("25% of 3.14") is exact; a discount, a tax or a split is of money.
  const isShare = /\bof\b/.test(found.expression) && !currency
  const isMoneyLike = !isShare && hasAmounts(found.expression) && (inRule !== undefined || found.expression.includes('%'))
  const wordsIn = inRule && { wordsIn: rules.language }
  return { kind: 'calculate', ...found, currency: currency && signOf(currency), commaIsDecimal, isMoneyLike, ...wordsIn }
}

/** Whether an expression has an amount such as 59.99 and no finer number; averages are no amounts. */
function hasAmounts(expression: string): boolean {
  const decimals = expression.match(/\d+\.\d+(?!\d*%)/g) ?? []
  return (
    decimals.length > 0 &&
    decimals.every((number) => /\.\d\d$/.test(number)) &&
    !/[a-z^]|\+.*\) \/ \d+$/i.test(expression.replace('of', ''))
  )
}

function signOf(currency: string): string {
  return CURRENCY_SIGNS.find(([pattern]) => pattern.test(currency))?.[1] ?? currency
}

function byRule(text: string, { arithmetic }: LanguageRules): Pick<Calculation, 'expression' | 'isPercentage'> | undefined {
  // Longer ones are no amounts, and slow to match.
  if (LONG_NUMBER.test(text)) return undefined
  const numbers = text.match(/\d+(?:\.\d+)?/g)?.length ?? 0
  for (const rule of arithmetic) {
    const [, ...values] = compiled(rule.pattern, TOKENS).exec(text) ?? []
    if (values.length === 0 || values.join(' ').match(/\d+(?:\.\d+)?/g)?.length !== numbers) continue
    return { expression: expressionOf(rule, values), isPercentage: rule.isPercentage ?? false }
  }
  return undefined
}

function expressionOf({ expression }: ArithmeticRule, values: readonly string[]): string {
  if (expression !== 'average' && expression !== 'sum')
    return expression.replace(/\{(\d)\}/g, (_, index: string) => values[Number(index) - 1] ?? '')
  const numbers = values[0]?.match(/\d+(?:\.\d+)?/g) ?? []
  const sum = numbers.join(' + ')
  return expression === 'sum' ? sum : `(${sum}) / ${numbers.length}`
}

/** Arithmetic in signs, with words for some of them. */
function bySigns(text: string, rules: LanguageRules): Pick<Calculation, 'expression' | 'isPercentage'> | undefined {
  const expression = withSigns(text, rules)
  if (!/\d/.test(expression) || !OPERATION.test(expression.replace(/^-/, '')) || NO_CALCULATION.test(expression)) return undefined
  return isArithmetic(expression) ? { expression, isPercentage: false } : undefined
}

/** Operators in words as signs. */
function withSigns(text: string, { operators }: LanguageRules): string {
  let expression = text
  for (const [words, sign] of operators)
    expression = expression.replace(compiled(words, {}, 'word'), (match, ...groups) => filled(sign, groups, match))
  return expression
    .replace(/\b(\d+)\s*!/g, 'factorial($1)')
    .replace(/\s+/g, ' ')
    .trim()
}

function filled(sign: string, groups: unknown[], match: string): string {
  if (!sign.includes('$')) return match.startsWith(' ') ? ` ${sign}` : sign
  return sign.replace(/\$(\d)/g, (_, index: string) =>
    typeof groups[Number(index) - 1] === 'string' ? String(groups[Number(index) - 1]) : '',
  )
}

/** A calculation that goes on from the result of another: "and plus 40", "half of that", "with 10% tip". */
export function continuedCalculation(rest: string, before: Calculation, language: ReplyLanguage | undefined): Calculation | undefined {
  const folded = plainLower(rest).replace(PERCENT, '%').replace(CURRENCY, ' ').replace(/\s+/g, ' ').trim()
  for (const rules of rulesFrom(language)) {
    const text = trimmedBy(withPlainNumbers(withDigits(folded, rules), before.commaIsDecimal), '', rules.closings)
    const expression = continuation(text, rules)
    if (expression === undefined) continue
    const whole = expression.replaceAll('RESULT', `(${before.expression})`)
    if (isArithmetic(whole)) return { ...before, expression: whole, isPercentage: false, request: whole }
  }
  return undefined
}

/** Calculation that continues from `RESULT`; `undefined` if the text is none. */
function continuation(text: string, rules: LanguageRules): string | undefined {
  const addition = /^(?:with|mit|avec|con|plus|add|und|\+|incl\w*|inkl\w*)(?: (?:an?|el|un))? ?(\d+(?:\.\d+)?)%(?: .{0,25})?$/u.exec(
    text,
  )?.[1]
  if (addition !== undefined) return `RESULT + ${addition}%`
  const discount =
    /^(?:another|(?:an? )?(?:further|extra|additional)|nochmals?|noch ?mal|noch|weitere|encore|otros?|adicional) (\d+(?:\.\d+)?)%(?: (?:off|discount|rabatt|nachlass|de reduction|de descuento|de remise))$/u.exec(
      text,
    ) ??
    /^(?:minus|less|moins|menos|with|-|abzuglich|weniger)? ?(\d+(?:\.\d+)?)%(?: (?:off|discount|rabatt|de reduction|de descuento|de remise|nachlass|less))$|^(?:minus|less|moins|menos|-|abzuglich|weniger) ?(\d+(?:\.\d+)?)%(?: .{0,20})?$/u.exec(
      text,
    )
  if (discount) return `RESULT - ${discount[1] ?? discount[2]}%`
  const share =
    /^(\d+(?:\.\d+)?)% (?:of|von|de|from) (?:that|it|this|the result|davon|dem|ca|cela|eso)$/.exec(text)?.[1] ??
    /^davon (\d+(?:\.\d+)?)%$/.exec(text)?.[1]
  if (share !== undefined) return `${share}% * RESULT`
  const fraction = fractionOf(text, rules)
  if (fraction !== undefined) return fraction
  const signs = withSigns(text.replace(compiled(rules.lastResult, {}, 'word'), '0815'), rules).replaceAll('0815', 'RESULT')
  if (/^(?:[+*/^×÷-]|\*\*)\s*\d/.test(signs)) return `RESULT ${signs}`
  return signs.includes('RESULT') && /[+*/^×÷-]/.test(signs) ? signs : undefined
}

const FRACTIONS: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:the )?(?:half|halve)(?: it| that| of (?:it|that|this))?$|^(?:die )?halfte(?: davon)?$|^halbiert$|^la moitie(?: de ca)?$|^la mitad(?: de eso)?$/,
    'RESULT / 2',
  ],
  [
    /^(?:the )?(?:double|twice)(?: it| that| of (?:it|that))?$|^(?:das )?doppelte(?: davon)?$|^verdoppelt$|^le double$|^el doble(?: de eso)?$/,
    'RESULT * 2',
  ],
  [/^(?:a |1 )?third of (?:it|that)$|^1 drittel davon$|^(?:le |1 )?tiers(?: de ca)?$|^1 tercio(?: de eso)?$/, 'RESULT / 3'],
  [/^(?:a |1 )?quarter of (?:it|that)$|^1 viertel davon$/, 'RESULT / 4'],
  [/^squared$|^im quadrat$|^au carre$|^al cuadrado$/, 'RESULT ^ 2'],
  [
    /^(?:divided|split|split it|divide it|divide that|split that|aufgeteilt|geteilt|partage|dividido)? ?(?:between|among|by|auf|durch|unter|entre|par|for) (\d+)(?: [\p{L}]+)?$/u,
    'RESULT / $1',
  ],
]

function fractionOf(text: string, _rules: LanguageRules): string | undefined {
  const found = FRACTIONS.find(([pattern]) => pattern.test(text))
  return found && text.replace(found[0], found[1])
}
