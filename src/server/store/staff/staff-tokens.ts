import type { TokenScope } from '../../../contract/staff/token-scopes.ts'
import type { TokenCaps, TokenInForce } from '../../../contract/staff/tokens.ts'
import { changesRows, type Database } from '../engine/database.ts'

/** A token for a script. Its secret is stored as a hash. */
export type StaffToken = Omit<TokenInForce, 'createdAt' | 'expiresAt'> & { createdAt: number; expiresAt: number }

export async function insertStaffToken(transaction: Database, token: StaffToken, hash: string): Promise<void> {
  const { id, name, collection, createdAt, expiresAt } = token
  const [scopes, agents, caps] = [token.scopes, token.agents, token.caps].map((value) => JSON.stringify(value)) as [string, string, string]
  await transaction
    .insertInto('staff_tokens')
    .values({ id, hash, name, scopes, agents, collection, caps, created_at: createdAt, expires_at: expiresAt })
    .execute()
}

const selectTokens = (database: Database, now: number) =>
  database
    .selectFrom('staff_tokens')
    .select(['id', 'name', 'scopes', 'agents', 'collection', 'caps', 'created_at as createdAt', 'expires_at as expiresAt'])
    .where('expires_at', '>', now)

/** `undefined` for a token that was revoked, has expired or never existed. */
export async function findStaffToken(database: Database, hash: string, now: number): Promise<StaffToken | undefined> {
  const row = await selectTokens(database, now).where('hash', '=', hash).executeTakeFirst()
  return row && tokenOf(row)
}

/** Tokens that work at `now`, oldest first. */
export async function listStaffTokens(database: Database, now: number): Promise<StaffToken[]> {
  const rows = await selectTokens(database, now).orderBy('created_at').orderBy('id').execute()
  return rows.map(tokenOf)
}

export async function deleteStaffToken(transaction: Database, id: string): Promise<boolean> {
  return changesRows(transaction.deleteFrom('staff_tokens').where('id', '=', id))
}

export async function deleteExpiredStaffTokens(transaction: Database, now: number): Promise<void> {
  await transaction.deleteFrom('staff_tokens').where('expires_at', '<=', now).execute()
}

const tokenOf = (row: Omit<StaffToken, 'scopes' | 'agents' | 'caps'> & Record<'scopes' | 'agents' | 'caps', string>): StaffToken => ({
  ...row,
  scopes: JSON.parse(row.scopes) as TokenScope[],
  agents: JSON.parse(row.agents) as string[],
  caps: JSON.parse(row.caps) as TokenCaps,
})
