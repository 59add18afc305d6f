export const PROBLEM_CODES = ['agents', 'knowledge', 'tools', 'local_model', 'redis', 'clock', 'model'] as const

export interface OperatorProblem {
  code: (typeof PROBLEM_CODES)[number]
  detail: string
}
