import type { FailureCode } from '../../api/failure.ts'

/** Whether the page is being left for the sign-in provider's, or why it could not be. */
export type RedirectState = { status: 'here' } | { status: 'leaving' } | { status: 'refused'; code: FailureCode }
