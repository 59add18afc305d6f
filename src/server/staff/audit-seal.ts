import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const FILE = 'audit'
const SEAL = /^(\d+) ([\w-]{43}) ([\w-]{43})$/

export interface SealedEntry {
  number: number
  hash: string
}

/** The newest entry of the audit log in a file outside the database, with a keyed hash. */
export class AuditSeal {
  readonly #directory: string
  readonly #macOf: (entry: SealedEntry) => string

  constructor(directory: string, macOf: (entry: SealedEntry) => string) {
    this.#directory = directory
    this.#macOf = macOf
  }

  /** `null` if there is none; `forged` if it was changed or written with another installation key. */
  async read(): Promise<SealedEntry | 'forged' | null> {
    const text = await readFile(join(this.#directory, FILE), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
    if (text === undefined) return null
    const [, number, hash = '', mac] = SEAL.exec(text.trim()) ?? []
    const entry = { number: Number(number), hash }
    return mac === this.#macOf(entry) ? entry : 'forged'
  }

  async write(entry: SealedEntry): Promise<void> {
    const draft = join(this.#directory, `${FILE}.${process.pid}`)
    await writeFile(draft, `${entry.number} ${entry.hash} ${this.#macOf(entry)}\n`, { mode: 0o600, flush: true })
    await rename(draft, join(this.#directory, FILE))
  }
}
