/** A code that takes a visitor to another device can be used for so long. */
export const CODE_LIFETIME_MS = 10 * 60 * 1000

/** Wrong codes are counted over this time. */
export const TRIES_WINDOW_MS = 60 * 60 * 1000
/** From one IPv4 address or IPv6 /64. */
export const MAX_TRIES_OF_NETWORK = 5
/** From everywhere together: with 66 random bits in a code, a guess then succeeds once in more than a billion years. */
export const MAX_TRIES = 1_000
/** A visitor has at most so many devices; one more signs out the one that was added first. */
export const MAX_DEVICES = 20
