import { createHash, randomBytes } from 'node:crypto'
import type { StaffRole } from '../../contract/staff/roles.ts'
import type { Database } from '../store/database.ts'
import {
  deleteExpiredStaffAccess,
  deleteStaffMember,
  deleteStaffSession,
  findStaffSession,
  insertStaffLink,
  insertStaffMember,
  insertStaffSession,
  type StaffMember,
  takeStaffLink,
} from '../store/staff.ts'
import type { AuditAction, AuditLog } from './audit.ts'

const SESSION_MS = 12 * 60 * 60 * 1000
/** Sensitive actions need a sign-in that is no older. */
const CONFIRMATION_MS = 15 * 60 * 1000
/** 256 random bits in base64url. */
const SECRET = /^[\w-]{43}$/

/** Somebody who is signed in. */
export interface SignedInStaff {
  member: StaffMember
  /** Whether the sign-in is recent enough for sensitive actions. */
  isConfirmed: boolean
  expiresAt: number
}

interface Invitation {
  name: string
  role: StaffRole
  /** How long the link works. */
  lifetimeMs: number
  /** Who invites: the id of a person on the staff, or the operator. */
  actor: string
}

export interface StaffAccessOptions {
  database: Database
  audit: AuditLog
  now: () => number
}

/** Who is on the staff: links that work once, and sessions of 12 hours. Each change is in the audit log; secrets are stored as hashes. */
export class StaffAccess {
  readonly #options: StaffAccessOptions

  constructor(options: StaffAccessOptions) {
    this.#options = options
  }

  /** Creates a link that lets one person join. Returns its secret. */
  async invite({ name, role, lifetimeMs, actor }: Invitation): Promise<string> {
    const secret = newSecret()
    const hash = hashOf(secret)
    await this.#change(async (transaction, record) => {
      await insertStaffLink(transaction, { hash, name, role, expiresAt: this.#options.now() + lifetimeMs })
      await record(actor, 'staff.invite', hash)
    })
    return secret
  }

  /** Uses a link: adds its person and starts a session. Returns the session's secret; `null` for a link that doesn't work, for whatever reason. */
  async join(linkSecret: string): Promise<string | null> {
    if (!SECRET.test(linkSecret)) return null
    const id = randomBytes(8).toString('hex')
    const secret = newSecret()
    return this.#change(async (transaction, record, now) => {
      const link = await takeStaffLink(transaction, hashOf(linkSecret), now)
      if (!link) return null
      await insertStaffMember(transaction, { id, name: link.name, role: link.role }, now)
      await insertStaffSession(transaction, { hash: hashOf(secret), staffId: id, confirmedAt: now, expiresAt: now + SESSION_MS })
      await record(id, 'staff.join', link.hash)
      return secret
    })
  }

  /** Who has this session; `null` if it has ended. */
  async find(sessionSecret: string): Promise<SignedInStaff | null> {
    if (!SECRET.test(sessionSecret)) return null
    const now = this.#options.now()
    const found = await findStaffSession(this.#options.database, hashOf(sessionSecret), now)
    if (!found) return null
    const { member, session } = found
    return { member, isConfirmed: now - session.confirmedAt < CONFIRMATION_MS, expiresAt: session.expiresAt }
  }

  /** Ends a session; `false` if it had ended. */
  async signOut(sessionSecret: string): Promise<boolean> {
    const found = await this.find(sessionSecret)
    if (!found) return false
    const hash = hashOf(sessionSecret)
    return this.#change(async (transaction, record) => {
      const isEnded = await deleteStaffSession(transaction, hash)
      if (isEnded) await record(found.member.id, 'staff.sign-out', hash)
      return isEnded
    })
  }

  /** Removes a person, whose sessions end at once; `false` if there is none of this id. */
  async remove(id: string, actor: string): Promise<boolean> {
    return this.#change(async (transaction, record) => {
      const isRemoved = await deleteStaffMember(transaction, id)
      if (isRemoved) await record(actor, 'staff.remove', id)
      return isRemoved
    })
  }

  async #change<T>(
    change: (
      transaction: Database,
      record: (actor: string, action: AuditAction, target: string) => Promise<void>,
      now: number,
    ) => Promise<T>,
  ): Promise<T> {
    const { database, audit, now } = this.#options
    const at = now()
    return database.transaction().execute(async (transaction) => {
      const result = await change(transaction, (actor, action, target) => audit.append(transaction, { at, actor, action, target }), at)
      await deleteExpiredStaffAccess(transaction, at)
      return result
    })
  }
}

function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}
