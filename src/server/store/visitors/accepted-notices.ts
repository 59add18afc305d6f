import { randomBytes } from 'node:crypto'
import type { Database } from '../engine/database.ts'
import { lockExistingVisitor, lockVisitor } from './visitors.ts'

const MAX_LISTED = 100

/** A stored prompt whose visitor has accepted the current notice, which says that staff can read. */
export interface AcceptedPrompt {
  owner: string
  session: string
  position: number
  version: string
  /** When the request arrived: it may have waited, and the visitor may have withdrawn meanwhile. */
  arrivedAt: number
  now: number
}

/** Records that staff can read a prompt, and the acceptance if it is the first of this version. Only for visitors with a key. */
export async function recordAcceptedPrompt(transaction: Database, prompt: AcceptedPrompt): Promise<void> {
  const { owner, session, position, version, arrivedAt, now } = prompt
  // A withdrawal waits for this transaction, or this one for it.
  if (!(await lockExistingVisitor(transaction, owner))) return
  const visitor = await transaction.selectFrom('visitors').select('notices_withdrawn_at').where('id', '=', owner).executeTakeFirst()
  if (!visitor || (visitor.notices_withdrawn_at ?? -1) >= arrivedAt) return
  const earlier = await transaction
    .selectFrom('accepted_notices')
    .select('id')
    .where('visitor_id', '=', owner)
    .where('version', '=', version)
    .orderBy('accepted_at')
    .limit(1)
    .executeTakeFirst()
  const acceptance = earlier?.id ?? newId()
  if (!earlier)
    await transaction.insertInto('accepted_notices').values({ id: acceptance, visitor_id: owner, version, accepted_at: now }).execute()
  await transaction
    .insertInto('readable_prompts')
    .values({ id: newId(), session_id: session, position, acceptance_id: acceptance, sent_at: now })
    .execute()
}

export async function listAcceptedNotices(database: Database, visitor: string): Promise<{ version: string; at: string }[]> {
  const rows = await database
    .selectFrom('accepted_notices')
    .select(['version', 'accepted_at'])
    .where('visitor_id', '=', visitor)
    .orderBy('accepted_at', 'desc')
    .limit(MAX_LISTED)
    .execute()
  return rows.map(({ version, accepted_at: at }) => ({ version, at: new Date(at).toISOString() }))
}

/** Deletes what the visitor has accepted, so that staff can read none of their prompts any more. Returns the ids of the acceptances. */
export async function withdrawAcceptedNotices(transaction: Database, visitor: string, now: number): Promise<string[]> {
  await lockVisitor(transaction, visitor)
  await transaction.updateTable('visitors').set({ notices_withdrawn_at: now }).where('id', '=', visitor).execute()
  const withdrawn = await transaction.deleteFrom('accepted_notices').where('visitor_id', '=', visitor).returning('id').execute()
  return withdrawn.map(({ id }) => id)
}

export async function hasAcceptedNotices(database: Database): Promise<boolean> {
  return (await database.selectFrom('accepted_notices').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** Deletes up to `limit` acceptances of anybody, until a time in milliseconds since the epoch. Returns their ids. */
export async function deleteAcceptedNotices(transaction: Database, limit: number, until = Number.MAX_SAFE_INTEGER): Promise<string[]> {
  const some = transaction.selectFrom('accepted_notices').select('id').where('accepted_at', '<=', until).limit(limit)
  const deleted = await transaction.deleteFrom('accepted_notices').where('id', 'in', some).returning('id').execute()
  return deleted.map(({ id }) => id)
}

function newId(): string {
  return randomBytes(8).toString('hex')
}
