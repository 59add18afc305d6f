import type { Visitor } from '../../../contract/sessions.ts'

/** Says who the visitor is. */
export interface SignInProvider {
  /** The visitor, or null while the server knows none. */
  visitor(): Promise<Visitor | null>
}
