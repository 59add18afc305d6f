import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { SettingsError } from '../config/setting-schemas.ts'
import { createOnce } from '../create-once.ts'
import type { Database } from '../store/engine/database.ts'
import { removeDeletedText } from '../store/engine/deleted-text.ts'
import { type ErasableRow, type ErasedKind, eraseRows, listErasable } from '../store/sessions/erased-rows.ts'
import { readFact, readOrWriteFact, writeFact } from '../store/engine/installation-facts.ts'

/** Visitors are last, after what they own. */
const KINDS: ErasedKind[] = ['consent', 'device', 'report', 'file', 'chat', 'visitor']
const DAY_MS = 24 * 60 * 60 * 1000
/** A deletion may still run this long after its entry, so a newer entry that was applied says nothing about it. */
const RUNNING_MS = 60_000
const DAY_FILE = /^(\d{4}-\d{2}-\d{2})\.log$/
const ENTRY = /^(\d+) (chat|visitor|file|device|report|consent) ([\w-]{43})$/
const IDENTITY_FILE = 'ledger'

interface Entries {
  /** Time of the newest erasure by kind and hash. */
  times: Map<string, number>
  last: string | null
  /** Whether a deletion may have run when the last entry was applied. */
  overlapping: boolean
}

/** Records deletions as keyed hashes in a folder outside the database, for restored databases. One append-only file a day (UTC). */
export class ErasureLedger {
  readonly #directory: string
  readonly #id: string
  readonly #hashKey: Buffer
  readonly #now: () => number
  /** Entries from before have been deleted. */
  readonly #oldestAt: number
  #lastEntry: string | null = null

  private constructor(options: { directory: string; id: string; hashKey: Buffer; oldestAt: number; now: () => number }) {
    this.#directory = options.directory
    this.#id = options.id
    this.#hashKey = options.hashKey
    this.#oldestAt = options.oldestAt
    this.#now = options.now
  }

  /** Creates a missing ledger and deletes entries older than `days`. @throws {SettingsError} if it belongs to another key. */
  static async open(options: { directory: string; installationKey: string; days: number; now: () => number }): Promise<ErasureLedger> {
    const { directory, installationKey, days, now } = options
    await mkdir(directory, { recursive: true, mode: 0o700 })
    const hashKey = Buffer.from(hkdfSync('sha256', installationKey, '', 'parley ledger of erasures', 32))
    const id = await readOrCreateIdentity(directory, hashKey)
    const oldestAt = now() - days * DAY_MS
    const oldest = new Date(oldestAt).toISOString().slice(0, 10)
    for (const name of await dayFiles(directory)) if (name.slice(0, 10) < oldest) await rm(join(directory, name), { force: true })
    return new ErasureLedger({ directory, id, hashKey, oldestAt, now })
  }

