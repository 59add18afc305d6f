import type { ErrorCode } from '../../contract/errors.ts'
import { constant } from '../constant.ts'

export const WINDOWS_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const
export type Window = keyof typeof WINDOWS_MS

/** Scope of a limit: a visitor; an IPv4 address or IPv6 /64; an IPv6 /48; the whole server. */
export type Scope = 'visitor' | 'network' | 'wide' | 'server'

/** Requests that the processes of a machine count in memory. A `poll` waits for events of a turn or opens a stream; a `write` is any request that is not a read. */
export type Frequent = 'read' | 'write' | 'poll'

/** A limited resource: `turn` is a running or queued answer, `stream` an open connection; `lookup` and `housekeeping` are of tokens. */
type What =
  | Frequent
  | 'prompt'
  | 'lookup'
  | 'housekeeping'
  | 'new-visitor'
  | 'file'
  | 'turn'
  | 'waiting'
  | 'stream'
  | 'connection'
  | 'token'

interface Limit {
  defaultValue: number
  what: What
  of: Exclude<Scope, 'wide'>
  /** The window: calendar minute, hour or day (UTC), or `at-once` for concurrency. */
  per: Window | 'at-once'
  code: ErrorCode
}

const A_MINUTE = { what: 'prompt', per: 'minute', code: 'too_many_prompts' } as const
const DAILY = { what: 'prompt', per: 'day', code: 'daily_prompts_used' } as const
const VISITORS = { what: 'new-visitor', per: 'hour', code: 'too_many_visitors' } as const
const TURNS = { what: 'turn', per: 'at-once', code: 'too_many_turns' } as const
const TOKENS = { what: 'token', per: 'day', code: 'daily_tokens_used' } as const
const ALL = { of: 'server', per: 'at-once', code: 'server_busy' } as const
const REQUESTS = { per: 'minute', code: 'too_many_requests' } as const
const FILES = { what: 'file', per: 'hour', code: 'too_many_files' } as const
const STREAMS = { what: 'stream', per: 'at-once', code: 'too_many_streams' } as const

/** Limits that are settings. Those of one answer and the budgets are in `budget.ts`. Defaults are for two cores. */
export const LIMIT_SETTINGS = {
  allRunningTurns: {
    setting: 'MAX_RUNNING_TURNS',
    defaultValue: 200,
    description: 'Running answers per process.',
    what: 'turn',
    ...ALL,
  },
  promptsPerMinute: {
    setting: 'LIMIT_PROMPTS_PER_MINUTE',
    defaultValue: 10,
    description: 'Prompts per visitor and minute.',
    of: 'visitor',
    ...A_MINUTE,
  },
  promptsPerDay: {
    setting: 'LIMIT_PROMPTS_PER_DAY',
    defaultValue: 100,
    description: 'Prompts per visitor and day (UTC).',
    of: 'visitor',
    ...DAILY,
  },
  networkPromptsPerMinute: {
    setting: 'LIMIT_NETWORK_PROMPTS_PER_MINUTE',
    defaultValue: 30,
    description:
      'Prompts per network and minute. A network is an IPv4 address or an IPv6 /64; an IPv6 /48 gets four times as much, here and below.',
    of: 'network',
    ...A_MINUTE,
  },
  networkPromptsPerDay: {
    setting: 'LIMIT_NETWORK_PROMPTS_PER_DAY',
    defaultValue: 300,
    description: 'Prompts per network and day (UTC).',
    of: 'network',
    ...DAILY,
  },
  newVisitorsPerHour: {
    setting: 'LIMIT_NEW_VISITORS_PER_HOUR',
    defaultValue: 10,
    description: 'New visitors per network and hour.',
    of: 'network',
    ...VISITORS,
  },
  allNewVisitorsPerHour: {
    setting: 'LIMIT_ALL_NEW_VISITORS_PER_HOUR',
    defaultValue: 2000,
    description: 'New visitors per hour in total.',
    of: 'server',
    ...VISITORS,
  },
  runningTurns: {
    setting: 'LIMIT_RUNNING_TURNS',
    defaultValue: 2,
    description: 'Concurrent answers per visitor.',
    of: 'visitor',
    ...TURNS,
  },
  networkRunningTurns: {
    setting: 'LIMIT_NETWORK_RUNNING_TURNS',
    defaultValue: 6,
    description: 'Concurrent answers per network.',
    of: 'network',
    ...TURNS,
  },
  streams: {
    setting: 'LIMIT_STREAMS',
    defaultValue: 4,
    description: 'Open streams per visitor.',
    of: 'visitor',
    ...STREAMS,
  },
  tokensPerDay: {
    setting: 'LIMIT_TOKENS_PER_DAY',
    defaultValue: 150_000,
    description: 'Model tokens (input and output) per visitor and day (UTC).',
    of: 'visitor',
    ...TOKENS,
  },
  networkTokensPerDay: {
    setting: 'LIMIT_NETWORK_TOKENS_PER_DAY',
    defaultValue: 600_000,
    description: 'Model tokens (input and output) per network and day (UTC).',
    of: 'network',
    ...TOKENS,
  },
} as const satisfies Record<string, Limit & { setting: string; description: string }>

