/** Lifetime of a transfer code. */
export const CODE_LIFETIME_MS = 10 * 60 * 1000

/** Window in which wrong codes are counted. */
export const ATTEMPTS_WINDOW_MS = 60 * 60 * 1000
/** Maximum wrong codes per visitor, per IPv4 address or IPv6 /64, and per IPv6 /48. */
export const MAX_ATTEMPTS = { visitor: 5, own: 5, wide: 20 } as const
/**
 * Above this many wrong codes overall, each attempt is delayed. Attempts are not rejected, because an attacker with many networks could
 * lock out everybody else, while guessing among 2^66 codes is futile.
 */
export const SLOW_FROM_ATTEMPTS = 1_000
export const SLOW_ATTEMPT_MS = 2_000
/** Maximum devices per visitor; adding another signs out the oldest. */
export const MAX_DEVICES = 20
