import { setImmediate as nextTurn } from 'node:timers/promises'
import { bestOf, type MatchableAnswer, type Scored, scoresOf } from './matchable-answer.ts'

/** How close the wordings of answers are to all answers. Only what has changed since the last update is compared. */
export class WordingScores {
  #scores = new Map<MatchableAnswer, ReadonlyMap<string, readonly Scored[]>>()

  /** Replaces the answers. Those that were there before have to be the same objects. */
  async update(answers: readonly MatchableAnswer[]): Promise<void> {
    const current = new Set(answers)
    const added = answers.filter((answer) => !this.#scores.has(answer))
    const updated = new Map<MatchableAnswer, Map<string, Scored[]>>()
    for (const one of answers) {
      const before = this.#scores.get(one)
      const scores = new Map<string, Scored[]>()
      for (const text of [...one.answer.matches, ...one.answer.mustNotMatch]) {
        // Comparing many answers with each other takes long.
        await nextTurn()
        const known = before?.get(text)?.filter(({ answer }) => current.has(answer)) ?? []
        scores.set(text, [...known, ...scoresOf(text, before ? added : answers)])
      }
      updated.set(one, scores)
    }
    this.#scores = updated
  }

  /** The answers that a wording of an answer is closest to. */
  closest(answer: MatchableAnswer, wording: string): MatchableAnswer[] {
    return bestOf(this.#scores.get(answer)?.get(wording) ?? [])
  }
}
