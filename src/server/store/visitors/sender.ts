import type { Access } from './access.ts'
import type { NewVisitor } from './visitors.ts'

export interface Sender {
  owner: string
  access: Access
  newVisitor: NewVisitor | null
  /** Whether the id alone opens the new session, until a credential has used it. */
  openById: boolean
}
