import type { ErrorCode } from '../../contract/errors.ts'
import { defineMessage } from '../../ui/language/translate.ts'

/** Why a call failed: a code of the server, or the page's own view of the connection. */
export type FailureCode = ErrorCode | 'network' | 'no_reply' | 'offline'

export type PartialAnswerCode =
  | 'model_failed'
  | 'model_interrupted'
  | 'answer_blocked'
  | 'answer_too_long'
  | 'shutting_down'
  | 'model_timeout'
export type EmptyAnswerCode = `${PartialAnswerCode}_unwritten`

const NOT_REACHED = defineMessage('Can’t reach the server. Your message is saved. Try again in a moment.')

/** Messages that must be available without a network. */
export const OFFLINE_SENTENCES = {
  offline: defineMessage('You’re offline. Your message is saved. Try again when you’re connected.'),
  network: NOT_REACHED,
  no_reply: NOT_REACHED,
}
