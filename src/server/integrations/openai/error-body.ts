import { PROBLEMS, type ErrorCode } from '../../../contract/errors.ts'
import type { RejectionData } from '../../../contract/rejection.ts'
import type { Mistake } from './chat-request.ts'

/** Sentences where those for visitors don't fit a developer. */
const SENTENCES: Partial<Record<ErrorCode, string>> = {
  not_found: 'There is no such model for this token: GET /v1/models lists them.',
  cross_origin: 'Requests of browsers are refused, whose visitors would read the token.',
  unauthorized: 'The token is not valid, or not for this endpoint.',
  too_many_prompts: 'The token has used up its prompts of this minute.',
  daily_prompts_used: 'The token has used up its prompts of today.',
  daily_tokens_used: 'The token has used up its model tokens of today.',
}

/** An error in OpenAI's form. Sentences about what is saved are left out: nothing is. */
export function errorBody({ code }: Pick<RejectionData, 'code'>, { message, param }: Partial<Pick<Mistake, 'message' | 'param'>> = {}) {
  const { status, title } = PROBLEMS[code]
  const sentence = SENTENCES[code] ?? title.split(/(?<=[.:]) /, 1)[0] ?? title
  return { error: { message: message ? `${sentence} ${message}` : sentence, type: typeOf(status), param: param ?? null, code } }
}

function typeOf(status: number): string {
  if (status === 401) return 'authentication_error'
  if (status === 403) return 'permission_error'
  if (status === 429) return 'rate_limit_error'
  return status < 500 ? 'invalid_request_error' : 'server_error'
}
