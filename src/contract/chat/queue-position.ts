/**
 * Clients that send `Prefer: queue-position` receive the queue position of a waiting prompt as transient data parts before `start`,
 * which AI SDK clients ignore.
 */
export const QUEUE_POSITION_PREFERENCE = 'queue-position'

/** Type of the data part; its data is the position, a number from 1. */
export const QUEUE_POSITION = 'data-queue-position'
