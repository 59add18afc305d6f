/** Areas that can have a problem while the server answers. */
export const PROBLEM_CODES = ['agents', 'knowledge', 'tools', 'local_model', 'redis', 'clock', 'model'] as const
export type ProblemCode = (typeof PROBLEM_CODES)[number]

/** A problem for the operator: its area, and a sentence. */
export interface OperatorProblem {
  code: ProblemCode
  detail: string
}
