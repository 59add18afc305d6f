import type { ErrorCode } from '../../contract/errors.ts'

export const WINDOWS_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const
export type Window = keyof typeof WINDOWS_MS

/** Scope of a limit: a visitor; an IPv4 address or IPv6 /64; an IPv6 /48; the whole server. */
export type Scope = 'visitor' | 'network' | 'wide' | 'server'

/** Requests that the processes of a machine count in memory. A `poll` waits for events of a turn or opens a stream; a `write` is any request that is not a read. */
export type Frequent = 'read' | 'write' | 'poll'

/** What is limited. A `turn` is a running or queued answer, a `stream` an open connection. */
type What = Frequent | 'prompt' | 'new-visitor' | 'import' | 'file' | 'turn' | 'waiting' | 'stream' | 'connection' | 'token'

interface Limit {
  /** The setting, its default and its description. */
  setting: string
  defaultValue: number
  description: string
  what: What
  of: Exclude<Scope, 'wide'>
  /** The window: calendar minute, hour or day (UTC), or `at-once` for concurrency. */
  per: Window | 'at-once'
  /** Error code of the rejection. */
  code: ErrorCode
}

const DAILY = { per: 'day', code: 'daily_prompts_used' } as const
const ALL = { of: 'server', per: 'at-once', code: 'server_busy' } as const

/** All rate and concurrency limits. Budgets are in `budget.ts`. Defaults are for two cores. */
export const LIMITS = {
  allRunningTurns: {
    setting: 'MAX_RUNNING_TURNS',
    defaultValue: 200,
    description: 'Running answers per process.',
    what: 'turn',
    ...ALL,
  },
  waitingPrompts: {
    setting: 'MAX_WAITING_PROMPTS',
    defaultValue: 200,
    description: 'Queued prompts per process. Further prompts are rejected.',
    what: 'waiting',
    ...ALL,
  },
  promptsPerMinute: {
    setting: 'LIMIT_PROMPTS_PER_MINUTE',
    defaultValue: 10,
    description: 'Prompts per visitor and minute.',
    what: 'prompt',
    of: 'visitor',
    per: 'minute',
    code: 'too_many_prompts',
  },
  promptsPerDay: {
    setting: 'LIMIT_PROMPTS_PER_DAY',
    defaultValue: 100,
    description: 'Prompts per visitor and day (UTC).',
    what: 'prompt',
    of: 'visitor',
    ...DAILY,
  },
  networkPromptsPerMinute: {
    setting: 'LIMIT_NETWORK_PROMPTS_PER_MINUTE',
    defaultValue: 30,
    description:
      'Prompts per network and minute. A network is an IPv4 address or an IPv6 /64; an IPv6 /48 gets four times as much, here and below.',
    what: 'prompt',
    of: 'network',
    per: 'minute',
    code: 'too_many_prompts',
  },
  networkPromptsPerDay: {
    setting: 'LIMIT_NETWORK_PROMPTS_PER_DAY',
    defaultValue: 300,
    description: 'Prompts per network and day (UTC).',
    what: 'prompt',
    of: 'network',
    ...DAILY,
  },
  newVisitorsPerHour: {
    setting: 'LIMIT_NEW_VISITORS_PER_HOUR',
    defaultValue: 10,
    description: 'New visitors per network and hour.',
    what: 'new-visitor',
    of: 'network',
    per: 'hour',
    code: 'too_many_visitors',
  },
  allNewVisitorsPerHour: {
    setting: 'LIMIT_ALL_NEW_VISITORS_PER_HOUR',
    defaultValue: 2000,
    description: 'New visitors per hour in total.',
    what: 'new-visitor',
    of: 'server',
    per: 'hour',
    code: 'too_many_visitors',
  },
  readsPerMinute: {
    setting: 'LIMIT_READS_PER_MINUTE',
    // More than a person clicks.
    defaultValue: 240,
    description: 'Reads per visitor and minute.',
    what: 'read',
    of: 'visitor',
    per: 'minute',
    code: 'too_many_requests',
  },
  networkReadsPerMinute: {
    setting: 'LIMIT_NETWORK_READS_PER_MINUTE',
    defaultValue: 720,
    description: 'Reads per network and minute.',
    what: 'read',
    of: 'network',
    per: 'minute',
    code: 'too_many_requests',
  },
  writesPerMinute: {
    setting: 'LIMIT_WRITES_PER_MINUTE',
    defaultValue: 120,
    description: 'Writes per visitor and minute: prompts, changes, deletions, imports, sign-ins and transfers.',
    what: 'write',
    of: 'visitor',
    per: 'minute',
    code: 'too_many_requests',
  },
  networkWritesPerMinute: {
    setting: 'LIMIT_NETWORK_WRITES_PER_MINUTE',
    defaultValue: 360,
    description: 'Writes per network and minute.',
    what: 'write',
    of: 'network',
    per: 'minute',
    code: 'too_many_requests',
  },
  pollsPerMinute: {
    setting: 'LIMIT_POLLS_PER_MINUTE',
    // A running answer has new events up to ten times a second.
    defaultValue: 1200,
    description: 'Polls of a turn and opened streams per visitor and minute.',
    what: 'poll',
    of: 'visitor',
    per: 'minute',
    code: 'too_many_requests',
  },
  networkPollsPerMinute: {
    setting: 'LIMIT_NETWORK_POLLS_PER_MINUTE',
    defaultValue: 3600,
    description: 'Polls of a turn and opened streams per network and minute.',
    what: 'poll',
    of: 'network',
    per: 'minute',
    code: 'too_many_requests',
  },
  importsPerHour: {
    setting: 'LIMIT_IMPORTS_PER_HOUR',
    // The largest export that a visitor can import takes some ten documents.
    defaultValue: 20,
    description: 'Imported documents per visitor and hour.',
    what: 'import',
    of: 'visitor',
    per: 'hour',
    code: 'too_many_requests',
  },
  networkImportsPerHour: {
    setting: 'LIMIT_NETWORK_IMPORTS_PER_HOUR',
    defaultValue: 60,
    description: 'Imported documents per network and hour.',
    what: 'import',
    of: 'network',
    per: 'hour',
    code: 'too_many_requests',
  },
  networkConnections: {
    setting: 'LIMIT_NETWORK_CONNECTIONS',
    defaultValue: 300,
    description: 'Open connections per network. `TRUSTED_PROXIES` are not limited.',
    what: 'connection',
    of: 'network',
    per: 'at-once',
    code: 'server_busy',
  },
  filesPerHour: {
    setting: 'LIMIT_FILES_PER_HOUR',
    defaultValue: 30,
    description: 'File uploads per visitor and hour.',
    what: 'file',
    of: 'visitor',
    per: 'hour',
    code: 'too_many_files',
  },
  networkFilesPerHour: {
    setting: 'LIMIT_NETWORK_FILES_PER_HOUR',
    defaultValue: 90,
    description: 'File uploads per network and hour.',
    what: 'file',
    of: 'network',
    per: 'hour',
    code: 'too_many_files',
  },
  runningTurns: {
    setting: 'LIMIT_RUNNING_TURNS',
    defaultValue: 2,
    description: 'Concurrent answers per visitor.',
    what: 'turn',
    of: 'visitor',
    per: 'at-once',
    code: 'too_many_turns',
  },
  networkRunningTurns: {
    setting: 'LIMIT_NETWORK_RUNNING_TURNS',
    defaultValue: 6,
    description: 'Concurrent answers per network.',
    what: 'turn',
    of: 'network',
    per: 'at-once',
    code: 'too_many_turns',
  },
  streams: {
    setting: 'LIMIT_STREAMS',
    defaultValue: 4,
    description: 'Open streams per visitor.',
    what: 'stream',
    of: 'visitor',
    per: 'at-once',
    code: 'too_many_streams',
  },
  networkStreams: {
    setting: 'LIMIT_NETWORK_STREAMS',
    defaultValue: 20,
    description: 'Open streams per network.',
    what: 'stream',
    of: 'network',
    per: 'at-once',
    code: 'too_many_streams',
  },
  allStreams: {
    setting: 'LIMIT_ALL_STREAMS',
    defaultValue: 10_000,
    description: 'Open streams per process.',
    what: 'stream',
    of: 'server',
    per: 'at-once',
    code: 'too_many_streams',
  },
  tokensPerDay: {
    setting: 'LIMIT_TOKENS_PER_DAY',
    defaultValue: 150_000,
    description: 'Model tokens (input and output) per visitor and day (UTC).',
    what: 'token',
    of: 'visitor',
    per: 'day',
    code: 'daily_tokens_used',
  },
  networkTokensPerDay: {
    setting: 'LIMIT_NETWORK_TOKENS_PER_DAY',
    defaultValue: 600_000,
    description: 'Model tokens (input and output) per network and day (UTC).',
    what: 'token',
    of: 'network',
    per: 'day',
    code: 'daily_tokens_used',
  },
} as const satisfies Record<string, Limit>

