import type { Visitor } from '../../../contract/chat/sessions.ts'

/** Identifies the visitor. */
export interface SignInProvider {
  /** The visitor; null if the server knows none. */
  visitor(): Promise<Visitor | null>
}
