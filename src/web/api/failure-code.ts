import type { ErrorCode } from '../../contract/errors.ts'
import { defineMessage } from '../language/translate.ts'

/** Why a call did not succeed: a code of the server, or what the page itself saw of the connection; `waiting` is kept, and sent when that is back. */
export type FailureCode = ErrorCode | 'network' | 'no_reply' | 'offline' | 'waiting'

/** Failures of answers, of which something may have been written that is kept. */
export type KeepingCode = 'model_failed' | 'model_interrupted' | 'answer_blocked' | 'answer_too_long' | 'shutting_down' | 'model_timeout'
/** What is said of them where nothing was written. */
export type UnwrittenCode = `${KeepingCode}_unwritten`

const NOT_REACHED = defineMessage('Can’t reach the server. Your message is saved. Try again in a moment.')

/** What must be said when nothing can be fetched. */
export const UNREACHED = {
  offline: defineMessage('You’re offline. Your message is saved. Try again when you’re connected.'),
  network: NOT_REACHED,
  no_reply: NOT_REACHED,
}
