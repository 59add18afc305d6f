import type { FailureCode } from '../../api/failure.ts'

/** State of the redirect to the sign-in provider. */
export type RedirectState = { status: 'here' } | { status: 'leaving' } | { status: 'rejected'; code: FailureCode }
