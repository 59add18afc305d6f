import type { ErrorCode } from '../../contract/errors.ts'

/** Why a call failed: a code of the server, or the page's own view of the connection. */
export type FailureCode = ErrorCode | 'network' | 'no_reply' | 'offline'

type PartialAnswerCode = 'model_failed' | 'model_interrupted' | 'answer_blocked' | 'answer_too_long' | 'shutting_down' | 'model_timeout'
export type EmptyAnswerCode = `${PartialAnswerCode}_unwritten`
