import type { Span } from './payment-numbers.ts'

/** Characters before a postal code that are searched for street and number. */
const REACH = 120

const WORD = "\\p{L}[\\p{L}.'’-]{0,30}"
const STREET_END = '(?:straße|strasse|str\\.?|weg|platz|allee|gasse|ring|damm|ufer|steig|chaussee|straat|laan|plein|gracht)'
const STREET_START =
  '(?:rue|avenue|av\\.?|boulevard|bd\\.?|place|chemin|allée|allee|impasse|quai|cours|route|square|passage|calle|c/|avenida|avda\\.?|plaza|paseo|carrer|ronda|camino|via|viale|piazza|corso|largo|vicolo|strada|rua|travessa|praça)'
const NUMBER = '\\d{1,4} ?[a-zA-Z]?(?: ?[-/] ?\\d{1,3} ?[a-zA-Z]?)?'
const PARTICLE = '(?:am|an|im|der|dem|den|de|des|du|la|le|les|del|della|delle|dei|di|do|da|dos|van|von|zum|zur|und|y)'
/** The number of a house, then perhaps flat and floor, up to the postal code. */
const NUMBER_AND_FLOOR = `,? (?:[nN][.º°o]{1,2} ?|[nN]r\\.? ?)?${NUMBER}(?:, ?[^,\\n]{1,20}){0,2}[\\s,]{1,4}(?:[A-Z]{1,2}-)?$`
const TYPED_STREET = new RegExp(
  `(?<![\\p{L}\\d])(?:${STREET_START} ?(?:${WORD} ){0,5}?${WORD}|[\\p{L}.'’-]{0,30}${STREET_END})${NUMBER_AND_FLOOR}`,
  'iu',
)
/** A street that no word names as one: capitals, and small words between them. */
const NAMED_STREET = new RegExp(
  `(?<![\\p{L}\\d])\\p{Lu}[\\p{L}.'’-]{1,30}(?: (?:${PARTICLE}|\\p{Lu}[\\p{L}.'’-]{0,30})){0,4}${NUMBER_AND_FLOOR}`,
  'u',
)
/** With the number before the street, as in France. */
const BEFORE_NAME = new RegExp(
  `(?<![\\p{L}\\d])\\d{1,4}(?: ?(?:bis|ter|quater|[a-d]))?,? ${STREET_START} (?:${WORD}[ ,]{1,2}){0,7}(?:\\n)?(?:F-)?$`,
  'iu',
)
const TOWN = new RegExp(`^(?:-\\d{3})? \\p{L}[\\p{L}'’.-]{1,30}(?: (?:${PARTICLE} )?\\p{Lu}[\\p{L}'’-]{1,30}){0,3}`, 'u')
const NO_TOWN = /^ (?:euros?|eur|usd|stück|pieces|items|and|und|et|y|e|mal|times|uhr|tage|days|jahre|years)(?!\p{L})/iu
const CONTINENTAL_CODE = /(?<![\d.,-])\d{4,5}(?=(?:-\d{3})? \p{L})/gu

const ENGLISH_STREET =
  '(?:street|st|road|rd|lane|ln|avenue|ave|close|drive|dr|way|court|ct|place|pl|gardens|terrace|crescent|hill|square|sq|grove|park|mews|boulevard|blvd|circle|cir|parkway|pkwy|trail|highway|hwy|walk|row|green|view|broadway|rise|parade|yard)'
const ENGLISH = new RegExp(
  `(?<![\\p{L}\\d])(?:(?:flat|apt\\.?|apartment|unit) ?\\w{1,5},? )?\\d{1,6}[a-z]?(?:-\\d{1,4})?,? (?:[\\p{L}\\d][\\p{L}\\d.'’-]{0,30} ){0,4}${ENGLISH_STREET}\\.?(?: (?:[NSEW]{1,2}|north|south|east|west))?(?:,? (?:apt|suite|ste|unit|flat|#)\\.? ?#?\\w{1,6})?(?:[,\\s]{1,3}\\p{L}[\\p{L}.'’-]{1,30}){0,5}[,\\s]{1,3}$`,
  'iu',
)
const BRITISH_CODE = /(?<![\p{L}\d])[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}(?![\p{L}\d])/giu
const AMERICAN_CODE = /(?<![\p{L}\d])[A-Z]{2}\.?,? \d{5}(?:-\d{4})?(?!\d)/giu

/** Postal addresses with street, number, postal code and town as Germany, France, the United Kingdom, the United States, Spain and Italy write them. */
export function findAddresses(text: string): Span[] {
  return [...continental(text), ...english(text, BRITISH_CODE), ...english(text, AMERICAN_CODE)]
}

function continental(text: string): Span[] {
  return [...text.matchAll(CONTINENTAL_CODE)].flatMap(({ 0: code, index }) => {
    const before = text.slice(Math.max(0, index - REACH), index)
    const after = text.slice(index + code.length, index + code.length + REACH)
    const town = NO_TOWN.test(after) ? null : TOWN.exec(after)
    const street = town && (TYPED_STREET.exec(before) ?? BEFORE_NAME.exec(before) ?? NAMED_STREET.exec(before))
    return street ? [{ start: index - street[0].length, end: index + code.length + town[0].length }] : []
  })
}

function english(text: string, codes: RegExp): Span[] {
  return [...text.matchAll(codes)].flatMap(({ 0: code, index }) => {
    const street = ENGLISH.exec(text.slice(Math.max(0, index - REACH), index))
    return street ? [{ start: index - street[0].length, end: index + code.length }] : []
  })
}
