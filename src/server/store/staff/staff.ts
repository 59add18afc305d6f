import type { StaffRole } from '../../../contract/staff/roles.ts'
import { changesRows, countOf, type Database } from '../engine/database.ts'

export interface StaffMember {
  id: string
  name: string
  role: StaffRole
  /** Whether the operator's provider says who it is, and gives the role. */
  isFromProvider: boolean
}

/** A link that lets somebody join the staff once. Its secret is stored as a hash. */
export interface StaffLink {
  hash: string
  name: string
  role: StaffRole
  expiresAt: number
}

/** A session of a person on the staff. Its secret is stored as a hash. */
export interface StaffSession {
  hash: string
  staffId: string
  confirmedAt: number
  expiresAt: number
}

export async function insertStaffLink(transaction: Database, { expiresAt, ...link }: StaffLink): Promise<void> {
  await transaction
    .insertInto('staff_links')
    .values({ ...link, expires_at: expiresAt })
    .execute()
}

/** Deletes a link and returns it; `undefined` if it was used before, has expired or never existed. */
export async function takeStaffLink(transaction: Database, hash: string, now: number): Promise<StaffLink | undefined> {
  const row = await transaction.deleteFrom('staff_links').where('hash', '=', hash).returningAll().executeTakeFirst()
  return row && row.expires_at > now ? { hash, name: row.name, role: row.role, expiresAt: row.expires_at } : undefined
}

export async function insertStaffMember(transaction: Database, member: Omit<StaffMember, 'isFromProvider'>, now: number): Promise<void> {
  await transaction
    .insertInto('staff')
    .values({ ...member, created_at: now })
    .execute()
}

export async function renameStaffMember(transaction: Database, id: string, name: string): Promise<void> {
  await transaction.updateTable('staff').set({ name }).where('id', '=', id).execute()
}

/** Adds somebody whom the provider names, or updates their name and role. */
export async function upsertProvidedMember(transaction: Database, member: Omit<StaffMember, 'isFromProvider'>, now: number): Promise<void> {
  const { name, role } = member
  await transaction
    .insertInto('staff')
    .values({ ...member, created_at: now, from_provider: 1 })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ name, role }))
    .execute()
}

/** Removes somebody whom the provider no longer gives a role; `false` if there is nobody of this id. */
export async function deleteProvidedMember(transaction: Database, id: string): Promise<boolean> {
  return changesRows(transaction.deleteFrom('staff').where('id', '=', id).where('from_provider', '=', 1))
}

export async function insertStaffSession(transaction: Database, session: StaffSession): Promise<void> {
  const { hash, staffId, confirmedAt, expiresAt } = session
  await transaction
    .insertInto('staff_sessions')
    .values({ hash, staff_id: staffId, confirmed_at: confirmedAt, expires_at: expiresAt })
    .execute()
}

/** The session of this hash with its person, as the role is now; `undefined` if there is none or it has expired. */
export async function findStaffSession(
  database: Database,
  hash: string,
  now: number,
): Promise<{ session: StaffSession; member: StaffMember } | undefined> {
  const row = await database
    .selectFrom('staff_sessions')
    .innerJoin('staff', 'staff.id', 'staff_sessions.staff_id')
    .select(['staff.id', 'staff.name', 'staff.role', 'staff.from_provider', 'confirmed_at', 'expires_at'])
    .where('hash', '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  if (!row) return undefined
  const { id, name, role, confirmed_at: confirmedAt, expires_at: expiresAt } = row
  return {
    session: { hash, staffId: id, confirmedAt, expiresAt },
    member: { id, name, role, isFromProvider: row.from_provider === 1 },
  }
}

export async function deleteStaffSessions(transaction: Database, staffId: string): Promise<boolean> {
  return changesRows(transaction.deleteFrom('staff_sessions').where('staff_id', '=', staffId))
}

export async function deleteStaffMember(transaction: Database, id: string): Promise<boolean> {
  return changesRows(transaction.deleteFrom('staff').where('id', '=', id))
}

/** Everybody on the staff, in the order in which they joined, with their numbers of passkeys. */
export async function listStaff(database: Database): Promise<(StaffMember & { joinedAt: number; passkeys: number })[]> {
  const rows = await database
    .selectFrom('staff')
    .select(({ selectFrom, fn }) => [
      'id',
      'name',
      'role',
      'created_at',
      'from_provider',
      selectFrom('staff_passkeys').select(fn.countAll<number>().as('count')).whereRef('staff_id', '=', 'staff.id').as('passkeys'),
    ])
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(({ created_at: joinedAt, passkeys, from_provider: fromProvider, ...member }) => ({
    ...member,
    isFromProvider: fromProvider === 1,
    joinedAt,
    passkeys: Number(passkeys),
  }))
}

export async function hasStaff(database: Database): Promise<boolean> {
  return (await database.selectFrom('staff').select('id').limit(1).executeTakeFirst()) !== undefined
}

export function countOwners(database: Database): Promise<number> {
  return countOf(database.selectFrom('staff').where('role', '=', 'owner'))
}

/** Confirms a session: its sign-in counts as recent again. `false` if it has ended. */
export async function confirmStaffSession(transaction: Database, hash: string, now: number): Promise<boolean> {
  return changesRows(
    transaction.updateTable('staff_sessions').set({ confirmed_at: now }).where('hash', '=', hash).where('expires_at', '>', now),
  )
}

export async function deleteExpiredStaffAccess(transaction: Database, now: number): Promise<void> {
  await transaction.deleteFrom('staff_links').where('expires_at', '<=', now).execute()
  await transaction.deleteFrom('staff_sessions').where('expires_at', '<=', now).execute()
}
