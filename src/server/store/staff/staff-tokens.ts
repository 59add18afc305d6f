import type { Selectable } from 'kysely'
import type { TokenScope } from '../../../contract/staff/token-scopes.ts'
import type { TokenCaps } from '../../../contract/staff/tokens.ts'
import { changesRows, type Database } from '../engine/database.ts'
import type { StaffSchema } from '../engine/schema/staff-schema.ts'

/** A token for a script. Its secret is stored as a hash. */
export interface StaffToken {
  id: string
  name: string
  scopes: readonly TokenScope[]
  agents: readonly string[]
  /** Beginning of the ids that it may write; `null` for one that only reads. */
  collection: string | null
  caps: TokenCaps
  createdAt: number
  expiresAt: number
}

export async function insertStaffToken(transaction: Database, token: StaffToken, hash: string): Promise<void> {
  const { id, name, collection, createdAt, expiresAt } = token
  const [scopes, agents, caps] = [token.scopes, token.agents, token.caps].map((value) => JSON.stringify(value)) as [string, string, string]
  await transaction
    .insertInto('staff_tokens')
    .values({ id, hash, name, scopes, agents, collection, caps, created_at: createdAt, expires_at: expiresAt })
    .execute()
}

/** `undefined` for a token that was revoked, has expired or never existed. */
export async function findStaffToken(database: Database, hash: string, now: number): Promise<StaffToken | undefined> {
  const row = await database
    .selectFrom('staff_tokens')
    .selectAll()
    .where('hash', '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row && tokenOf(row)
}

/** Tokens that work at `now`, oldest first. */
export async function listStaffTokens(database: Database, now: number): Promise<StaffToken[]> {
  const rows = await database
    .selectFrom('staff_tokens')
    .selectAll()
    .where('expires_at', '>', now)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(tokenOf)
}

export async function deleteStaffToken(transaction: Database, id: string): Promise<boolean> {
  return changesRows(transaction.deleteFrom('staff_tokens').where('id', '=', id))
}

export async function deleteExpiredStaffTokens(transaction: Database, now: number): Promise<void> {
  await transaction.deleteFrom('staff_tokens').where('expires_at', '<=', now).execute()
}

function tokenOf(row: Selectable<StaffSchema['staff_tokens']>): StaffToken {
  const { id, name, collection, created_at: createdAt, expires_at: expiresAt } = row
  return {
    id,
    name,
    scopes: JSON.parse(row.scopes) as TokenScope[],
    agents: JSON.parse(row.agents) as string[],
    collection,
    caps: JSON.parse(row.caps) as TokenCaps,
    createdAt,
    expiresAt,
  }
}
