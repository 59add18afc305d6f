import { isArithmetic } from '../../tools/expression.ts'
import { loadUnits } from '../../tools/convert-units.ts'
import { timeZoneOf } from '../../tools/time-zones.ts'
import { type SmallTalk, smallTalkOf } from './small-talk.ts'

/** What a prompt asks for. */
export type Intent =
  | { kind: 'small-talk'; topic: SmallTalk }
  | { kind: 'calculate'; expression: string }
  | { kind: 'convert'; amount: number; from: string; to: string }
  | { kind: 'time'; place: string | undefined }
  | { kind: 'search'; query: string }

/** Rules look at short prompts only: a calculation or a greeting is never a page long. */
const MAX_RULE_CHARACTERS = 400
const MAX_QUERY_CHARACTERS = 500

/** Reads what a prompt asks for by rules; `earlier` prompts, newest first, complete a follow-up. */
export async function intentOf(prompt: string, earlier: readonly string[] = []): Promise<Intent> {
  if (prompt.length <= MAX_RULE_CHARACTERS) {
    const topic = smallTalkOf(prompt)
    if (topic) return { kind: 'small-talk', topic }
    const intent = (await ruleIntent(plainRequest(prompt))) ?? (await followUp(plainRequest(prompt), earlier))
    if (intent) return intent
  }
  return { kind: 'search', query: prompt.slice(0, MAX_QUERY_CHARACTERS) }
}

async function ruleIntent(request: string): Promise<Intent | undefined> {
  return (await conversionOf(request)) ?? timeOf(request) ?? calculationOf(request)
}

