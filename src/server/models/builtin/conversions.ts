import { loadUnits } from './computing/convert-units.ts'
import { plainText } from './folding.ts'
import type { ReplyLanguage } from './languages/language-rules.ts'
import { rulesFrom } from './languages/languages.ts'
import { withDigits, withPlainNumbers } from './number-words.ts'
import { compiled, trimmedBy } from './patterns.ts'

export interface Conversion {
  kind: 'convert'
  amount: number
  from: string
  to: string
  /** The amount and its unit as they were written, where they are not `amount` and `from`. */
  label?: string
}

/** 5'11", 5 ft 11, 5 feet 11 inches: a height in feet and inches. */
const FEET_AND_INCHES =
  /(?<![\d.,])(\d{1,3})\s*(?:ft\.?|feet|foot|['\u2019\u2032])\s*(?:and\s+)?(\d{1,2}(?:\.\d+)?)(?![\d'])\s*(?:inch(?:es)?(?![a-z])|in(?=\s+(?:in|to|into|as)\s)|["\u201d\u2033]|'')?(?=\s)/i

// Escaped, because raw text is bundled as it is, and in ASCII V8 needs half the memory for the whole file.
const unit = (name: string) => String.raw`(?<${name}>[\p{L}\u00b5\u00b0"'][\p{L}0-9\u00b5\u00b0"'\u00b2\u00b3/ ]{0,38}?)`
const TOKENS = { N: String.raw`(?<amount>[-+]?\d+(?:\.\d+)?|half an?|an?(?=\s))`, from: unit('from'), to: unit('to') }
const EXPLICIT = /^(?:convert|change|convertir|convierte|konvertiere|rechne|wandle|convertis)\b/i
const CURRENCIES =
  /^(?:euros?|eur|us dollars?|dollars?|usd|\$|€|£|british pounds|gbp|yen|chf|swiss francs?|franken|pesos?|rupees|bitcoins?)$/i

/** The conversion of units that a request asks for. */
export async function conversionOf(request: string, language: ReplyLanguage | undefined): Promise<Conversion | undefined> {
  // Units are told apart by their capitals: mW and MW.
  const accentless = plainText(request)
  const [, feet, inches] = FEET_AND_INCHES.exec(accentless) ?? []
  const plain = feet === undefined ? accentless : accentless.replace(FEET_AND_INCHES, `${Number(feet) * 12 + Number(inches)} inches`)
  const label = feet === undefined ? {} : { label: `${feet} ft ${inches} in` }
  for (const rules of rulesFrom(language)) {
    const commaIsDecimal = (language ?? rules.language) !== 'en'
    const text = trimmedBy(withPlainNumbers(withDigits(plain, rules), commaIsDecimal), '', rules.closings)
    for (const pattern of rules.conversions) {
      const { amount, from, to } = compiled(pattern, TOKENS).exec(text)?.groups ?? {}
      if (from === undefined || to === undefined) continue
      const { isUnit } = await loadUnits()
      const isKnown = (isUnit(from) && isUnit(to)) || (CURRENCIES.test(from) && CURRENCIES.test(to))
      if (isKnown || EXPLICIT.test(text)) return { kind: 'convert', amount: amountOf(amount), from: from.trim(), to: to.trim(), ...label }
    }
  }
  return undefined
}

function amountOf(text: string | undefined): number {
  if (text === undefined || /^an?$/i.test(text)) return 1
  return /^half/i.test(text) ? 0.5 : Number(text)
}
