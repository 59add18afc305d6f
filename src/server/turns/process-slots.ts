import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createOnce } from '../create-once.ts'

/** Processes that may share a data folder. */
const MAX_SLOTS = 64
/** https://sqlite.org/rescode.html#busy */
const SQLITE_BUSY = 5
const LOCK_FILE = /^process-(\d{1,2})\.lock$/

/** A process's slot in its data folder: an exclusive file lock, which ends with the process and tells dead ones from live ones. */
export class ProcessSlots {
  readonly #directory: string
  readonly #folderId: string
  readonly #own: { slot: number; lock: DatabaseSync }

  private constructor(directory: string, folderId: string, own: { slot: number; lock: DatabaseSync }) {
    this.#directory = directory
    this.#folderId = folderId
    this.#own = own
  }

  static async take(directory: string): Promise<ProcessSlots> {
    const folderId = await folderIdOf(directory)
    for (let slot = 1; slot <= MAX_SLOTS; slot += 1) {
      const lock = tryLock(directory, slot)
      if (lock) return new ProcessSlots(directory, folderId, { slot, lock })
    }
    throw new Error(`${MAX_SLOTS} processes run on ${directory} already.`)
  }

  static async isAnyTaken(directory: string): Promise<boolean> {
    const names = await readdir(directory).catch(absent)
    const slots = (names ?? []).map((name) => Number(LOCK_FILE.exec(name)?.[1])).filter((slot) => slot > 0)
    return slots.some((slot) => {
      const lock = tryLock(directory, slot)
      lock?.close()
      return !lock
    })
  }

  /** Identifies this process in the database. The next process with this slot has the same name. */
  get instance(): string {
    return `${this.#folderId}-${this.#own.slot}`
  }

  /** Runs `act` if `instance` is a dead process of this folder, and keeps it from starting meanwhile. */
  async whileDead(instance: string, act: () => Promise<void>): Promise<void> {
    const slot = this.#slotOf(instance)
    const lock = slot === undefined || slot === this.#own.slot ? undefined : tryLock(this.#directory, slot)
    if (!lock) return
    try {
      await act()
    } finally {
      lock.close()
    }
  }

  release(): void {
    this.#own.lock.close()
  }

  #slotOf(instance: string): number | undefined {
    const [, folderId, slot] = /^(.+)-(\d{1,2})$/.exec(instance) ?? []
    return folderId === this.#folderId && Number(slot) >= 1 && Number(slot) <= MAX_SLOTS ? Number(slot) : undefined
  }
}

/** Uses SQLite's portable locks, since Node has none. Undefined if another process holds it. */
function tryLock(directory: string, slot: number): DatabaseSync | undefined {
  const lock = new DatabaseSync(join(directory, `process-${slot}.lock`), { timeout: 0 })
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock.close()
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined
    throw error
  }
}

async function folderIdOf(directory: string): Promise<string> {
  const file = join(directory, 'folder-id')
  const known = await readFile(file, 'utf8').catch(absent)
  return known?.trim() ?? (await createOnce(file, randomBytes(8).toString('hex')))
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
