import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Fault } from './find-faults.ts'
import type { NumberedFault } from './insert-faults.ts'

export interface PlacedFault extends NumberedFault {
  /** Path from the root. */
  file: string
  line: number
  /** Names the fault in the results of earlier runs. */
  key: string
  /** The source text that is changed. */
  original: string
}

export interface Result {
  outcome: 'noticed' | 'timed out' | 'unnoticed' | 'not reached'
  /** The first test that failed. */
  by?: string | undefined
}

/** Names a fault by what it changes and where, so that a result stays valid while its file stays as it is. */
export function keyOf(file: string, { start, kind, instead }: Fault, text: string): string {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12)
  return `${file} ${hash} ${start} ${kind} ${instead}`
}

/** Results of earlier runs, to go on from. */
export class Results {
  readonly #path: string
  readonly #results: Record<string, Result>

  constructor(root: string, folder: string) {
    this.#path = join(root, 'node_modules/.cache/mutation', `${folder.replaceAll('/', '-')}.json`)
    this.#results = existsSync(this.#path) ? JSON.parse(readFileSync(this.#path, 'utf8')) : {}
  }

  /** The result of a fault that was noticed before. One that was not is tried again: there may be a test since. */
  noticed(key: string): Result | undefined {
    const result = this.#results[key]
    return result?.outcome === 'noticed' ? result : undefined
  }

  set(key: string, result: Result): void {
    this.#results[key] = result
    mkdirSync(dirname(this.#path), { recursive: true })
    writeFileSync(this.#path, JSON.stringify(this.#results))
  }
}

interface AcceptedFault {
  file: string
  original: string
  kind: string
  reason: string
}

/** Why a survivor is left: it changes nothing that anybody could see, or what it changes is not worth a test. */
export function reasonFor({ file, original, kind }: PlacedFault): string | undefined {
  const known: AcceptedFault[] = JSON.parse(readFileSync(join(import.meta.dirname, 'accepted-faults.json'), 'utf8'))
  return known.find((entry) => entry.file === file && entry.original === shortened(original) && entry.kind === kind)?.reason
}

/** A source text on one line, its first characters. */
export function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > 100 ? `${line.slice(0, 99)}…` : line
}
