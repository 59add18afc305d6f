import type { Visitor } from '../../../contract/chat/sessions.ts'
import type { FailureCode } from '../../api/failure.ts'

/** Identifies the visitor. */
export interface SignInProvider {
  /** The visitor; null if the server knows none. */
  visitor(): Promise<Visitor | null>
}

/**
 * Signs visitors in and out; the server decides their identity. The first two redirect, or return why they can't and
 * change nothing.
 */
export interface AccountProvider {
  signIn(): Promise<FailureCode | null>
  signOut(): Promise<FailureCode | null>
  /** Completes a sign-in with the provider's answer. Call it once per answer. */
  complete(answer: URLSearchParams): Promise<Completion>
}

export type Completion = { kind: 'signed-in' } | { kind: 'declined' } | { kind: 'rejected'; code: FailureCode }
