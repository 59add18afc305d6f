import { loadUnits } from './computing/convert-units.ts'
import { timeZoneOf } from './computing/time-zones.ts'
import { calculationOf, continuedCalculation, type Calculation } from './arithmetic.ts'
import type { Conversion } from './conversions.ts'
import { type AmbiguousDate, dateIn, type DateRequest, dateRequestOf, inputOf, inUnit } from './dates.ts'
import { plainLower } from './folding.ts'
import type { AskBack, Before, Reaction, Request, Search } from './intent-types.ts'
import type { FollowUpKind, ReplyLanguage } from './languages/language-rules.ts'
import { rulesFrom } from './languages/languages.ts'
import { withDigits, withPlainNumbers } from './number-words.ts'
import { compiled } from './patterns.ts'
import { quotedPassage } from './quoted-passage.ts'
import { ruleIntent } from './rule-intent.ts'
import { contentWordsOf, searchQueriesOf } from './search-query.ts'
import type { TimeRequest } from './times.ts'

const MAX_CHARACTERS = 100
/** Longer questions are not follow-ups. */
const MAX_WORDS = 9

type FollowUp = Request | Reaction | AskBack | undefined

/** A request to translate something, which needs no answer before it. */
const TRANSLATION =
  /^(?:translate|ubersetz|traduis|traduire|traduisez|traduce|traducir|traduzca)|^(?:say|how do you say|how do i say|write|what is|what's) .{1,60} in (?:german|french|spanish|italian|english|portuguese|russian|arabic|chinese|japanese|hindi|korean|latin|turkish|polish|dutch)$|^(?:was heisst|wie sagt man) .{1,60} (?:auf|in) [a-z]+$|^(?:comment (?:dit-on|on dit)|como se dice) .{1,60} en [a-z]+$/

/** Interprets a short prompt after an answer; `request` is the prompt without politeness and accents. */
export async function followUpOf(
  request: string,
  prompt: string,
  before: Before | undefined,
  language: ReplyLanguage | undefined,
): Promise<FollowUp> {
  if (request.length > MAX_CHARACTERS) return undefined
  if (TRANSLATION.test(plainLower(request))) return { kind: 'reaction', about: 'translate', quoted: null, query: null }
  const reaction = reactionTo(request, before, language)
  if (reaction || !before) return reaction
  const { rest, hasLead } = withoutLead(request, language)
  if (before.request.kind === 'search') return searchAfter(request, prompt, hasLead, before, before.request, language)
  const found = await computedAfter(rest, hasLead, before.request, language)
  return found ?? ((await isElliptic(request, rest, language)) ? { kind: 'ask-back', about: 'nothing-before' } : undefined)
}

/** Applies a short prompt to the calculation, conversion, time or date before it. */
async function computedAfter(
  rest: readonly string[],
  hasLead: boolean,
  before: Exclude<Request, Search>,
  language: ReplyLanguage | undefined,
): Promise<FollowUp> {
  switch (before.kind) {
    case 'calculate':
      return calculationAfter(rest, hasLead, before, language)
    case 'convert':
      return conversionAfter(rest, before, language)
    case 'time':
      return timeAfter(rest, before)
    case 'date':
      return dateAfter(rest, before, language)
    case 'ambiguous-date':
      return clarifiedDate(rest, before, language)
  }
}

const MAX_ELLIPTIC_WORDS = 4

/** Whether a prompt is incomplete on its own, such as "and weeks?", "in total?" or "per person": it can't be searched for. */
async function isElliptic(request: string, rest: readonly string[], language: ReplyLanguage | undefined): Promise<boolean> {
  if (request.split(/\s+/).length > MAX_ELLIPTIC_WORDS) return false
  if (await ruleIntent(request, language)) return false
  const { isUnit } = await loadUnits()
  const [after = ''] = rest
  const startsWithPreposition = rest.length > 1 || /^(?:per|pro|par|por|each|je)\s/i.test(after)
  const isPeriod = rulesFrom(language).some(({ periodUnits }) =>
    Object.values(periodUnits).some((names) => compiled(names, {}).test(plainLower(after))),
  )
  return startsWithPreposition || isPeriod || isUnit(after) || contentWordsOf(request).length === 0
}

function reactionTo(request: string, before: Before | undefined, language: ReplyLanguage | undefined): FollowUp {
  for (const { followUps, followUpLeads } of rulesFrom(language)) {
    const plain = request.replace(compiled(`(?:${followUpLeads})[, ]+`, {}, 'word'), (lead, offset: number) => (offset === 0 ? '' : lead))
    const kinds = Object.entries(followUps) as [FollowUpKind, string][]
    const [about] = kinds.find(([, pattern]) => compiled(pattern, {}).test(request) || compiled(pattern, {}).test(plain)) ?? []
    if (about === undefined) continue
    if (!before) return about === 'translate' ? undefined : { kind: 'ask-back', about: 'nothing-before' }
    const isSearch = before.request.kind === 'search'
    return {
      kind: 'reaction',
      about,
      quoted: (isSearch && quotedPassage(before.answer)) || null,
      query: before.request.kind === 'search' ? (before.request.queries[0] ?? null) : null,
    }
  }
  return undefined
}

/** The request without "and" or "what about", and without the preposition after it. */
function withoutLead(request: string, language: ReplyLanguage | undefined): { rest: string[]; hasLead: boolean } {
  for (const { followUpLeads, prepositions } of rulesFrom(language)) {
    const [, lead, after] = compiled(`((?:(?:${followUpLeads})[, ]+)?)(.+)`, {}).exec(request) ?? []
    const preposition =
      after === undefined ? undefined : compiled(`(?:${prepositions}) (?:the |der |den |dem |das |le |la |el )?(.+)`, {}).exec(after)?.[1]
    if (after !== undefined && (lead !== '' || preposition !== undefined))
      return { rest: preposition === undefined ? [after] : [after, preposition], hasLead: lead !== '' }
  }
  return { rest: [request], hasLead: false }
}

function calculationAfter(rest: readonly string[], hasLead: boolean, before: Calculation, language: ReplyLanguage | undefined): FollowUp {
  for (const text of rest) {
    const repeated = repeatedDiscount(text, before, language)
    if (repeated) return repeated
    const continued = continuedCalculation(text, before, language)
    if (continued) return continued
    const value = numberIn(text, language)
    if (value === undefined) continue
    const changed = substituted(before.request, value)
    const calculation = changed === undefined ? undefined : calculationOf(changed, language)
    if (calculation) return calculation
    if (hasLead) return { kind: 'ask-back', about: 'which-number' }
  }
  return undefined
}

const DISCOUNT = String.raw`(?:off|discount|rabatt|nachlass|de reduction|de remise|de descuento)`

/** "And 15% off?" after "20% off 59.99": the same discount with another percentage. */
function repeatedDiscount(text: string, before: Calculation, language: ReplyLanguage | undefined): Calculation | undefined {
  const [, percentage] =
    compiled(String.raw`(\d+(?:[.,]\d+)? ?%)(?: ${DISCOUNT})`, {}).exec(
      plainLower(text).replace(/ ?(?:percent|prozent|pour ?cent|por ciento)/, '%'),
    ) ?? []
  if (percentage === undefined || !compiled(DISCOUNT, {}, 'word').test(plainLower(before.request))) return undefined
  const changed = substituted(before.request, percentage)
  return changed === undefined ? undefined : calculationOf(changed, language)
}

/** A number or percentage that is all of a text. */
function numberIn(text: string, language: ReplyLanguage | undefined): string | undefined {
  for (const rules of rulesFrom(language)) {
    const [, number, percent] =
      /^(-?\d[\d.,]*) ?(%|percent|prozent|pour ?cent|por ciento)?(?: ?(?:euros?|dollars?|€|\$))?$/.exec(
        withDigits(plainLower(text), rules),
      ) ?? []
    if (number !== undefined) return percent === undefined ? number : `${number}%`
  }
  return undefined
}

/** The request with its only percentage, or its only other number, replaced. */
function substituted(request: string, value: string): string | undefined {
  const percentages = /\d[\d.,]*\s*(?:%|percent|per cent|prozent|pour ?cents?|por ciento)/gi
  const plain = request.replace(/(\d)[.,](?=\s|$)/g, '$1')
  if (value.endsWith('%')) return plain.match(percentages)?.length === 1 ? plain.replace(percentages, value) : undefined
  const numbers = [...plain.matchAll(/\d+(?:[.,]\d+)*(?!\s*(?:%|percent|per cent|prozent|pour ?cent|por ciento)|[\d.,])/gi)]
  const [only] = numbers
  return only && numbers.length === 1 ? `${plain.slice(0, only.index)}${value}${plain.slice(only.index + only[0].length)}` : undefined
}

async function conversionAfter(
  rest: readonly string[],
  before: Conversion,
  language: ReplyLanguage | undefined,
): Promise<Conversion | undefined> {
  const { isUnit } = await loadUnits()
  for (const text of rest) {
    if (isUnit(text)) return { ...before, to: text }
    for (const rules of rulesFrom(language)) {
      const plain = withPlainNumbers(withDigits(text, rules), rules.language !== 'en' && language === rules.language)
      const [, amount, unit] = /^(-?\d+(?:\.\d+)?) ?(.*)$/.exec(plain) ?? []
      if (amount === undefined || (unit !== '' && !isUnit(unit ?? ''))) continue
      const { label: _, ...plainly } = before
      return { ...plainly, amount: Number(amount), ...(unit && { from: unit }) }
    }
  }
  return undefined
}

function timeAfter(rest: readonly string[], { aspect, input }: TimeRequest): TimeRequest | undefined {
  const place = rest.find((text) => timeZoneOf(text) !== undefined)
  if (place === undefined) return undefined
  return { kind: 'time', aspect, input: aspect === 'now' ? { place } : { ...input, toPlace: place } }
}

function dateAfter(
  rest: readonly string[],
  before: DateRequest,
  language: ReplyLanguage | undefined,
): DateRequest | AmbiguousDate | undefined {
  const { aspect, input } = before
  for (const text of rest) {
    const same = inUnit(text, before, language)
    if (same) return same
    const year = /^(?:the year |im jahr |en )?(\d{4})$/.exec(text)?.[1]
    if (year !== undefined && aspect === 'leap-year') return { ...before, input: { date: `${year}-01-01` } }
    if (year !== undefined && input.holiday !== undefined) return { ...before, input: { holiday: input.holiday, year: Number(year) } }
    if (year !== undefined && input.date !== undefined) return { ...before, input: { ...input, date: `${year}-${input.date.slice(-5)}` } }
    const date = dateIn(text, language)
    if (date?.kind === 'ambiguous')
      return { kind: 'ambiguous-date', text: date.text, readings: date.readings, request: before.request.replace(/\S+$/, date.text) }
    const changed =
      date && !['difference', 'later', 'earlier'].includes(aspect)
        ? inputOf(aspect, [date], { period: undefined, month: undefined, year: undefined })
        : undefined
    if (changed) return { ...before, input: changed }
  }
  return undefined
}

/** The date of the earlier question, now that it is clear which is meant. */
function clarifiedDate(rest: readonly string[], { text, readings, request }: AmbiguousDate, language: ReplyLanguage | undefined): FollowUp {
  for (const answer of rest.map(plainLower)) {
    const date = dateIn(answer, language)
    const named = date?.kind === 'date' ? readings.find((reading) => reading.endsWith(date.date.slice(-5))) : undefined
    const ordinal = /^(?:the )?(?:first|1st|former)|^(?:das |die |der )?erste|^(?:le |la )?premi|^(?:el |la )?primer/.test(answer)
      ? readings[0]
      : /^(?:the )?(?:second|2nd|latter|last)|^(?:das |die |der )?zweite|^(?:le |la )?(?:second|deuxieme)|^(?:el |la )?segund/.test(answer)
        ? readings[1]
        : undefined
    const chosen = named ?? ordinal
    if (chosen !== undefined) return dateRequestOf(request.replace(text, chosen), language)
  }
  return undefined
}

/** A question that is not complete without the one before is searched for together with it. */
function searchAfter(
  request: string,
  prompt: string,
  hasLead: boolean,
  { answer }: Before,
  before: Search,
  language: ReplyLanguage | undefined,
): Search | AskBack | undefined {
  const words = request.split(' ')
  if (words.length > MAX_WORDS) return undefined
  const refersBack = rulesFrom(language)
    .slice(0, language === undefined ? undefined : 1)
    .some(({ pronouns }) => compiled(pronouns, {}, 'word').test(request))
  const named = contentWordsOf(request)
  if (!hasLead && !refersBack && named.length > 0) return undefined
  const refersTo = quotedPassage(answer) ?? null
  const topic = contentWordsOf(before.prompt)
  const own = searchQueriesOf(prompt)
  const combined = [...new Set([...(own.at(-1) ?? '').split(' '), ...topic])].join(' ')
  // "And cookies?" may be a new topic; "can I undo it?" is none.
  const queries = refersBack || named.length === 0 ? [combined] : [combined, ...own]
  return { kind: 'search', queries, refersTo, prompt }
}
