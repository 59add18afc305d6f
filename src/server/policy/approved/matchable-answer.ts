import type { ApprovedAnswer } from './approved-answer.ts'
import { ParaphraseMatcher } from './paraphrase-matcher.ts'
import { MAX_QUESTION_CHARACTERS, type QuestionReader, type ReadQuestion } from './question-reader.ts'

/** An answer that prompts can be compared with. */
export interface MatchableAnswer {
  answer: ApprovedAnswer
  reader: QuestionReader
  matcher: ParaphraseMatcher
}

/** What is wrong with a wording of an answer, as the rest of a sentence. */
export interface WordingProblem {
  /** Key of the front matter, and position in its list. */
  path: ['question'] | ['matches' | 'mustNotMatch', number]
  message: string
  /** Whether the answer must not be given because of it. */
  isFatal: boolean
}

export function matchableAnswer(answer: ApprovedAnswer, reader: QuestionReader): MatchableAnswer {
  return { answer, reader, matcher: new ParaphraseMatcher(reader, answer) }
}

/** An answer that a prompt could get, and how close it is to it. */
export interface Scored {
  answer: MatchableAnswer
  score: number
}

/** The answers that a prompt could get. */
export function scoresOf(prompt: string, answers: readonly MatchableAnswer[]): Scored[] {
  if (prompt.trim().length > MAX_QUESTION_CHARACTERS) return []
  const read = new Map<QuestionReader, ReadQuestion>()
  return answers.flatMap((answer) => {
    const question = read.get(answer.reader) ?? answer.reader.read(prompt)
    read.set(answer.reader, question)
    const score = answer.matcher.score(question)
    return score > 0 ? { answer, score } : []
  })
}

/** The closest answers: none, one, or several that are equally close. */
export function bestOf(scored: readonly Scored[]): MatchableAnswer[] {
  const best = Math.max(...scored.map(({ score }) => score))
  return scored.flatMap(({ answer, score }) => (score === best ? answer : []))
}

/** The answers that a prompt is closest to. */
export function closestAnswers(prompt: string, answers: readonly MatchableAnswer[]): MatchableAnswer[] {
  return bestOf(scoresOf(prompt, answers))
}

/**
 * What is wrong with the answer's own wordings: each of its paraphrases must get it, and none of `mustNotMatch`. `closest` returns the answers
 * that a wording is closest to.
 */
export function wordingProblems(one: MatchableAnswer, closest: (wording: string) => readonly MatchableAnswer[]): WordingProblem[] {
  const { answer } = one
  const paraphrases = answer.matches.flatMap((text, at): WordingProblem[] => {
    const path: WordingProblem['path'] = at === 0 ? ['question'] : ['matches', at - 1]
    const best = closest(text)
    const others = best.flatMap((found) => (found.answer === answer ? [] : found.answer.file)).join(', ')
    if (best.some((found) => found.answer === answer))
      return others === '' ? [] : [{ path, message: `is as close to ${others}; neither answers it`, isFatal: false }]
    return [{ path, message: others === '' ? 'does not match' : `matches ${others} instead`, isFatal: true }]
  })
  const counters = answer.mustNotMatch.flatMap((text, at): WordingProblem[] =>
    closest(text).some((found) => found.answer === answer) ? [{ path: ['mustNotMatch', at], message: 'matches', isFatal: true }] : [],
  )
  return [...paraphrases, ...counters]
}

/** Positions of the prompts in `mustNotMatch` that keep a wording of the answer from matching. */
export function blockingPrompts({ answer: { matches, mustNotMatch }, reader }: MatchableAnswer, wording: string): number[] {
  const isBlocked = (prompts: readonly string[]) =>
    new ParaphraseMatcher(reader, { matches, mustNotMatch: prompts }).score(reader.read(wording)) === 0
  if (isBlocked([])) return []
  return mustNotMatch.flatMap((prompt, at) => (isBlocked([prompt]) ? at : []))
}

/** The wordings of another answer that would get this one, or neither of both. */
export function takenWordings({ matcher, reader }: MatchableAnswer, other: MatchableAnswer): string[] {
  return other.answer.matches.filter((text) => {
    const score = matcher.score(reader.read(text))
    return score > 0 && score >= other.matcher.score(other.reader.read(text))
  })
}