  /** Stores durably that these are about to be deleted. */
  async record(kind: ErasedKind, ids: string[]): Promise<void> {
    if (ids.length === 0) return
    const at = this.#now()
    const entries = ids.map((id) => `${at} ${kind} ${this.#hash(kind, id)}`)
    await using file = await open(join(this.#directory, `${new Date(at).toISOString().slice(0, 10)}.log`), 'a', 0o600)
    // Begins with a line break, because a crash may have cut the line before.
    await file.appendFile(`\n${entries.join('\n')}\n`)
    await file.sync()
    await syncDirectory(this.#directory)
    this.#lastEntry = entries.at(-1) ?? null
  }

  /** Deletes one row in a transaction that commits only once the ledger has it. `remove` returns whether the caller has such a row. */
  async deleteRecorded(database: Database, kind: ErasedKind, id: string, remove: (transaction: Database) => Promise<boolean>) {
    return (await this.deleteAllRecorded(database, kind, async (transaction) => ((await remove(transaction)) ? [id] : []))) > 0
  }

  /** The same for several rows. `remove` returns their ids. Resolves with their number. */
  deleteAllRecorded(database: Database, kind: ErasedKind, remove: (transaction: Database) => Promise<string[]>): Promise<number> {
    return database.transaction().execute(async (transaction) => {
      const ids = await remove(transaction)
      await this.record(kind, ids)
      return ids.length
    })
  }

  /** Stores in the database that it has applied what this process recorded last. */
  async markApplied(database: Database): Promise<void> {
    if (this.#lastEntry !== null) await writeFact(database, 'ledger_applied', this.#lastEntry)
  }

  /** Deletes what the ledger names and the database still has, except what a client with an id of its own wrote after its erasure. Returns how many. */
  async replay(database: Database): Promise<number> {
    const entries = await this.#read()
    if (entries.last === null) return 0
    if (!entries.overlapping && (await readFact(database, 'ledger_applied')) === entries.last) return 0
    let erased = 0
    for (const kind of KINDS) {
      for await (const rows of listErasable(database, kind)) {
        const ids = rows.filter((row) => this.#isErased(entries, kind, row)).map(({ id }) => id)
        await eraseRows(database, kind, ids)
        erased += ids.length
      }
    }
    await writeFact(database, 'ledger_applied', entries.last)
    if (erased > 0) await removeDeletedText(database)
    return erased
  }

  /** Whether this ledger is the one that the database has been used with; it becomes that if there is none. */
  async belongsTo(database: Database): Promise<boolean> {
    return (await readOrWriteFact(database, 'ledger', this.#id)) === this.#id
  }

  /** Whether the database has applied a deletion that is newer than this ledger. */
  async isOlderThan(database: Database): Promise<boolean> {
    const [applied, last] = [await readFact(database, 'ledger_applied'), (await this.#read()).last]
    const timeOf = (entry: string | null) => Number(entry?.split(' ', 1)[0] ?? 0)
    return timeOf(applied) - timeOf(last) > RUNNING_MS && timeOf(applied) > this.#oldestAt
  }

  async adopt(database: Database): Promise<void> {
    await writeFact(database, 'ledger', this.#id)
  }

  /** Ids are random, so that what has the id of an erased row is that row, whatever the clock was; but an id that a client chose comes back. */
  #isErased({ times }: Entries, kind: ErasedKind, { id, owner, createdAt }: ErasableRow): boolean {
    if (times.has(this.#hash(kind, id))) return true
    const ownerErasedAt = owner === null ? undefined : times.get(this.#hash('visitor', owner))
    return ownerErasedAt !== undefined && (!isChosenOwner(owner) || createdAt <= ownerErasedAt)
  }

  async #read(): Promise<Entries> {
    const times = new Map<string, number>()
    let last: string | null = null
    let lastAt = 0
    let overlapping = false
    for (const name of await dayFiles(this.#directory)) {
      for (const line of (await readFile(join(this.#directory, name), 'utf8')).split('\n')) {
        const [, time, , hash] = ENTRY.exec(line) ?? []
        if (time === undefined || hash === undefined) continue
        const at = Number(time)
        overlapping = last !== null && at - lastAt < RUNNING_MS
        times.set(hash, Math.max(at, times.get(hash) ?? 0))
        last = line
        lastAt = at
      }
    }
    return { times, last, overlapping }
  }

  #hash(kind: ErasedKind, id: string): string {
    return createHmac('sha256', this.#hashKey).update(`${kind}:${id}`).digest('base64url')
  }
}

/** The ledger's random id, which has a proof of the installation key beside it. */
async function readOrCreateIdentity(directory: string, hashKey: Buffer): Promise<string> {
  const created = randomBytes(16).toString('base64url')
  const [id = '', proof] = (await createOnce(join(directory, IDENTITY_FILE), `${created} ${proofOf(created, hashKey)}`)).split(' ')
  await syncDirectory(directory)
  if (proof !== proofOf(id, hashKey))
    throw new SettingsError(
      `The ledger of erasures in ${directory} belongs to another installation key: put back that key, set INSTALLATION_KEY_PREVIOUS to it if you have changed it, or move the folder away if the database is new.`,
    )
  return id
}

/** Whether a client chose the id of a principal, as `visitor-key.ts` derives them. */
const isChosenOwner = (owner: string | null) => owner?.startsWith('c_') === true

const proofOf = (id: string, hashKey: Buffer) => createHmac('sha256', hashKey).update(`ledger:${id}`).digest('base64url')

async function dayFiles(directory: string): Promise<string[]> {
  return (await readdir(directory)).filter((name) => DAY_FILE.test(name)).toSorted()
}

async function syncDirectory(directory: string): Promise<void> {
  await using folder = await open(directory, 'r')
  await folder.sync()
}
