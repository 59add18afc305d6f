import type { FailureCode } from '../../api/failure.ts'

const SENTENCES: Partial<Record<FailureCode, string>> = {
  offline: 'You are offline. Try again once you are connected.',
  network: 'The server could not be reached. Try again in a moment.',
  not_found: 'This is not here any more. It may have been deleted already.',
  unauthorized: 'The server no longer knows this browser. Reload the page.',
  consent_required: 'Please accept the privacy notice first. Nothing was stored.',
  cross_origin: 'This page may not talk to the server from here. Open it at its own address.',
}

/** Why something about the visitor's data did not work. Here no message is at stake, which the chat's sentences speak of. */
export function dataFailureSentence(code: FailureCode): string {
  return SENTENCES[code] ?? 'Something went wrong on our side. Try again in a moment.'
}
