import { isNode, isScalar, LineCounter, parseDocument } from 'yaml'
import { z } from 'zod'
import { ANSWER_STATES } from '../../../contract/chat/answer-state.ts'

const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'ru', 'sv', 'tr', 'ja', 'ko', 'zh', 'ar', 'hi', 'uk'] as const

const oneOrMore = <One extends z.ZodType>(one: One) => z.union([one.transform((single) => [single]), z.array(one).min(1)])
const List = oneOrMore(z.string().min(1))
const Pattern = z.string().superRefine((source, context) => {
  try {
    RegExp(source, 'iu')
  } catch {
    context.addIssue({ code: 'custom', message: 'is not a regular expression' })
  }
})

const Judge = z.union([
  z
    .string()
    .min(1)
    .transform((rubric) => ({ rubric, min: 4 })),
  z.strictObject({ rubric: z.string().min(1), min: z.number().min(1).max(5).default(4) }),
])
export type Rubric = z.infer<typeof Judge>

const SOURCES = 'Knowledge files (`privacy.md`) or quotations of at least 20 characters that are all among the sources, or `none`.'

const Expectations = {
  state: oneOrMore(z.enum(ANSWER_STATES)).optional(),
  sources: List.optional().describe(SOURCES),
  tool: List.optional().describe('Tools that are all used.'),
  contains: List.optional().describe('Words that are all in the text, whatever their case.'),
  matches: oneOrMore(Pattern).optional(),
  forbidden: List.optional().describe('Words of which none is in the text, whatever their case.'),
  language: z.enum(LANGUAGES).optional(),
  judge: Judge.optional().describe('Criteria by which a judging model grades the answer, from 1 to 5.'),
}

const Prompt = z.string().min(1).max(32_000)
const PromptTurn = z.strictObject({ prompt: Prompt, ...Expectations })
const Common = { name: z.string().min(1).optional(), agent: z.string().min(1).optional() }

const SingleTurn = z.strictObject({ ...Common, prompt: Prompt, ...Expectations })
const SeveralTurns = z.strictObject({ ...Common, turns: z.array(PromptTurn).min(1).max(20) })

/** A prompt with expectations of its answer. */
export type Turn = z.infer<typeof PromptTurn>

export interface Case {
  name: string
  /** Agent to ask; the default one if null. */
  agent: string | null
  turns: Turn[]
}

interface Entry {
  value: unknown
  lineOf: (path: readonly PropertyKey[]) => number
}

export interface SetMistake {
  /** From 1. */
  line: number
  message: string
}

/** The cases of a set, a YAML list, as far as they are valid, and what is wrong. */
export function checkCases(text: string): { cases: Case[]; mistakes: SetMistake[] } {
  const mistakes: SetMistake[] = []
  const report = (line: number, message: string) => mistakes.push({ line, message })
  const cases = yamlEntries(text, report).flatMap((entry, index) => caseOf(entry, index, report) ?? [])
  if (mistakes.length === 0 && cases.length === 0) report(1, 'has no cases')
  return { cases, mistakes }
}

type Report = (line: number, message: string) => void

function yamlEntries(text: string, report: Report): Entry[] {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  for (const { pos, message } of document.errors) report(lines.linePos(pos[0]).line, message)
  if (document.errors.length > 0) return []
  let value: unknown
  try {
    value = document.toJS()
  } catch {
    report(1, 'has too many aliases')
    return []
  }
  if (!Array.isArray(value)) {
    if (value !== null) report(1, 'must be a list of cases')
    return []
  }
  return value.map((one: unknown, index) => ({ value: one, lineOf: (path) => lineIn(document, lines, [index, ...path]) }))
}

/** Line of the innermost node on the path to a value. */
function lineIn(document: ReturnType<typeof parseDocument>, lines: LineCounter, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true)
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line
  }
  return isScalar(document.contents) ? 1 : lines.linePos(0).line
}

function caseOf({ value, lineOf }: Entry, index: number, report: Report): Case | undefined {
  const hasTurns = typeof value === 'object' && value !== null && 'turns' in value
  const parsed = hasTurns ? SeveralTurns.safeParse(value) : SingleTurn.safeParse(value)
  if (!parsed.success) {
    for (const issue of parsed.error.issues) {
      const place = issue.path.join('.')
      report(lineOf(issue.path), `case ${index + 1}: ${place === '' ? '' : `${place}: `}${messageOf(issue)}`)
    }
    return undefined
  }
  const { name, agent = null, ...rest } = parsed.data
  const turns = 'turns' in rest ? rest.turns : [rest]
  return { name: name ?? turns[0]?.prompt ?? '', agent, turns }
}

/** For a union, the issue of the branch that matched furthest. */
function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'invalid_union') return issue.message
  const reasons = issue.errors.flatMap((branch) => branch.map(({ message }) => message))
  return reasons.join(', or ')
}
