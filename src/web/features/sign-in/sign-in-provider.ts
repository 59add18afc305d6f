import type { Visitor } from '../../../contract/sessions.ts'
import type { FailureCode } from '../../api/failure.ts'

/** Says who the visitor is. */
export interface SignInProvider {
  /** The visitor, or null while the server knows none. */
  visitor(): Promise<Visitor | null>
}

/**
 * Lets a visitor sign in; who they are then is still for the server to say. The first two lead away from the page,
 * or say why they could not; then nothing has changed.
 */
export interface AccountProvider {
  signIn(): Promise<FailureCode | null>
  signOut(): Promise<FailureCode | null>
  /** Completes a sign-in with what the provider's page gave to ours. To be called once for each. */
  complete(answer: URLSearchParams): Promise<Completion>
}

export type Completion = { kind: 'signed-in' } | { kind: 'declined' } | { kind: 'refused'; code: FailureCode }
