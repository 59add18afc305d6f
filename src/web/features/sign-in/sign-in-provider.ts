import type { Visitor } from '../../../contract/chat/sessions.ts'

export interface SignInProvider {
  visitor(): Promise<Visitor | null>
}
