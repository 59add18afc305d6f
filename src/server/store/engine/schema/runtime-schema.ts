interface AdjustedLimitTable {
  /** As in `adjustable-limits.ts`. */
  name: string
  /** In the unit in which it is counted: money in billionths. */
  value: number
  changed_at: number
  changed_by: string
}

/** A challenge that a passkey has signed, until it expires. */
interface UsedChallengeTable {
  /** The challenge without its hash. */
  random: string
  expires_at: number
}

export interface RuntimeSchema {
  adjusted_limits: AdjustedLimitTable
  used_challenges: UsedChallengeTable
}
