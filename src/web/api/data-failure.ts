import { defineMessage, type MessageText, t } from '../../ui/language/translate.ts'
import type { FailureCode } from './failure-code.ts'

const SENTENCES: Partial<Record<FailureCode, MessageText>> = {
  offline: defineMessage('You’re offline. Try again when you’re connected.'),
  network: defineMessage('Can’t reach the server. Try again in a moment.'),
  not_found: defineMessage('This is no longer available. It may already have been deleted.'),
  unauthorized: defineMessage('The server no longer recognizes this browser. Reload the page.'),
  transfer_code_unknown: defineMessage('This code doesn’t work or has expired. Create a new one on the other device.'),
  consent_required: defineMessage('Accept the privacy notice first. Nothing was stored.'),
  storage_unavailable: defineMessage('Storage isn’t available right now. Nothing changed. Try again in a moment.'),
  data_busy: defineMessage('Too much is being read right now. Nothing changed. Try again in a moment.'),
  too_many_requests: defineMessage('Too many requests. Nothing changed. Try again in a moment.'),
  body_too_large: defineMessage('This is too large for one request.'),
  cross_origin: defineMessage('This page can’t connect to the server from here. Open it at its own address.'),
  host_not_allowed: defineMessage('This page can’t connect to the server from here. Open it at its own address.'),
}

/** Error messages of "My data" and of reports. Unlike those of the chat, they mention no prompt. */
export function dataFailureSentence(code: string): string {
  return t(SENTENCES[code as FailureCode] ?? defineMessage('Something went wrong on our side. Try again in a moment.'))
}
