import type { ErrorCode } from '../../contract/errors.ts'

/** Why a call did not succeed: a code of the server, or what the page itself saw of the connection. */
export type FailureCode = ErrorCode | 'network' | 'offline'

const PERHAPS_LATER = 'Try again in a moment.'

/** One sentence or two for each failure: what happened, and what the reader can do. */
const SENTENCES: Record<FailureCode, string> = {
  offline: 'You are offline. Your message is kept here; try again once you are connected.',
  network: `The server could not be reached. Your message is kept here. ${PERHAPS_LATER}`,
  invalid_request: 'The server did not understand this request. Reload the page and try again.',
  invalid_json: 'The server did not understand this request. Reload the page and try again.',
  invalid_id: 'This address does not belong to a chat.',
  sign_in_failed: 'Signing in did not work. Nothing changed; try again.',
  prompt_empty: 'There was nothing to read in this message. Write a few words and send it again.',
  prompt_too_long: 'This message is too long. Shorten it and send it again.',
  unauthorized: 'The server no longer knows this browser. Reload the page to start anew.',
  cross_origin: 'This page may not talk to the server from here. Open it at its own address.',
  not_found: 'This is not here any more. It may have been deleted or have expired.',
  method_not_allowed: 'The server did not understand this request. Reload the page and try again.',
  transfer_code_unknown: 'This code does not open anything, or not any more. Make a new one on the other device.',
  request_timeout: 'Sending took too long. Check your connection and try again.',
  session_busy: 'An answer is still being written in this chat, perhaps in another window. Try again when it is done.',
  not_retryable: 'This message can’t be tried again any more. Send it as a new one.',
  device_in_use: 'This device has chats of its own. Export them first, or say that they may go.',
  body_too_large: 'This message is too large. Shorten it and send it again.',
  uri_too_long: 'The address is too long. Start a new chat.',
  idempotency_key_reused: 'This message was already sent with other words. Send it as a new one.',
  unsupported_media_type: 'The server did not understand this request. Reload the page and try again.',
  consent_required: 'Please accept the privacy notice first. Nothing was stored.',
  too_many_requests: `Too many requests came from here. Nothing is lost. ${PERHAPS_LATER}`,
  too_many_prompts: `Many messages were sent in a short time. Yours is kept here. ${PERHAPS_LATER}`,
  daily_prompts_used: 'All messages for today are used. Yours is kept here; there are new ones tomorrow.',
  daily_tokens_used: 'All answers for today are used. Your message is kept here; there are new ones tomorrow.',
  too_many_visitors: 'Many new visitors came from your network. Your message is kept here; send it again later.',
  too_many_turns: 'Other answers are still being written for you. Wait for one, or stop it, then try again.',
  too_many_streams: 'This is open in too many places. Close one, then try again.',
  too_many_tries: 'There were too many wrong codes. Try again in an hour.',
  headers_too_large: 'The browser sent too much with this request. Clear this site’s cookies and try again.',
  internal: 'Something went wrong on our side. Your message is kept; try again.',
  model_failed: 'The answer could not be read to its end. What was written is kept; try again.',
  model_interrupted: 'The connection to the model broke off. What was written is kept; try again.',
  answer_too_long: 'The answer grew too long and was cut here. What was written is kept.',
  model_unavailable: `The model can’t be reached right now. Your message is kept. ${PERHAPS_LATER}`,
  model_busy: 'The model has too much to do right now. Your message is kept; try again in a minute.',
  server_busy: `Many people are asking right now. Your message is kept. ${PERHAPS_LATER}`,
  data_busy: `Another export or import is still running. Nothing was changed. ${PERHAPS_LATER}`,
  budget_exhausted: 'The assistant has spent what it may for now. Your message is kept here; send it again later.',
  storage_unavailable: `The storage does not answer right now. What was stored is kept. ${PERHAPS_LATER}`,
  sign_in_unavailable: `The sign-in service can’t be reached right now. Nothing changed. ${PERHAPS_LATER}`,
  storage_full: 'There is no room for anything new right now. What was stored is kept; try again later.',
  shutting_down: `The server is restarting. What was written is kept. ${PERHAPS_LATER}`,
  model_timeout: 'The model took too long. What was written is kept; try again.',
}

/** The sentence for a code; an unknown code (of a newer server) gets the general one. */
export function failureSentence(code: string | undefined): string {
  return SENTENCES[code as FailureCode] ?? SENTENCES.internal
}
