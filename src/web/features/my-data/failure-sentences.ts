import type { FailureCode } from '../../api/failure.ts'
import { say, type Sentence, sentence } from '../../language/translate.ts'

const SENTENCES: Partial<Record<FailureCode, Sentence>> = {
  offline: sentence('You are offline. Try again once you are connected.'),
  network: sentence('The server could not be reached. Try again in a moment.'),
  not_found: sentence('This is not here any more. It may have been deleted already.'),
  unauthorized: sentence('The server no longer knows this browser. Reload the page.'),
  consent_required: sentence('Please accept the privacy notice first. Nothing was stored.'),
  storage_unavailable: sentence('The server’s storage is away right now. Nothing was changed; try again in a moment.'),
  data_busy: sentence('Others are exporting or importing right now. Nothing was changed; try again in a moment.'),
  too_many_requests: sentence('Too many requests came from here. Nothing was changed; try again in a moment.'),
  body_too_large: sentence('This is too large for one request.'),
  cross_origin: sentence('This page may not talk to the server from here. Open it at its own address.'),
  host_not_allowed: sentence('This page may not talk to the server from here. Open it at its own address.'),
}

/** Why something about the visitor's data did not work. Here no message is at stake, which the chat's sentences speak of. */
export function dataFailureSentence(code: string): string {
  return say(SENTENCES[code as FailureCode] ?? sentence('Something went wrong on our side. Try again in a moment.'))
}