const OPENINGS =
  /^(?:(?:please|hey|hi|hello|ok|okay|so|well|now|can you|could you|would you|will you|tell me|i want to know|i would like to know|i'd like to know|do you know)\b[,!:]?\s*)+/i

/** The request without greeting, politeness and punctuation at its ends. */
function plainRequest(prompt: string): string {
  const text = prompt.replace(/[’`]/g, "'").replace(/\s+/g, ' ').trim()
  return text
    .replace(OPENINGS, '')
    .replace(/[\s?!.]+$/, '')
    .replace(/[,\s]+(?:please|thanks|thank you)$/i, '')
    .trim()
}

const QUESTION =
  /^(?:(?:what's|whats|what is|what are|what does|how much is|how much are|how much does|calculate|compute|evaluate|work out|solve|the result of|result of|the value of)\s+)+/i
const WORDS_AS_SIGNS: readonly (readonly [RegExp, string])[] = [
  [/\bplus\b/gi, '+'],
  [/\bminus\b/gi, '-'],
  [/\b(?:times|multiplied by)\b/gi, '*'],
  [/\b(?:divided by|over)\b/gi, '/'],
  [/\bto the power of\b/gi, '^'],
  [/\bsquared\b/gi, '^2'],
  [/\bcubed\b/gi, '^3'],
  [/\s*\b(?:percent|per cent)\b/gi, '%'],
  [/\b(?:the )?square root of\s+(\d+(?:\.\d+)?)/gi, 'sqrt($1)'],
  [/\b(?:the )?cube root of\s+(\d+(?:\.\d+)?)/gi, 'cbrt($1)'],
  [/\b(\d+)\s*!/g, 'factorial($1)'],
  [/\bfactorial of\s+(\d+)/gi, 'factorial($1)'],
]
const CALENDAR_DATE = /^\d{4}-\d{1,2}-\d{1,2}$|^\d{1,2}\/\d{1,2}\/\d{2,4}$/

function calculationOf(request: string): Intent | undefined {
  let expression = request.replace(QUESTION, '').replace(/\s*(?:=|\b(?:equal|equals|make|makes))$/i, '')
  for (const [words, sign] of WORDS_AS_SIGNS) expression = expression.replace(words, sign)
  const hasOperation = /[+\-*/^%×÷√²³x]|\w\(/i.test(expression.replace(/^-/, ''))
  if (!/\d/.test(expression) || !hasOperation || CALENDAR_DATE.test(expression)) return undefined
  return isArithmetic(expression) ? { kind: 'calculate', expression: expression.trim() } : undefined
}

const AMOUNT = String.raw`(?<amount>[-+]?\d[\d,]*(?:\.\d+)?|\.\d+|(?:half an?|an?|one)(?=\s))`
// Escaped, µ, °, ² and ³: raw text is bundled as it is, and in ASCII V8 needs half the memory for the whole file.
const unit = (name: string) => String.raw`(?<${name}>[a-z\u00b5\u00b0"'][a-z0-9\u00b5\u00b0"'\u00b2\u00b3/ ]{0,38}?)`
const CONVERSIONS = [
  String.raw`^(?:(?:convert|change|turn|what's|whats|what is|how much is|how much are)\s+)*${AMOUNT}\s*${unit('from')}\s+(?:to|in|into|as|is how many|are how many|equals how many)\s+${unit('to')}$`,
  String.raw`^how (?:many|much)\s+${unit('to')}\s+(?:is|are|in|make|makes|equal|equals|go into|fit in)(?:\s+there)?(?:\s+in)?(?:\s+${AMOUNT})?\s*${unit('from')}$`,
].map((pattern) => new RegExp(pattern, 'i'))
const EXPLICIT = /^(?:convert|change)\b/i

async function conversionOf(request: string): Promise<Intent | undefined> {
  for (const pattern of CONVERSIONS) {
    const { amount, from, to } = pattern.exec(request)?.groups ?? {}
    if (from === undefined || to === undefined) continue
    const { isUnit } = await loadUnits()
    if ((isUnit(from) && isUnit(to)) || EXPLICIT.test(request))
      return { kind: 'convert', amount: amountOf(amount), from: from.trim(), to: to.trim() }
  }
  return undefined
}

function amountOf(text: string | undefined): number {
  if (text === undefined || /^(?:an?|one)$/i.test(text)) return 1
  return /^half/i.test(text) ? 0.5 : Number(text.replaceAll(',', ''))
}

const NOW = String.raw`(?:\s+(?:right now|now|today|currently|at the moment))?`
const IN_PLACE = String.raw`(?:\s+(?:in|at|for|over in)\s+(?<place>[\p{L}/_.,' -]{2,60}?))?`
const ASKED = String.raw`(?:(?:what's|whats|what is|what|give me|show me|tell me)\s+)?`
const TIMES = [
  String.raw`^${ASKED}(?:the\s+)?(?:current\s+|exact\s+|local\s+)?(?:time|date|time and date|date and time|day|weekday|day of the week)(?:\s+(?:is it|it is|is today|of the week is it))?${NOW}${IN_PLACE}${NOW}$`,
  String.raw`^${ASKED}(?:the\s+)?today's\s+(?:date|day|weekday)${IN_PLACE}$`,
  String.raw`^(?:what|which)\s+(?:day|date|weekday|time|day of the week|year|month)\s+(?:is it|is today|do we have|is now)${NOW}${IN_PLACE}${NOW}$`,
  String.raw`^how late is it${NOW}${IN_PLACE}$`,
].map((pattern) => new RegExp(pattern, 'iu'))

function timeOf(request: string): Intent | undefined {
  const match = TIMES.map((pattern) => pattern.exec(request)).find((found) => found !== null)
  if (match) return { kind: 'time', place: match.groups?.['place']?.replace(/^the\s+/i, '').trim() }
  const place = /^(?<place>[\p{L} ]{2,40}?)\s+time(?:\s+now)?$/iu.exec(request)?.groups?.['place']
  return place !== undefined && timeZoneOf(place) !== undefined ? { kind: 'time', place } : undefined
}

const FOLLOW_UP = /^(?:and|what about|how about|now)?\s*(?:(?:in|to|into|for|as)\s+)?(?<rest>[\p{L}µ°"'²³/0-9 ]{1,60})$/iu

/** "and in miles?", "what about Tokyo?": the last conversion or time of the conversation, with something else in its place. */
async function followUp(request: string, earlier: readonly string[]): Promise<Intent | undefined> {
  const rest = FOLLOW_UP.exec(request)?.groups?.['rest']?.trim()
  if (rest === undefined || rest === request) return undefined
  const intents = await Promise.all(earlier.map((prompt) => ruleIntent(plainRequest(prompt))))
  const before = intents.find((intent) => intent !== undefined)
  if (before?.kind === 'convert' && (await loadUnits()).isUnit(rest)) return { ...before, to: rest }
  if (before?.kind === 'time' && timeZoneOf(rest) !== undefined) return { kind: 'time', place: rest }
  return undefined
}
