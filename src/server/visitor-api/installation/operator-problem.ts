export const PROBLEM_CODES = ['agents', 'knowledge', 'tools', 'local_model', 'redis', 'clock', 'model'] as const
export type ProblemCode = (typeof PROBLEM_CODES)[number]

export interface OperatorProblem {
  code: ProblemCode
  detail: string
}
