/**
 * What a stream says of a prompt that waits for a place, to a client that asks for it with `Prefer: queue-place`: transient data
 * parts before `start`, so that a client of the AI SDK needs to know nothing of them.
 */
export const QUEUE_PLACE_PREFERENCE = 'queue-place'

/** Its place, from 1: a number. */
export const QUEUE_PLACE = 'data-queue-place'
