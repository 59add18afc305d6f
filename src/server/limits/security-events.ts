import type { ErrorCode } from '../../contract/errors.ts'
import type { Database } from '../store/engine/database.ts'
import { addSecurityEvents, deleteSecurityEventsBefore } from '../store/staff/security-events.ts'

const WRITE_INTERVAL_MS = 10_000
const DAYS_KEPT = 400
const DAY_MS = 86_400_000

/** Kinds of events. Nothing about the client is recorded. */
export const SECURITY_EVENT_KINDS = [
  'wrong_transfer_code',
  'refused_host',
  'refused_origin',
  'refused_credential',
  'network_or_visitor_over_limit',
  'blocked_network',
  'too_many_connections',
  'blocked_prompt',
  'revoked_device',
] as const
export type SecurityEventKind = (typeof SECURITY_EVENT_KINDS)[number]

const KIND_OF_CODE: Partial<Record<ErrorCode, SecurityEventKind>> = {
  transfer_code_unknown: 'wrong_transfer_code',
  host_not_allowed: 'refused_host',
  cross_origin: 'refused_origin',
  unauthorized: 'refused_credential',
  too_many_requests: 'network_or_visitor_over_limit',
  too_many_prompts: 'network_or_visitor_over_limit',
  daily_prompts_used: 'network_or_visitor_over_limit',
  daily_tokens_used: 'network_or_visitor_over_limit',
  too_many_files: 'network_or_visitor_over_limit',
  too_many_visitors: 'network_or_visitor_over_limit',
  too_many_turns: 'network_or_visitor_over_limit',
  too_many_streams: 'network_or_visitor_over_limit',
  prompt_blocked: 'blocked_prompt',
}

export function securityEventOf(code: ErrorCode): SecurityEventKind | undefined {
  return KIND_OF_CODE[code]
}

interface SecurityEventsOptions {
  database: Database
  now: () => number
  onFault: (message: string, cause: unknown) => void
}

/** Counts security events by day and kind. Counts are written every ten seconds and kept for 400 days. */
export class SecurityEvents {
  readonly #options: SecurityEventsOptions
  /** Counts that are not written yet, by day and kind: bounded by the kinds. */
  #pending = new Map<string, { day: string; kind: SecurityEventKind; count: number }>()
  readonly #totals = new Map<SecurityEventKind, number>()
  #writing: Promise<void> = Promise.resolve()
  readonly #timer: NodeJS.Timeout

  constructor(options: SecurityEventsOptions) {
    this.#options = options
    this.#timer = setInterval(() => void this.write(), WRITE_INTERVAL_MS).unref()
  }

  get totals(): ReadonlyMap<SecurityEventKind, number> {
    return this.#totals
  }

  count(kind: SecurityEventKind): void {
    this.#totals.set(kind, (this.#totals.get(kind) ?? 0) + 1)
    this.#add(kind, this.#dayOf(this.#options.now()), 1)
  }

  /** Writes what is counted. Never rejects: what can't be written is written later. */
  write(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write())
    return this.#writing
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.write()
  }

  async #write(): Promise<void> {
    const counts = [...this.#pending.values()]
    if (counts.length === 0) return
    this.#pending = new Map()
    const { database, now, onFault } = this.#options
    try {
      await addSecurityEvents(database, counts)
      await deleteSecurityEventsBefore(database, this.#dayOf(now() - DAYS_KEPT * DAY_MS))
    } catch (cause) {
      onFault('Writing the counts of security events failed; retrying', cause)
      for (const { kind, day, count } of counts) this.#add(kind, day, count)
    }
  }

  #add(kind: SecurityEventKind, day: string, count: number): void {
    const key = `${day} ${kind}`
    this.#pending.set(key, { day, kind, count: (this.#pending.get(key)?.count ?? 0) + count })
  }

  #dayOf(time: number): string {
    return new Date(time).toISOString().slice(0, 10)
  }
}
