import { createHmac, hkdfSync } from 'node:crypto'
import { type AuditRow, appendAuditRow, readAuditHead, readAuditRows } from '../store/staff/audit-log.ts'
import type { Database } from '../store/engine/database.ts'

/** Actions in the audit log. */
export const AUDIT_ACTIONS = [
  'stop.start',
  'stop.end',
  'banner.show',
  'banner.remove',
  'limit.change',
  'limit.restore',
  'network.block',
  'network.unblock',
  'topic.dismiss',
  'document.upload',
  'document.replace',
  'document.edit',
  'document.restore',
  'document.delete',
  'website.sync',
  'website.accept',
  'website.accept-page',
  'website.keep-page',
  'website.roll-back',
  'agent.create',
  'agent.save-draft',
  'agent.save-cases',
  'agent.evaluate',
  'agent.publish',
  'agent.publish-anyway',
  'agent.roll-back',
  'agent.withdraw',
  'agent.delete',
  'approved.create',
  'approved.save-draft',
  'approved.publish',
  'approved.roll-back',
  'approved.withdraw',
  'approved.delete',
  'report.read',
  'chat.read',
  'report.decide',
  'correction.write',
  'correction.remove',
  'token.create',
  'token.revoke',
  'webhook.create',
  'webhook.delete',
  'webhook.send-again',
  'staff.invite',
  'staff.join',
  'staff.sign-in',
  'staff.sign-out',
  'staff.end-session',
  'staff.remove',
  'staff.add-passkey',
  'staff.remove-passkey',
] as const
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

/** Who acted: somebody with a shell on the server. */
export const OPERATOR = 'operator'

/** Who acted: a script with this token. */
export function tokenActor(id: string): string {
  return `token:${id}`
}

/** An entry to record. `target` names what it is about; the log keeps a keyed hash of it. */
export interface AuditEntry {
  at: number
  actor: string
  action: AuditAction
  target: string | null
}

/** Result of checking the chain: its length, or the first number at which it doesn't hold. */
export type AuditCheck = { intact: true; entries: number } | { intact: false; brokenAt: number }

/** Entries per query while checking. */
const PAGE = 500
const NO_HASH = ''

/**
 * The audit log: append-only, each entry with a keyed hash over itself and its predecessor's, so that a change, a gap and a missing end
 * are found by anybody with the installation key, and none can be hidden without it.
 */
export class AuditLog {
  readonly #key: Buffer

  constructor(installationKey: string) {
    this.#key = Buffer.from(hkdfSync('sha256', installationKey, '', 'parley audit log', 32))
  }

  /** Appends an entry, in the transaction of the change that it records. */
  async append(transaction: Database, { target, ...entry }: AuditEntry): Promise<void> {
    await appendAuditRow(transaction, (last) => {
      const hashed = { ...entry, number: (last?.number ?? 0) + 1, target: target === null ? null : this.targetHash(target) }
      const row = { ...hashed, hash: this.#chained(hashed, last?.hash ?? NO_HASH) }
      return { row, head: this.#headOf(row) }
    })
  }

  /** The keyed hash under which the log names something. */
  targetHash(target: string): string {
    return this.#hash('target', target)
  }

  /** Checks every entry and the end of the log. */
  async verify(database: Database): Promise<AuditCheck> {
    let last: AuditRow | undefined
    for (;;) {
      const rows = await readAuditRows(database, last?.number ?? 0, PAGE)
      for (const row of rows) {
        const number: number = (last?.number ?? 0) + 1
        if (row.number !== number || row.hash !== this.#chained(row, last?.hash ?? NO_HASH)) return { intact: false, brokenAt: number }
        last = row
      }
      if (rows.length < PAGE) break
    }
    const head = await readAuditHead(database)
    const entries = last?.number ?? 0
    return head === (last ? this.#headOf(last) : null) ? { intact: true, entries } : { intact: false, brokenAt: entries + 1 }
  }

  #chained({ number, at, actor, action, target }: Omit<AuditRow, 'hash'>, previous: string): string {
    return this.#hash('entry', number, at, actor, action, target, previous)
  }

  // Differs from the entry's own hash: otherwise, an earlier head could be made from the log itself.
  #headOf({ number, hash }: AuditRow): string {
    return this.#hash('head', number, hash)
  }

  #hash(...values: readonly (string | number | null)[]): string {
    return createHmac('sha256', this.#key).update(JSON.stringify(values)).digest('base64url')
  }
}
