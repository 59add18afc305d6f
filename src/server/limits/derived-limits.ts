import { type Cap, capsOn, type Frequent, type Limits, type Quota, quotasOn } from './limit-settings.ts'

export interface DerivedLimits {
  of: Limits
  prompts: Quota[]
  promptsToday: Quota[]
  newVisitors: Quota[]
  files: Quota[]
  frequent: Record<Frequent, Quota[]>
  turnCaps: Cap[]
  streamCaps: Cap[]
}

/** Precomputes what each request needs of the limits. */
export function deriveLimits(limits: Limits): DerivedLimits {
  const prompts = quotasOn('prompt', limits)
  return {
    of: limits,
    prompts,
    promptsToday: prompts.filter(({ window }) => window === 'day'),
    newVisitors: quotasOn('new-visitor', limits),
    files: quotasOn('file', limits),
    frequent: { read: quotasOn('read', limits), write: quotasOn('write', limits), poll: quotasOn('poll', limits) },
    // The queue enforces the server's cap.
    turnCaps: capsOn('turn', limits).filter((cap) => cap.of !== 'server'),
    streamCaps: capsOn('stream', limits),
  }
}
