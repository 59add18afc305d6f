import type { Visitor } from '../../contract/chat/sessions.ts'
import type { Database } from '../store/engine/database.ts'
import { findIdentity } from '../store/visitors/identities.ts'

const ANONYMOUS_NAME = 'User'
const DEFAULT_PICTURE = '/visitor.svg'

/** The visitor as pages show them: signed in with a name, or not signed in. */
export async function describeVisitor(database: Database, sub: string): Promise<Visitor> {
  const identity = await findIdentity(database, sub)
  return { sub, name: identity?.name ?? ANONYMOUS_NAME, picture: DEFAULT_PICTURE, signedIn: identity !== undefined }
}
