interface AdjustedLimitTable {
  /** As in `adjustable-limits.ts`. */
  name: string
  /** In the unit in which it is counted: money in billionths. */
  value: number
  changed_at: number
  changed_by: string
}

interface ProcessReportTable {
  instance: string
  /** `ProcessReport`, JSON. */
  report: string
  reported_at: number
}

/** A challenge that a passkey has signed, until it expires. */
interface UsedChallengeTable {
  /** The challenge without its hash. */
  random: string
  expires_at: number
}

/** Requests of a network that were rejected on a day. The table keeps its name, so that earlier releases can use the database. */
interface NetworkRejectionTable {
  /** Days since the epoch. */
  day: number
  /** The network as its HMAC under the salt of the day. */
  network: string
  code: string
  count: number
}

interface NetworkBlockTable {
  /** The network as its HMAC under `salt`. */
  network: string
  /** The salt of the day on which it was refused, which outlives that day here until the block ends. */
  salt: string
  reason: string
  blocked_at: number
  blocked_by: string
  ends_at: number
}

export interface RuntimeSchema {
  adjusted_limits: AdjustedLimitTable
  process_reports: ProcessReportTable
  used_challenges: UsedChallengeTable
  network_refusals: NetworkRejectionTable
  network_blocks: NetworkBlockTable
}
