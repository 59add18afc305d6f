import { createHmac, hkdfSync } from 'node:crypto'
import type { AuditAction } from '../../contract/staff/audit-actions.ts'
import {
  type AuditRow,
  appendAuditRow,
  hasAuditRow,
  lockAuditLog,
  readAuditHead,
  readAuditRows,
  readInForce,
  readNewestAuditRow,
} from '../store/staff/audit-log.ts'
import { type Database, inTransaction } from '../store/engine/database.ts'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Who acted: somebody with a shell on the server. */
export const OPERATOR = 'operator'

/** Who acted: a script with this token. */
export function tokenActor(id: string): string {
  return `token:${id}`
}

/** Parts of what records its changes in the audit log. */
export interface AuditedParts {
  database: Database
  audit: AuditLog
  now: () => number
}

/** An entry to record. `target` names what it is about; the log keeps a keyed hash of it. */
export interface AuditEntry {
  at: number
  actor: string
  action: AuditAction
  target: string | null
}

/** Result of a check: newest and sealed entry, or the first number that doesn't hold and what is in force without an entry. */
export type AuditCheck =
  | { intact: true; entries: number; hash: string | null; sealed: number | null }
  | { intact: false; brokenAt: number; unrecorded?: string[] }

const PAGE = 500
const NO_HASH = ''
/** Actions that begin somebody's time on the staff. */
const ARRIVALS: ReadonlySet<string> = new Set(['staff.join', 'staff.sign-in'] satisfies AuditAction[])
/** File outside the database with the newest entry and a keyed hash. */
const SEAL_FILE = 'audit'
const SEAL = /^(\d+) ([\w-]{43}) ([\w-]{43})$/
type SealedEntry = Pick<AuditRow, 'number' | 'hash'>
const gapTo = ({ number, hash }: SealedEntry) => `${number} ${hash}`

/**
 * The audit log: append-only, each entry with a keyed hash over itself and its predecessor's, so that a change, a gap and a missing end
 * are found by anybody with the installation key, and none can be hidden without it. The newest entry is sealed in a folder outside the
 * database, so that no earlier end can be put back either.
 */
export class AuditLog {
  readonly #key: Buffer
  readonly #sealDirectory: string | null

  /** `sealDirectory`: the folder of the ledger of erasures; `null` for a log that isn't sealed. */
  constructor(installationKey: string, sealDirectory: string | null = null) {
    this.#key = Buffer.from(hkdfSync('sha256', installationKey, '', 'parley audit log', 32))
    this.#sealDirectory = sealDirectory
  }

  /** Writes the first entry of an installation, and seals the log. */
  async begin(database: Database, at: number): Promise<void> {
    await inTransaction(database, async (transaction) => {
      const isNew = (await lockAuditLog(transaction)) === undefined && (await this.#readSeal()) === null
      if (isNew) await this.append(transaction, { at, actor: OPERATOR, action: 'log.begin', target: null })
    })
    await this.seal(database)
  }

  /** Seals the newest entry, unless the log doesn't continue what was sealed before. */
  async seal(database: Database): Promise<void> {
    const sealed = await this.#readSeal()
    const newest = await readNewestAuditRow(database)
    if (!newest || sealed === 'forged' || sealed?.hash === newest.hash) return
    if (!sealed || (await this.#continues(database, sealed))) await this.#writeSeal(newest)
  }

  /** Records in a restored database that it may lack entries up to the sealed one. */
  async recordRestore(database: Database, at: number): Promise<void> {
    const sealed = await this.#readSeal()
    const target = sealed && sealed !== 'forged' ? gapTo(sealed) : null
    await inTransaction(database, (transaction) => this.append(transaction, { at, actor: OPERATOR, action: 'log.restore', target }))
  }

  /** Appends an entry, in the transaction of the change that it records. */
  async append(transaction: Database, { target, ...entry }: AuditEntry): Promise<void> {
    await appendAuditRow(transaction, (last) => {
      const hashed = { ...entry, number: (last?.number ?? 0) + 1, target: target === null ? null : this.targetHash(target) }
      const row = { ...hashed, hash: this.#chained(hashed, last?.hash ?? NO_HASH) }
      return { row, head: this.#headOf(row) }
    })
  }

  targetHash(target: string): string {
    return this.#hash('target', target)
  }

  /** Checks every entry, the end of the log by its head and by the seal, and that what is in force has an entry. */
  async verify(database: Database): Promise<AuditCheck> {
    let last: AuditRow | undefined
    const known = new Set<string>()
    for (;;) {
      const rows = await readAuditRows(database, last?.number ?? 0, PAGE)
      for (const row of rows) {
        const number: number = (last?.number ?? 0) + 1
        if (row.number !== number || row.hash !== this.#chained(row, last?.hash ?? NO_HASH)) return { intact: false, brokenAt: number }
        known.add(ARRIVALS.has(row.action) ? row.actor : `${row.action.split('.')[0]} ${row.target}`)
        last = row
      }
      if (rows.length < PAGE) break
    }
    const head = await readAuditHead(database)
    const entries = last?.number ?? 0
    if (head !== (last ? this.#headOf(last) : null)) return { intact: false, brokenAt: entries + 1 }
    const sealed = await this.#readSeal()
    if (sealed === 'forged') return { intact: false, brokenAt: entries + 1 }
    if (sealed && !(await this.#continues(database, sealed))) return { intact: false, brokenAt: Math.min(sealed.number, entries + 1) }
    const { staff, changes } = await readInForce(database)
    const unrecorded = [
      ...staff.filter((id) => !known.has(id)).map((id) => `staff ${id}`),
      ...changes
        .filter(({ area, target }) => !known.has(`${area} ${this.targetHash(target)}`))
        .map(({ area, target }) => `${area} ${target}`),
    ]
    if (unrecorded.length > 0) return { intact: false, brokenAt: entries + 1, unrecorded }
    return { intact: true, entries, hash: last?.hash ?? null, sealed: sealed?.number ?? null }
  }

  /** Whether the log has the sealed entry, or one by which a restore says that it is missing. */
  async #continues(database: Database, sealed: SealedEntry): Promise<boolean> {
    const [row] = await readAuditRows(database, sealed.number - 1, 1)
    if (row?.number === sealed.number && row.hash === sealed.hash) return true
    return hasAuditRow(database, { action: 'log.restore', target: this.targetHash(gapTo(sealed)) })
  }

  /** The entry that was sealed; `null` if there is none, `forged` if it was changed or written with another installation key. */
  async #readSeal(): Promise<SealedEntry | 'forged' | null> {
    if (this.#sealDirectory === null) return null
    const text = await readFile(join(this.#sealDirectory, SEAL_FILE), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
    if (text === undefined) return null
    const [, number, hash = '', mac] = SEAL.exec(text.trim()) ?? []
    const entry = { number: Number(number), hash }
    return mac === this.#sealOf(entry) ? entry : 'forged'
  }

  async #writeSeal(entry: SealedEntry): Promise<void> {
    if (this.#sealDirectory === null) return
    const draft = join(this.#sealDirectory, `${SEAL_FILE}.${process.pid}`)
    await writeFile(draft, `${entry.number} ${entry.hash} ${this.#sealOf(entry)}\n`, { mode: 0o600, flush: true })
    await rename(draft, join(this.#sealDirectory, SEAL_FILE))
  }

  #sealOf({ number, hash }: SealedEntry): string {
    return this.#hash('seal', number, hash)
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
