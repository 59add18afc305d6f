import { foldWording } from '../../../text/fold-wording.ts'
import type { ApprovedAnswer } from './approved-answer.ts'

/** The problem of a wording of an answer, as the rest of a sentence. */
export interface WordingProblem {
  /** Key of the front matter, and position in its list. */
  path: ['question'] | ['matches' | 'mustNotMatch', number]
  message: string
  /** Whether the answer must not be given because of it. */
  isFatal: boolean
}

/** Answers by their wordings, folded. */
export class Wordings {
  readonly #answers = new Map<string, ApprovedAnswer[]>()

  constructor(answers: readonly ApprovedAnswer[]) {
    for (const answer of answers)
      for (const wording of new Set(answer.matches.map(foldWording))) {
        const others = this.#answers.get(wording)
        if (others) others.push(answer)
        else this.#answers.set(wording, [answer])
      }
  }

  /** The answers that have exactly this wording. */
  answersTo(prompt: string): readonly ApprovedAnswer[] {
    return this.#answers.get(foldWording(prompt)) ?? []
  }
}

/** Problems of an answer's own wordings: two answers share one, or one must not match. */
export function wordingProblems(answer: ApprovedAnswer, all: Wordings): WordingProblem[] {
  const own = new Set(answer.matches.map(foldWording))
  const wordings = answer.matches.flatMap((text, at): WordingProblem[] => {
    const path: WordingProblem['path'] = at === 0 ? ['question'] : ['matches', at - 1]
    if (foldWording(text) === '') return [{ path, message: 'has no letters or digits', isFatal: true }]
    const others = all.answersTo(text).flatMap(({ file }) => (file === answer.file ? [] : file))
    return others.length === 0 ? [] : [{ path, message: `is also a wording of ${others.join(', ')}; neither answers it`, isFatal: false }]
  })
  const counters = answer.mustNotMatch.flatMap((text, at): WordingProblem[] =>
    own.has(foldWording(text)) ? [{ path: ['mustNotMatch', at], message: 'is one of its wordings', isFatal: true }] : [],
  )
  return [...wordings, ...counters]
}
