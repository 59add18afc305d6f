import { createHash, randomBytes } from 'node:crypto'
import type { StaffRole } from '../../contract/staff/roles.ts'
import { FIRST_OWNER_NAME } from '../../contract/staff/person-name.ts'
import { fold } from '../../text/fold.ts'
import type { Database } from '../store/engine/database.ts'
import * as store from '../store/staff/staff.ts'
import {
  deleteStaffPasskey,
  findStaffPasskey,
  insertStaffPasskey,
  listStaffPasskeys,
  recordPasskeyUse,
  type StaffPasskey,
} from '../store/staff/staff-passkeys.ts'
import type { AuditAction } from '../../contract/staff/audit-actions.ts'
import type { AuditedParts } from './audit.ts'
import type { ProvenPasskey } from './passkeys.ts'

export const SESSION_MS = 12 * 60 * 60 * 1000
/** Sensitive actions need a sign-in that is no older. */
const CONFIRMATION_MS = 15 * 60 * 1000
/** For what carries a key. */
const JUST_CONFIRMED_MS = 5 * 60 * 1000
const MAX_PASSKEYS = 10
/** In place of a name, on links that work only until there is somebody on the staff. No invitation has it. */
export const FIRST_OWNER = ''
/** Names by which the console calls others than people, folded. */
const RESERVED = ['server administrator', 'operator', 'someone who was removed', 'somebody who has left', 'a token', 'first owner']
/** 256 random bits in base64url. */
const SECRET = /^[\w-]{43}$/

export interface SignedInStaff {
  member: store.StaffMember
  /** Whether the sign-in is recent enough for sensitive actions. */
  isConfirmed: boolean
  /** Whether that was within the last five minutes. */
  isJustConfirmed: boolean
  expiresAt: number
}

interface Invitation {
  name: string
  role: StaffRole
  lifetimeMs: number
  /** Who invites: the id of a person on the staff, or the operator. */
  actor: string
}

/** Who is on the staff: links that work once, and sessions of 12 hours. Each change is in the audit log; secrets are stored as hashes. */
export class StaffAccess {
  readonly #options: AuditedParts

  constructor(options: AuditedParts) {
    this.#options = options
  }

  /** Creates a link that lets one person join. Returns its secret. */
  async invite({ name, role, lifetimeMs, actor }: Invitation): Promise<string> {
    const secret = newSecret()
    const hash = hashOf(secret)
    await this.#change(async (transaction, record) => {
      await store.insertStaffLink(transaction, { hash, name, role, expiresAt: this.#options.now() + lifetimeMs })
      await record(actor, 'staff.invite', hash)
    })
    return secret
  }

  /** Whether nobody on the staff but `own` has this name, and the console calls nobody else by it. */
  async isNameFree(name: string, database = this.#options.database, own?: string): Promise<boolean> {
    const names = (await store.listStaff(database)).flatMap((person) => (person.id === own ? [] : fold(person.name)))
    return ![...RESERVED, ...names].includes(fold(name))
  }