const FIXED_LIMITS = {
  waitingPrompts: { defaultValue: 200, what: 'waiting', ...ALL },
  // More than a person clicks.
  readsPerMinute: { defaultValue: 240, what: 'read', of: 'visitor', ...REQUESTS },
  networkReadsPerMinute: { defaultValue: 720, what: 'read', of: 'network', ...REQUESTS },
  writesPerMinute: { defaultValue: 120, what: 'write', of: 'visitor', ...REQUESTS },
  networkWritesPerMinute: { defaultValue: 360, what: 'write', of: 'network', ...REQUESTS },
  // A running answer has new events up to ten times a second.
  pollsPerMinute: { defaultValue: 1200, what: 'poll', of: 'visitor', ...REQUESTS },
  networkPollsPerMinute: { defaultValue: 3600, what: 'poll', of: 'network', ...REQUESTS },
  filesPerHour: { defaultValue: 30, of: 'visitor', ...FILES },
  networkFilesPerHour: { defaultValue: 90, of: 'network', ...FILES },
  networkConnections: { defaultValue: 300, what: 'connection', of: 'network', per: 'at-once', code: 'server_busy' },
  networkStreams: { defaultValue: 20, of: 'network', ...STREAMS },
  allStreams: { defaultValue: 10_000, of: 'server', ...STREAMS },
} as const satisfies Record<string, Limit>

export const LIMITS = { ...LIMIT_SETTINGS, ...FIXED_LIMITS }

export function fixedLimits(): Record<keyof typeof FIXED_LIMITS, number> {
  const values = Object.entries(FIXED_LIMITS).map(([name, { defaultValue }]) => [name, constant(name, defaultValue)])
  return Object.fromEntries(values) as Record<keyof typeof FIXED_LIMITS, number>
}

type LimitName = keyof typeof LIMITS

export interface Limits extends Record<LimitName, number> {
  /** Whether loopback clients are limited by network too. */
  limitLoopback: boolean
}

export interface Quota {
  what: What
  of: Scope
  /** The named embed whose visitors share a quota of the server. */
  embed?: string
  window: Window
  limit: number
  code: ErrorCode
}

export type Cap = Omit<Quota, 'window'>

/** A /48 may be one subscriber or a small company, so it gets the quota of four networks. */
const NETWORKS_IN_A_WIDE_ONE = 4
/** With `PROOF_OF_WORK=auto`, the share of a network's or the server's quota above which browsers must show work. */
const BUSY_SHARE = 0.5

export function quotasOn(what: What, limits: Limits): Quota[] {
  return limitsOn(what, limits).flatMap(({ per, ...quota }) => (per === 'at-once' ? [] : [{ ...quota, window: per }]))
}

export function capsOn(what: What, limits: Limits): Cap[] {
  return limitsOn(what, limits).flatMap(({ per, ...cap }) => (per === 'at-once' ? [cap] : []))
}

/** Whether network or server usage is high enough to require work from browsers. */
export function isBusy(usages: readonly { quota: Quota; used: number }[]): boolean {
  return usages.some(({ quota, used }) => quota.of !== 'visitor' && used > quota.limit * BUSY_SHARE)
}

function limitsOn(what: What, limits: Limits): (Cap & { per: Limit['per'] })[] {
  return (Object.entries(LIMITS) as [LimitName, Limit][])
    .filter(([, limit]) => limit.what === what)
    .flatMap(([name, { of, per, code }]) => {
      const own = { what, of, per, limit: limits[name], code }
      return of === 'network' ? [own, { ...own, of: 'wide' as const, limit: own.limit * NETWORKS_IN_A_WIDE_ONE }] : [own]
    })
}
