import type { ErrorCode } from '../../contract/errors.ts'

export const WINDOWS_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const
export type Window = keyof typeof WINDOWS_MS

/** Whom a limit is counted for: a visitor; an IPv4 address or IPv6 /64; the IPv6 /48 around it; everybody together. */
export type Scope = 'visitor' | 'network' | 'wide' | 'server'

/** So many in a window of time, which begins with the minute, the hour or the day (UTC). */
export interface Quota {
  what: 'prompt' | 'new-visitor' | 'read'
  of: Scope
  window: Window
  limit: number
  code: ErrorCode
}

/** The operator's numbers; `docs/settings.md` says what each is. */
export interface Limits {
  promptsPerMinute: number
  promptsPerDay: number
  networkPromptsPerMinute: number
  networkPromptsPerDay: number
  newVisitorsPerHour: number
  allNewVisitorsPerHour: number
  readsPerMinute: number
  networkReadsPerMinute: number
  runningTurns: number
  networkRunningTurns: number
  streams: number
  networkStreams: number
  allStreams: number
  /** Where `PROOF_OF_WORK=auto`, browsers show work above this share of what their network, or all together, may send. */
  proofFrom: number
  /** Whether clients on this machine are limited by network too. */
  limitLoopback: boolean
}

/** One subscriber may have a whole /48, and so may a small company: it gets what four networks get. */
const NETWORKS_IN_A_WIDE_ONE = 4

type Quotas = readonly Quota[]

/** What a prompt counts for. */
export function promptQuotas(limits: Limits): Quotas {
  return [
    { what: 'prompt', of: 'visitor', window: 'minute', limit: limits.promptsPerMinute, code: 'too_many_prompts' },
    { what: 'prompt', of: 'visitor', window: 'day', limit: limits.promptsPerDay, code: 'daily_prompts_used' },
    ...ofNetworks('prompt', 'minute', limits.networkPromptsPerMinute, 'too_many_prompts'),
    ...ofNetworks('prompt', 'day', limits.networkPromptsPerDay, 'daily_prompts_used'),
  ]
}

/** What a visitor's first prompt counts for beside that. */
export function newVisitorQuotas(limits: Limits): Quotas {
  return [
    ...ofNetworks('new-visitor', 'hour', limits.newVisitorsPerHour, 'too_many_visitors'),
    { what: 'new-visitor', of: 'server', window: 'hour', limit: limits.allNewVisitorsPerHour, code: 'too_many_visitors' },
  ]
}

/** What a read counts for. */
export function readQuotas(limits: Limits): Quotas {
  return [
    { what: 'read', of: 'visitor', window: 'minute', limit: limits.readsPerMinute, code: 'too_many_requests' },
    ...ofNetworks('read', 'minute', limits.networkReadsPerMinute, 'too_many_requests'),
  ]
}

/** Whether others beside the visitor have used so much that browsers are to show work. */
export function isBusy({ proofFrom }: Limits, usages: readonly { quota: Quota; used: number }[]): boolean {
  return usages.some(({ quota, used }) => quota.of !== 'visitor' && used > quota.limit * proofFrom)
}

function ofNetworks(what: Quota['what'], window: Window, limit: number, code: ErrorCode): Quotas {
  return [
    { what, of: 'network', window, limit, code },
    { what, of: 'wide', window, limit: limit * NETWORKS_IN_A_WIDE_ONE, code },
  ]
}
