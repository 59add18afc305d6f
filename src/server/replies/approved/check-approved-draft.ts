import type { ApprovedDraft, ApprovedField, ApprovedProblem } from '../../../contract/staff/content/approved-answers.ts'
import { type ApprovedAnswer, ApprovedHeader } from './approved-answer.ts'
import { MAX_TEXT_CHARACTERS } from './read-approved-answer.ts'

const FIELD_OF: Readonly<Record<string, ApprovedField>> = { source: 'sourceUrl' }

/** The answer that a draft is, as that of the file; otherwise what is wrong with it. */
export function answerOfDraft(file: string, draft: ApprovedDraft): { answer: ApprovedAnswer } | { problems: ApprovedProblem[] } {
  const { text, sourceTitle, sourceUrl, ...rest } = draft
  const header = ApprovedHeader.safeParse({ ...rest, source: { title: sourceTitle, url: sourceUrl.trim() || null } })
  const problems = [
    ...(header.error?.issues ?? []).flatMap(({ path, message }) => problemOf(path, message, draft)),
    ...textProblems(text.trim()),
  ]
  if (!header.success || problems.length > 0) return { problems }
  const { question, matches, ...facts } = header.data
  return { answer: { file, text: text.trim(), matches: [question, ...matches], ...facts } }
}

export function draftOfAnswer(answer: ApprovedAnswer): ApprovedDraft {
  const { file: _, source, matches: wordings, ...rest } = answer
  const [question = '', ...matches] = wordings
  return { ...rest, question, matches, sourceTitle: source.title, sourceUrl: source.url ?? '' }
}

/** The problem of a field, or of the entry at `at` of its list. `message` is the rest of a sentence. */
export function problemAt(field: ApprovedField, at: number | undefined, message: string): ApprovedProblem {
  return { field, line: at === undefined ? null : at + 1, message: `${message.charAt(0).toUpperCase()}${message.slice(1)}.` }
}

function problemOf(path: readonly PropertyKey[], message: string, { sourceTitle }: ApprovedDraft): ApprovedProblem[] {
  const [key = '', at] = path.map(String)
  if (key === 'source' && sourceTitle.trim() === '') return [{ field: 'sourceTitle', line: null, message: 'Must not be empty.' }]
  return [problemAt(FIELD_OF[key] ?? (key as ApprovedField), at === undefined ? undefined : Number(at), message)]
}

function textProblems(text: string): ApprovedProblem[] {
  if (text !== '' && text.length <= MAX_TEXT_CHARACTERS) return []
  const message = text === '' ? 'Must not be empty.' : `Must have at most ${MAX_TEXT_CHARACTERS} characters.`
  return [{ field: 'text', line: null, message }]
}
