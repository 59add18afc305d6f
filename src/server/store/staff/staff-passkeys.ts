import { changesRows, type Database } from '../engine/database.ts'

/** A passkey of somebody on the staff. `id` and `publicKey` are in base64url. */
export interface StaffPasskey {
  id: string
  staffId: string
  name: string
  publicKey: string
  /** Signatures that the authenticator counts; 0 if it doesn't. */
  counter: number
  transports: string[]
  createdAt: number
  usedAt: number | null
}

const selectPasskeys = (database: Database) =>
  database
    .selectFrom('staff_passkeys')
    .select(['id', 'staff_id as staffId', 'name', 'public_key as publicKey', 'counter', 'transports'])
    .select(['created_at as createdAt', 'used_at as usedAt'])

export async function listStaffPasskeys(database: Database, staffId: string): Promise<StaffPasskey[]> {
  const rows = await selectPasskeys(database).where('staff_id', '=', staffId).orderBy('created_at').execute()
  return rows.map(passkeyOf)
}

export async function findStaffPasskey(database: Database, id: string): Promise<StaffPasskey | undefined> {
  const row = await selectPasskeys(database).where('id', '=', id).executeTakeFirst()
  return row && passkeyOf(row)
}

/** Adds a passkey; `false` if a passkey of this id exists. */
export async function insertStaffPasskey(transaction: Database, passkey: StaffPasskey): Promise<boolean> {
  const { id, staffId, name, publicKey, counter, transports, createdAt, usedAt } = passkey
  const insertion = transaction
    .insertInto('staff_passkeys')
    .values({
      id,
      staff_id: staffId,
      name,
      public_key: publicKey,
      counter,
      transports: JSON.stringify(transports),
      created_at: createdAt,
      used_at: usedAt,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
  return changesRows(insertion)
}

/** Stores a use. `false` if the passkey was removed, or used meanwhile with a higher count. */
export async function recordPasskeyUse(transaction: Database, { id, counter }: StaffPasskey, next: number, now: number): Promise<boolean> {
  return changesRows(
    transaction.updateTable('staff_passkeys').set({ counter: next, used_at: now }).where('id', '=', id).where('counter', '=', counter),
  )
}

export async function deleteStaffPasskey(transaction: Database, staffId: string, id: string): Promise<boolean> {
  return changesRows(transaction.deleteFrom('staff_passkeys').where('id', '=', id).where('staff_id', '=', staffId))
}

const passkeyOf = ({ transports, ...row }: Omit<StaffPasskey, 'transports'> & { transports: string }): StaffPasskey => ({
  ...row,
  transports: JSON.parse(transports) as string[],
})

/** Records the use of a challenge; `false` if it was used before. Forgets those that have expired. */
export async function useChallenge(
  database: Database,
  { random, expiresAt }: { random: string; expiresAt: number },
  now: number,
): Promise<boolean> {
  await database.deleteFrom('used_challenges').where('expires_at', '<=', now).execute()
  return changesRows(
    database
      .insertInto('used_challenges')
      .values({ random, expires_at: expiresAt })
      .onConflict((conflict) => conflict.column('random').doNothing()),
  )
}