  /** Others may have joined by this name since the invitation. */
  async #freeName(given: string, database: Database): Promise<string> {
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? given : `${given} (${number})`
      if (await this.isNameFree(name, database)) return name
    }
  }

  /** Uses a link: adds its person and starts a session. Returns the session's secret; `null` for a link that doesn't work, for whatever reason. */
  async join(linkSecret: string): Promise<string | null> {
    if (!SECRET.test(linkSecret)) return null
    const id = randomBytes(8).toString('hex')
    const secret = newSecret()
    return this.#change(async (transaction, record, now) => {
      const link = await store.takeStaffLink(transaction, hashOf(linkSecret), now)
      if (!link) return null
      // First: the entry makes people who join at the same time wait for each other.
      await record(id, 'staff.join', link.hash)
      const isFirst = link.name === FIRST_OWNER
      if (isFirst && (await store.hasStaff(transaction))) throw new NothingChanged()
      const name = isFirst ? FIRST_OWNER_NAME : await this.#freeName(link.name, transaction)
      await store.insertStaffMember(transaction, { id, name, role: link.role }, now)
      await store.insertStaffSession(transaction, newSession(secret, id, now))
      return secret
    })
  }

  /** Who has this session; `null` if it has ended. */
  async find(sessionSecret: string): Promise<SignedInStaff | null> {
    if (!SECRET.test(sessionSecret)) return null
    const now = this.#options.now()
    const found = await store.findStaffSession(this.#options.database, hashOf(sessionSecret), now)
    if (!found) return null
    const { member, session } = found
    const age = now - session.confirmedAt
    return {
      member,
      isConfirmed: age < CONFIRMATION_MS,
      isJustConfirmed: age < JUST_CONFIRMED_MS,
      expiresAt: session.expiresAt,
    }
  }

  /** Signs in with a passkey, or confirms the same person's session. Returns the session's secret; `null` if the passkey is gone. */
  async signIn(passkey: StaffPasskey, nextCounter: number, current: string | null): Promise<string | null> {
    const confirmed = current !== null && (await this.find(current))?.member.id === passkey.staffId ? current : null
    const secret = confirmed ?? newSecret()
    return this.#change(async (transaction, record, now) => {
      if (!(await recordPasskeyUse(transaction, passkey, nextCounter, now))) return null
      if (confirmed) return (await store.confirmStaffSession(transaction, hashOf(secret), now)) ? secret : null
      const { staffId } = passkey
      await store.insertStaffSession(transaction, newSession(secret, staffId, now))
      await record(staffId, 'staff.sign-in', passkey.id)
      return secret
    })
  }

  /**
   * Starts a session of somebody whom the provider names, with the role that it gives now. `authenticatedAt` is when the provider asked for
   * the credentials. Returns the session's secret.
   */
  async enterFromProvider(member: { id: string; name: string; role: StaffRole }, authenticatedAt: number): Promise<string> {
    const secret = newSecret()
    await this.#change(async (transaction, record, now) => {
      await store.upsertProvidedMember(transaction, member, now)
      await store.insertStaffSession(transaction, { ...newSession(secret, member.id, now), confirmedAt: Math.min(authenticatedAt, now) })
      await record(member.id, 'staff.sign-in', member.id)
    })
    return secret
  }

  /** Removes somebody to whom the provider no longer gives a role, with all sessions. */
  async leaveProvider(id: string): Promise<void> {
    await this.#change(async (transaction, record) => {
      await record(id, 'staff.remove', id)
      if (!(await store.deleteProvidedMember(transaction, id))) throw new NothingChanged()
    })
  }

  /** Renames a person; `null` if the name isn't free. */
  async rename(id: string, name: string): Promise<true | null> {
    return this.#change<true>(async (transaction, record) => {
      await record(id, 'staff.rename', id)
      if (!(await this.isNameFree(name, transaction, id))) throw new NothingChanged()
      await store.renameStaffMember(transaction, id, name)
      return true
    })
  }

  passkeysOf(staffId: string): Promise<StaffPasskey[]> {
    return listStaffPasskeys(this.#options.database, staffId)
  }

  findPasskey(id: string): Promise<StaffPasskey | undefined> {
    return findStaffPasskey(this.#options.database, id)
  }

  /** Adds a passkey to a person; `null` if the person has the most allowed, or the passkey belongs to somebody. */
  async addPasskey(staffId: string, name: string, proven: ProvenPasskey): Promise<StaffPasskey | null> {
    return this.#change(async (transaction, record, now) => {
      // First: the entry makes concurrent additions wait for each other.
      await record(staffId, 'staff.add-passkey', proven.id)
      const passkey = { ...proven, staffId, name, createdAt: now, usedAt: null }
      const isFull = (await listStaffPasskeys(transaction, staffId)).length >= MAX_PASSKEYS
      if (isFull || !(await insertStaffPasskey(transaction, passkey))) throw new NothingChanged()
      return passkey
    })
  }

  /** Removes a passkey of a person; `null` if that person has none of this id. */
  async removePasskey(staffId: string, id: string): Promise<true | null> {
    return this.#change(async (transaction, record) => {
      if (!(await deleteStaffPasskey(transaction, staffId, id))) return null
      await record(staffId, 'staff.remove-passkey', id)
      return true
    })
  }

  /** Ends all sessions of the person who has this one. */
  async signOut(sessionSecret: string): Promise<void> {
    const found = await this.find(sessionSecret)
    if (!found) return
    const { id } = found.member
    await this.#change(async (transaction, record) => {
      if (await store.deleteStaffSessions(transaction, id)) await record(id, 'staff.sign-out', hashOf(sessionSecret))
    })
  }

  /** Removes a person, whose sessions and passkeys end at once. The last owner stays. */
  async remove(id: string, actor: string): Promise<'removed' | 'unknown' | 'last-owner'> {
    let refused: 'unknown' | 'last-owner' = 'unknown'
    const isRemoved = await this.#change(async (transaction, record) => {
      // First: the entry makes concurrent removals wait for each other, so that two owners can't remove each other.
      await record(actor, 'staff.remove', id)
      const owners = await store.countOwners(transaction)
      if (!(await store.deleteStaffMember(transaction, id))) throw new NothingChanged()
      if (owners === 0 || (await store.countOwners(transaction)) > 0) return true
      refused = 'last-owner'
      throw new NothingChanged()
    })
    return isRemoved ? 'removed' : refused
  }

  /** Runs a change in a transaction with its entry in the audit log. Resolves with `null` if it throws `NothingChanged`. */
  async #change<T>(
    change: (
      transaction: Database,
      record: (actor: string, action: AuditAction, target: string) => Promise<void>,
      now: number,
    ) => Promise<T>,
  ): Promise<T | null> {
    const { database, audit, now } = this.#options
    const at = now()
    const changed = database.transaction().execute(async (transaction) => {
      const result = await change(transaction, (actor, action, target) => audit.append(transaction, { at, actor, action, target }), at)
      await store.deleteExpiredStaffAccess(transaction, at)
      return result
    })
    return changed.catch((error: unknown) => {
      if (error instanceof NothingChanged) return null
      throw error
    })
  }
}

/** Rolls back a change that turned out to be impossible. */
class NothingChanged extends Error {}

function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

function newSession(secret: string, staffId: string, now: number): store.StaffSession {
  return { hash: hashOf(secret), staffId, confirmedAt: now, expiresAt: now + SESSION_MS }
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}
