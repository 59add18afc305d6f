import type { z } from 'zod'
import { lowered, type PlacedMistake, readFrontMatter } from '../front-matter.ts'
import { type ApprovedAnswer, ApprovedHeader } from './approved-answer.ts'

const MAX_MISTAKES = 10
export const MAX_TEXT_CHARACTERS = 8_000

export type ApprovedReading =
  | { kind: 'read'; answer: ApprovedAnswer; placed: (path: PropertyKey[]) => number }
  | { kind: 'mistaken'; mistakes: PlacedMistake[] }

/** Reads a file of an approved answer. `file`: its path below the knowledge folder. */
export function readApprovedAnswer(file: string, text: string): ApprovedReading {
  const front = readFrontMatter(text)
  if (front.kind === 'mistaken') return front
  const { value, source, body, placed } = front
  const header = ApprovedHeader.safeParse(value)
  if (!header.success) {
    const mistakes = header.error.issues.flatMap((issue) => mistakesOf(issue, placed, value))
    return { kind: 'mistaken', mistakes: mistakes.slice(0, MAX_MISTAKES) }
  }
  if (body === '' || body.length > MAX_TEXT_CHARACTERS) {
    const message = body === '' ? 'has no answer below the front matter' : `has an answer of more than ${MAX_TEXT_CHARACTERS} characters`
    return { kind: 'mistaken', mistakes: [{ line: source.trimEnd().split('\n').length, message }] }
  }
  const { question, matches, ...rest } = header.data
  return { kind: 'read', answer: { file, text: body, matches: [question, ...matches], ...rest }, placed }
}

function mistakesOf(issue: z.core.$ZodIssue, placed: (path: PropertyKey[]) => number, value: unknown): PlacedMistake[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      line: placed([...issue.path, key]),
      message: `${[...issue.path, key].join('.')} is no key of an approved answer`,
    }))
  const key = issue.path.join('.')
  if (key === '') return [{ line: placed([]), message: 'has no keys in its front matter' }]
  const isMissing = issue.path.length === 1 && !(key in Object(value))
  return [{ line: placed(issue.path), message: isMissing ? `${key} is missing` : `${key} ${lowered(issue.message)}` }]
}
