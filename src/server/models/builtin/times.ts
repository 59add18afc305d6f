import type { DateTimeInput } from './computing/date-time.ts'
import { timeZoneOf } from './computing/time-zones.ts'
import { plainLower } from './folding.ts'
import type { LanguageRules, ReplyLanguage } from './languages/language-rules.ts'
import { rulesFrom } from './languages/languages.ts'
import { withDigits } from './number-words.ts'
import { compiled, trimmedBy } from './patterns.ts'

export interface TimeRequest {
  kind: 'time'
  /** The clock of a place, of one place by that of another, or the difference of both. */
  aspect: 'now' | 'elsewhere' | 'difference'
  input: DateTimeInput
}

const place = (name: string) => String.raw`(?<${name}>[\p{L}][\p{L} .,'/_-]{1,40}?)`
const TOKENS = {
  A: place('a'),
  B: place('b'),
  T: String.raw`(?<t>\d{1,2}(?:[:.h]\d{2})?(?: ?(?:am|pm|a\.m\.?|p\.m\.?|uhr|h|heures?|o'clock))?|noon|midnight|mittag|mitternacht|midi|minuit|mediodia|medianoche)`,
}

/** Parses a request about clock times. */
export function timeRequestOf(request: string, language: ReplyLanguage | undefined): TimeRequest | undefined {
  const folded = plainLower(request)
  for (const rules of rulesFrom(language)) {
    const text = trimmedBy(folded, '', rules.closings)
    const found = elsewhere(text, rules) ?? difference(text, rules) ?? now(text, rules)
    if (found) return found
  }
  return undefined
}

function elsewhere(text: string, rules: LanguageRules): TimeRequest | undefined {
  for (const pattern of rules.timeElsewhere)
    for (const candidate of [text, withDigits(text, rules)]) {
      const { a, b, t } = compiled(pattern, TOKENS).exec(candidate)?.groups ?? {}
      const time = t === undefined ? undefined : clockOf(t)
      if (a === undefined || b === undefined || time === undefined) continue
      if (timeZoneOf(a) !== undefined || timeZoneOf(b) !== undefined)
        return { kind: 'time', aspect: 'elsewhere', input: { place: a, toPlace: b, time } }
    }
  return undefined
}

function difference(text: string, { timeDifference }: LanguageRules): TimeRequest | undefined {
  for (const pattern of timeDifference) {
    const { a, b } = compiled(pattern, TOKENS).exec(text)?.groups ?? {}
    if (a === undefined || b === undefined) continue
    if (timeZoneOf(a) !== undefined && timeZoneOf(b) !== undefined)
      return { kind: 'time', aspect: 'difference', input: { place: a, toPlace: b } }
  }
  return undefined
}

function now(text: string, { timeNow }: LanguageRules): TimeRequest | undefined {
  for (const [index, pattern] of timeNow.entries()) {
    const match = compiled(pattern, TOKENS).exec(text)
    if (!match) continue
    const named = match.groups?.['a']?.trim()
    // The first pattern is a whole question; with the others any noun could stand for a place.
    if (named !== undefined && index > 0 && timeZoneOf(named) === undefined) continue
    return { kind: 'time', aspect: 'now', input: named === undefined ? {} : { place: named } }
  }
  return undefined
}

const NAMED_TIMES: Readonly<Record<string, string>> = {
  noon: '12:00',
  midnight: '00:00',
  mittag: '12:00',
  mitternacht: '00:00',
  midi: '12:00',
  minuit: '00:00',
  mediodia: '12:00',
  medianoche: '00:00',
}

/** `HH:MM` of "3pm", "15 Uhr", "10:30" or "15h30"; undefined for what is no time of a day. */
function clockOf(text: string): string | undefined {
  if (Object.hasOwn(NAMED_TIMES, text)) return NAMED_TIMES[text]
  const [, hours = '', minutes = '00', half] = /^(\d{1,2})(?:[:.h](\d{2}))? ?(?:(a|p)\.?m\.?)?/.exec(text) ?? []
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half === 'p' ? 12 : 0)
  if (hours === '' || hour > 23 || Number(minutes) > 59 || (half !== undefined && Number(hours) > 12)) return undefined
  return `${String(hour).padStart(2, '0')}:${minutes}`
}
