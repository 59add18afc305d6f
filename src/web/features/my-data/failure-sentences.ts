import type { FailureCode } from '../../api/failure.ts'

const SENTENCES: Partial<Record<FailureCode, string>> = {
  offline: 'You are offline. Try again once you are connected.',
  network: 'The server could not be reached. Try again in a moment.',
  not_found: 'This is not here any more. It may have been deleted already.',
  unauthorized: 'The server no longer knows this browser. Reload the page.',
  consent_required: 'Please accept the privacy notice first. Nothing was stored.',
  storage_unavailable: 'The server’s storage is away right now. Nothing was changed; try again in a moment.',
  data_busy: 'Others are exporting or importing right now. Nothing was changed; try again in a moment.',
  too_many_requests: 'Too many requests came from here. Nothing was changed; try again in a moment.',
  body_too_large: 'This is too large for one request.',
  cross_origin: 'This page may not talk to the server from here. Open it at its own address.',
}

/** Why something about the visitor's data did not work. Here no message is at stake, which the chat's sentences speak of. */
export function dataFailureSentence(code: string): string {
  return SENTENCES[code as FailureCode] ?? 'Something went wrong on our side. Try again in a moment.'
}
