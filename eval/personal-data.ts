import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { findPersonalData } from '../src/personal-data/find-personal-data.ts'
import { PERSONAL_DATA_KINDS, type PersonalDataKind, type PersonalDataMatch } from '../src/personal-data/kinds.ts'

/** A find may be this much longer than the value, such as by a flat or a title. */
const MAX_EXTRA_CHARACTERS = 20

const Texts = z.array(
  z.strictObject({ text: z.string(), expect: z.array(z.strictObject({ kind: z.enum(PERSONAL_DATA_KINDS), value: z.string() })) }),
)
type Sample = z.infer<typeof Texts>[number]

/** Finds by regular expressions alone, as a filter without checksums would. */
const BASELINE: Record<PersonalDataKind, RegExp> = {
  iban: /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b/g,
  card: /\b(?:\d[ -]?){13,19}\b/g,
  national_id: /\b(?:\d{9,13}|\d{3}-\d{2}-\d{4}|\d{6}-\d{4}|[A-Z]{0,2}\d{6,8}[A-Z]|[A-Z]{6}\d{2}[A-Z]\d{2}[A-Z]\d{3}[A-Z])\b/g,
  email: /[\w.+-]+@[\w-]+\.[\w.-]+\w/g,
  telephone: /\+?\d[\d ()/.-]{7,}\d/g,
  address:
    /\b\d{1,4},? \p{L}+ (?:street|st|road|rd|avenue|ave|lane|drive)\b[^\n]{0,40}|\p{L}+(?:straße|strasse|str\.) \d+[a-z]?(?:, \d{5} \p{L}+)?|\b(?:rue|calle|via) [\p{L} ]+,? \d+[^\n]{0,30}/giu,
}

/** The finds that are values of the set, those that are not, and the values that were not found. */
export interface Counts {
  right: number
  wrong: number
  missed: number
}

export interface PersonalDataResult {
  set: 'seen' | 'unseen'
  kind: PersonalDataKind | 'all'
  values: number
  ours: Counts
  baseline: Counts
}

/** Measures both halves of `eval/personal-data`, kind by kind. */
export function measurePersonalData(): PersonalDataResult[] {
  return (['seen', 'unseen'] as const).flatMap((set) => {
    const samples = Texts.parse(parse(readFileSync(join(import.meta.dirname, 'personal-data', `${set}.yaml`), 'utf8')))
    const byKind = PERSONAL_DATA_KINDS.map((kind) => ({
      set,
      kind,
      values: samples.flatMap(({ expect }) => expect).filter((one) => one.kind === kind).length,
      ours: countsOf(samples, kind, (text) => findPersonalData(text)),
      baseline: countsOf(samples, kind, findByExpressions),
    }))
    const total = (counts: readonly Counts[]): Counts =>
      counts.reduce((sum, { right, wrong, missed }) => ({
        right: sum.right + right,
        wrong: sum.wrong + wrong,
        missed: sum.missed + missed,
      }))
    return [
      ...byKind,
      {
        set,
        kind: 'all' as const,
        values: byKind.reduce((sum, { values }) => sum + values, 0),
        ours: total(byKind.map(({ ours }) => ours)),
        baseline: total(byKind.map(({ baseline }) => baseline)),
      },
    ]
  })
}

/** A Markdown table of the results. */
export function personalDataTable(results: readonly PersonalDataResult[]): string {
  const share = (part: number, rest: number) => (part + rest === 0 ? '' : `${Math.round((100 * part) / (part + rest))} %`)
  const cells = ({ right, wrong, missed }: Counts) => `${share(right, wrong)} | ${share(right, missed)}`
  return [
    '| half | kind | values | precision | recall | baseline’s precision | baseline’s recall |',
    '|---|---|---|---|---|---|---|',
    ...results.map(({ set, kind, values, ours, baseline }) => `| ${set} | \`${kind}\` | ${values} | ${cells(ours)} | ${cells(baseline)} |`),
  ].join('\n')
}

function findByExpressions(text: string): PersonalDataMatch[] {
  return PERSONAL_DATA_KINDS.flatMap((kind) =>
    [...text.matchAll(BASELINE[kind])].map((match) => ({ kind, start: match.index, end: match.index + match[0].length })),
  )
}

function countsOf(samples: readonly Sample[], kind: PersonalDataKind, find: (text: string) => PersonalDataMatch[]): Counts {
  const counts = { right: 0, wrong: 0, missed: 0 }
  for (const { text, expect } of samples) {
    const found = find(text).filter((match) => match.kind === kind)
    const values = placesOf(text, expect)
      .filter((one) => one.kind === kind)
      .map(({ start, end }) => ({ start, end }))
    const covers = (match: { start: number; end: number }, value: { start: number; end: number }) =>
      match.start <= value.start && match.end >= value.end && match.end - match.start <= value.end - value.start + MAX_EXTRA_CHARACTERS
    counts.right += values.filter((value) => found.some((match) => covers(match, value))).length
    counts.missed += values.filter((value) => !found.some((match) => covers(match, value))).length
    counts.wrong += found.filter((match) => !values.some((value) => covers(match, value))).length
  }
  return counts
}

/** Where the values stand, in their order. */
function placesOf(text: string, expect: Sample['expect']): PersonalDataMatch[] {
  let from = 0
  return expect.map(({ kind, value }) => {
    const after = text.indexOf(value, from)
    const start = after === -1 ? text.indexOf(value) : after
    from = start + value.length
    return { kind, start, end: start + value.length }
  })
}
