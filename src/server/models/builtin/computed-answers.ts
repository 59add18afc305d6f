import type { CalculatorResult } from './computing/calculator.ts'
import type { ConvertResult } from './computing/units.ts'
import type { Calculation } from './arithmetic.ts'
import type { Conversion } from './conversions.ts'
import type { Replies } from './languages/replies.ts'

const MONEY_DIGITS = 2

/** The calculation and its result, numbers as the visitor writes them. */
export function calculationAnswer(
  { isPercentage, currency, commaIsDecimal, isMoneyLike }: Calculation,
  result: CalculatorResult,
  { notCalculated, percentOf, locale }: Replies,
): string {
  if ('error' in result) return `${notCalculated} ${result.error}`
  const numbers = commaIsDecimal && locale !== 'en-GB' ? locale : commaIsDecimal ? 'de-DE' : 'en-US'
  const isMoney = (currency !== null || isMoneyLike) && !isPercentage
  const value = isMoney && !Number.isInteger(result.result) ? moneyText(result.result, numbers) : localized(result.text, numbers)
  const unit = isPercentage ? ' %' : currency !== null ? ` ${currency}` : ''
  const asked = withPercentages(readable(result.expression, commaIsDecimal), percentOf, locale)
  return `${asked} = **${value}${unit}**`
}

export function conversionAnswer({ label }: Conversion, result: ConvertResult, { notConverted, locale }: Replies): string {
  if ('error' in result) return notConverted
  const numbers = locale === 'en-GB' ? 'en-US' : locale
  const [left = '', right = ''] = result.text.split(' = ')
  return `${label ?? localized(left, numbers)} = **${localized(right, numbers)}**`
}

/** Formats money with cents. Amounts below half a cent keep their digits. */
function moneyText(value: number, locale: string): string {
  return new Intl.NumberFormat(locale, { minimumFractionDigits: MONEY_DIGITS, maximumFractionDigits: MONEY_DIGITS }).format(value)
}

/** A text whose first number is in English form, in that of a locale. */
function localized(text: string, locale: string): string {
  if (locale === 'en-US') return text
  return text.replace(/-?\d[\d,]*(?:\.\d+)?/, (number) =>
    new Intl.NumberFormat(locale, { maximumSignificantDigits: 12 }).format(Number(number.replaceAll(',', ''))),
  )
}

/** Percentages as the language writes them: "19 % von 250". */
function withPercentages(text: string, percentOf: string, locale: string): string {
  if (locale === 'en-GB') return text
  return text.replace(/%/g, ' %').replace(/(?<=% )of(?= )/g, percentOf)
}

/** Replaces asterisks, which Markdown would read as emphasis. */
function readable(expression: string, commaIsDecimal: boolean): string {
  const signs = expression
    .replace(/\*\*/g, '^')
    .replace(/\s*\*\s*/g, ' × ')
    .replace(/\s*([+/])\s*/g, ' $1 ')
    .replace(/(?<=[\d)%])\s*-\s*/g, ' − ')
    .replace(/[\\_`[\]<>]/g, (sign) => `\\${sign}`)
    .trim()
  return commaIsDecimal ? signs.replace(/(\d)\.(\d)/g, '$1,$2') : signs
}
