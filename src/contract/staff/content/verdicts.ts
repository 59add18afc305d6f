export const VERDICTS = ['wrong', 'outdated', 'unsafe', 'fine'] as const
export type Verdict = (typeof VERDICTS)[number]

export const FIX_KINDS = ['approved-answer', 'document', 'agent'] as const
export type FixKind = (typeof FIX_KINDS)[number]
