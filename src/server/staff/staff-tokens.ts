import { createHash, randomBytes } from 'node:crypto'
import type { z } from 'zod'
import type { TokenScope } from '../../contract/staff/token-scopes.ts'
import { MAX_TOKENS, type NewToken } from '../../contract/staff/tokens.ts'
import {
  deleteExpiredStaffTokens,
  deleteStaffToken,
  findStaffToken,
  insertStaffToken,
  listStaffTokens,
  type StaffToken,
} from '../store/staff/staff-tokens.ts'
import { changeAndRecord } from '../store/staff/audit-log.ts'
import type { AuditedParts } from './audit.ts'

const DAY_MS = 86_400_000
/** Recognised by scanners for leaked secrets, and by people. */
const TOKEN = /^parley_[\w-]{43}$/

type NewStaffToken = z.output<typeof NewToken> & {
  actor: string
}

/** Tokens with which scripts use the staff API, and other programs use agents. Each creation and revocation is in the audit log; secrets are stored as hashes. */
export class StaffTokens {
  readonly #options: AuditedParts

  constructor(options: AuditedParts) {
    this.#options = options
  }

  /** Creates a token; `null` if there are as many as allowed. */
  async create({ name, scopes, agents, collection, caps, days, actor }: NewStaffToken): Promise<(StaffToken & { token: string }) | null> {
    const { database, audit, now } = this.#options
    const at = now()
    const token = `parley_${randomBytes(32).toString('base64url')}`
    const id = randomBytes(8).toString('hex')
    const lists = { scopes: [...new Set(scopes)], agents: [...new Set(agents)] }
    const created = { id, name, ...lists, collection, caps, createdAt: at, expiresAt: at + days * DAY_MS }
    return database.transaction().execute(async (transaction) => {
      await deleteExpiredStaffTokens(transaction, at)
      if ((await listStaffTokens(transaction, at)).length >= MAX_TOKENS) return null
      await audit.append(transaction, { at, actor, action: 'token.create', target: created.id })
      await insertStaffToken(transaction, created, hashOf(token))
      return { ...created, token }
    })
  }

  /** `null` for a token that doesn't work, for whatever reason. */
  async find(token: string): Promise<StaffToken | null> {
    if (!TOKEN.test(token)) return null
    return (await findStaffToken(this.#options.database, hashOf(token), this.#options.now())) ?? null
  }

  async hasAny(scope: TokenScope): Promise<boolean> {
    return (await this.list()).some(({ scopes }) => scopes.includes(scope))
  }

  list(): Promise<StaffToken[]> {
    return listStaffTokens(this.#options.database, this.#options.now())
  }

  /** `false` if there is no token of this id. */
  async revoke(id: string, actor: string): Promise<boolean> {
    const { database, audit, now } = this.#options
    return changeAndRecord(
      database,
      (transaction) => deleteStaffToken(transaction, id),
      (transaction) => audit.append(transaction, { at: now(), actor, action: 'token.revoke', target: id }),
    )
  }
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
