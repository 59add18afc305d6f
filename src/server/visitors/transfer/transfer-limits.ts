/** A code that takes a visitor to another device can be used for so long. */
export const CODE_LIFETIME_MS = 10 * 60 * 1000

/** Wrong codes are counted over this time. */
export const ATTEMPTS_WINDOW_MS = 60 * 60 * 1000
/** Wrong codes of one visitor, of one IPv4 address or IPv6 /64, and of one IPv6 /48. */
export const MAX_ATTEMPTS = { visitor: 5, own: 5, wide: 20 } as const
/**
 * From so many wrong codes from everywhere on, each attempt waits. It is never refused for that: anybody with many networks could lock
 * all others out, while a guess among 2^66 codes gains nothing.
 */
export const SLOW_FROM_ATTEMPTS = 1_000
export const SLOW_ATTEMPT_MS = 2_000
/** A visitor has at most so many devices; one more signs out the one that was added first. */
export const MAX_DEVICES = 20
