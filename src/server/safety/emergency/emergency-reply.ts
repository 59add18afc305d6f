import type { PageLanguage } from '../../../contract/page-languages.ts'
import type { EmergencyKind } from './kinds.ts'
import { COUNTRIES, type NumberPurpose, PURPOSES } from './emergency-numbers.ts'
import { LABELS, OPENINGS, UNKNOWN_COUNTRY } from './reply-texts.ts'

/** Countries whose numbers are known, as ISO 3166 codes. */
export const KNOWN_COUNTRIES: readonly string[] = Object.keys(COUNTRIES)

/** Numbers of a country, by what they are for; the most useful for the kind first. */
const ORDER: Record<EmergencyKind, readonly NumberPurpose[]> = {
  self_harm: ['selfHarm', 'general', 'medical'],
  poisoning: ['general', 'medical', 'poison'],
  acute_illness: ['general', 'medical'],
  fire: ['fire', 'general'],
  violence: ['general', 'police'],
}

/** Reply in an emergency, as Markdown: call for help, and the numbers of the countries; without known ones the European 112. */
export function emergencyReply(kind: EmergencyKind, language: PageLanguage | null, countries: readonly string[]): string {
  const of = language ?? 'en'
  const known = countries.flatMap((code) => {
    const numbers = COUNTRIES[code]
    return numbers ? [{ code, numbers }] : []
  })
  const names = new Intl.DisplayNames([of], { type: 'region' })
  const lines = known.map(({ code, numbers }) => {
    const listed = ORDER[kind].flatMap((purpose) => {
      const number = numbers[purpose]
      return number && !(purpose !== 'general' && number === numbers.general)
        ? [`${LABELS[of][PURPOSES.indexOf(purpose)]}: **${number}**`]
        : []
    })
    return known.length === 1 ? listed.map((line) => `- ${line}`).join('\n') : `- ${names.of(code) ?? code}: ${listed.join(', ')}`
  })
  const numbers = lines.length > 0 ? lines.join('\n') : UNKNOWN_COUNTRY[of]
  return `${OPENINGS[kind][of]}\n\n${numbers}`
}
