import type { FailureCode } from '../../api/failure.ts'
import { t, type MessageText, defineMessage } from '../../language/translate.ts'

const SENTENCES: Partial<Record<FailureCode, MessageText>> = {
  offline: defineMessage('You are offline. Try again once you are connected.'),
  network: defineMessage('The server could not be reached. Try again in a moment.'),
  not_found: defineMessage('This is not here any more. It may have been deleted already.'),
  unauthorized: defineMessage('The server no longer knows this browser. Reload the page.'),
  consent_required: defineMessage('Please accept the privacy notice first. Nothing was stored.'),
  storage_unavailable: defineMessage('The server’s storage is away right now. Nothing was changed; try again in a moment.'),
  data_busy: defineMessage('Others are exporting or importing right now. Nothing was changed; try again in a moment.'),
  too_many_requests: defineMessage('Too many requests came from here. Nothing was changed; try again in a moment.'),
  body_too_large: defineMessage('This is too large for one request.'),
  cross_origin: defineMessage('This page may not talk to the server from here. Open it at its own address.'),
  host_not_allowed: defineMessage('This page may not talk to the server from here. Open it at its own address.'),
}

/** Error messages of "My data". Unlike those of the chat, they mention no prompt. */
export function dataFailureSentence(code: string): string {
  return t(SENTENCES[code as FailureCode] ?? defineMessage('Something went wrong on our side. Try again in a moment.'))
}
