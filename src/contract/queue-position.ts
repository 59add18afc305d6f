import type { ErrorCode } from './errors.ts'

/**
 * What a stream says of a prompt that waits for a place, to a client that asks for it with `Prefer: queue-place`: transient data
 * parts before `start`, so that a client of the AI SDK needs to know nothing of them.
 */
export const QUEUE_PLACE_PREFERENCE = 'queue-place'

/** Its place, from 1: a number. */
export const QUEUE_PLACE = 'data-queue-place'

/** The prompt was refused when its stream had begun; nothing of it was stored. A `StreamRefusal`; an `error` chunk follows. */
export const REFUSAL = 'data-refusal'

export interface StreamRejection {
  code: ErrorCode
  /** For refusals that pass by themselves. */
  retryAfterS?: number
  /** The running turn, with `session_busy`. */
  turn?: string | undefined
}
