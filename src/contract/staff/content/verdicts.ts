export const VERDICTS = ['wrong', 'outdated', 'unsafe', 'fine'] as const
export type Verdict = (typeof VERDICTS)[number]
