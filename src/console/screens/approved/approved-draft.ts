import { PAGE_LANGUAGES } from '../../../contract/page-languages.ts'
import type { ApprovedDraft, ApprovedField, ApprovedProblem, ApprovedState } from '../../../contract/staff/content/approved-answers.ts'
import { useLanguage } from '../../../ui/language/language.ts'
import { defineMessage, type MessageText, t } from '../../../ui/language/translate.ts'
import { fold } from '../../../text/fold.ts'
import { linesIn } from '../../format.ts'

/** A draft as it is typed: lists are lines of a text. */
export type TypedDraft = Omit<ApprovedDraft, 'matches' | 'mustNotMatch'> & { matches: string; mustNotMatch: string }

const NAMES: Readonly<Record<ApprovedField, MessageText>> = {
  question: defineMessage('Question'),
  matches: defineMessage('Other wordings'),
  mustNotMatch: defineMessage('Must not match'),
  languages: defineMessage('Languages'),
  text: defineMessage('Answer'),
  sourceTitle: defineMessage('Source'),
  sourceUrl: defineMessage('Address of the source'),
  owner: defineMessage('Owner'),
  validFrom: defineMessage('Valid from'),
  validUntil: defineMessage('Valid until'),
}
export const STATE_NAMES: Readonly<Record<ApprovedState, MessageText>> = {
  draft: defineMessage('draft, not published'),
  answers: defineMessage('live'),
  'not-yet': defineMessage('not valid yet'),
  expired: defineMessage('expired'),
  'left-out': defineMessage('left out because of a problem'),
  hidden: defineMessage('not live'),
}

const FIELDS = Object.keys(NAMES) as ApprovedField[]

export const fieldName = (field: ApprovedField): string => t(NAMES[field])

const DAY_MS = 86_400_000
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)

/** A new answer in the language of the console, valid for a year. */
export function newDraft(owner: string): ApprovedDraft {
  return {
    question: '',
    matches: [],
    mustNotMatch: [],
    languages: PAGE_LANGUAGES.filter((language) => language === useLanguage.getState().language),
    owner,
    sourceTitle: '',
    sourceUrl: '',
    validFrom: dayOf(Date.now()),
    validUntil: dayOf(Date.now() + 365 * DAY_MS),
    text: '',
  }
}

export function typedDraft({ matches, mustNotMatch, ...rest }: ApprovedDraft): TypedDraft {
  return { ...rest, matches: matches.join('\n'), mustNotMatch: mustNotMatch.join('\n') }
}

export function draftOf({ matches, mustNotMatch, ...rest }: TypedDraft): ApprovedDraft {
  return { ...rest, matches: linesIn(matches), mustNotMatch: linesIn(mustNotMatch) }
}

export function textOfDraft({ text, ...facts }: ApprovedDraft): string {
  const lines = FIELDS.flatMap((field) => {
    if (field === 'text') return []
    const value = facts[field]
    const name = fieldName(field)
    if (field === 'languages') return `${name}: ${facts.languages.join(', ')}`
    return Array.isArray(value) ? [`${name}:`, ...value.map((line) => `  ${line}`)] : `${name}: ${value}`
  })
  return [...lines, '', text].join('\n')
}

export function isSameDraft(one: ApprovedDraft, other: ApprovedDraft): boolean {
  return FIELDS.every((field) => JSON.stringify(one[field]) === JSON.stringify(other[field]))
}

/** Problems with a field of the checked draft, a sentence a line; `undefined` if none. */
export function problemsOf(field: ApprovedField, problems: readonly ApprovedProblem[], checked: ApprovedDraft): string | undefined {
  const found = problems.filter((problem) => problem.field === field)
  if (found.length === 0) return undefined
  const value = checked[field]
  return found.map(({ line, message }) => (line !== null && Array.isArray(value) ? `“${value[line - 1]}”: ${message}` : message)).join('\n')
}

export function mistakenFields(problems: readonly ApprovedProblem[]): string[] {
  return FIELDS.filter((field) => problems.some((problem) => problem.field === field)).map(fieldName)
}

/** An id made of a question, in the letters that ids have; empty if it has none of them. */
export function idOfQuestion(question: string): string {
  return fold(question)
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 64)
    .replaceAll(/^-|-$/g, '')
}

const WORDS = new Intl.Segmenter(undefined, { granularity: 'word' })

export function singleWords({ question, matches }: { question: string; matches: readonly string[] }): string[] {
  return [question, ...matches].filter((wording) => [...WORDS.segment(wording)].filter(({ isWordLike }) => isWordLike).length === 1)
}