type LimitName = keyof typeof LIMITS

/** Configured limits by name. */
export interface Limits extends Record<LimitName, number> {
  /** With `PROOF_OF_WORK=auto`, the share of the network's or server's quota above which browsers must show work. */
  proofFrom: number
  /** Whether loopback clients are limited by network too. */
  limitLoopback: boolean
}

/** A limit within a window. */
export interface Quota {
  what: What
  of: Scope
  window: Window
  limit: number
  code: ErrorCode
}

/** A concurrency limit. */
export type Cap = Omit<Quota, 'window'>

/** A /48 may be one subscriber or a small company, so it gets the quota of four networks. */
const NETWORKS_IN_A_WIDE_ONE = 4

/** The quotas of an action. */
export function quotasOn(what: What, limits: Limits): Quota[] {
  return limitsOn(what, limits).flatMap(({ per, ...quota }) => (per === 'at-once' ? [] : [{ ...quota, window: per }]))
}

/** The concurrency limits of an action. */
export function capsOn(what: What, limits: Limits): Cap[] {
  return limitsOn(what, limits).flatMap(({ per, ...cap }) => (per === 'at-once' ? [cap] : []))
}

/** Whether network or server usage is high enough to require work from browsers. */
export function isBusy({ proofFrom }: Limits, usages: readonly { quota: Quota; used: number }[]): boolean {
  return usages.some(({ quota, used }) => quota.of !== 'visitor' && used > quota.limit * proofFrom)
}

function limitsOn(what: What, limits: Limits): (Cap & { per: Limit['per'] })[] {
  return (Object.entries(LIMITS) as [LimitName, Limit][])
    .filter(([, limit]) => limit.what === what)
    .flatMap(([name, { of, per, code }]) => {
      const own = { what, of, per, limit: limits[name], code }
      return of === 'network' ? [own, { ...own, of: 'wide' as const, limit: own.limit * NETWORKS_IN_A_WIDE_ONE }] : [own]
    })
}
