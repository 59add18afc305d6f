import type { Rubric, Turn } from './cases.ts'
import type { Reply } from './check-answer.ts'

export interface Judgement {
  scores: number[]
  mean: number
  /** Highest score minus lowest. */
  spread: number
  /** Reason for the lowest score. */
  reason: string
}

/** Grades a reply several times. @throws if the model is unavailable, or none of its replies is a verdict. */
export type JudgeReply = (turn: Turn, rubric: Rubric, reply: Reply) => Promise<Judgement>
