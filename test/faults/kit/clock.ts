import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFakeTime } from '../../../scripts/fake-time.mjs'

export interface Clock {
  /** Environment for the process. */
  env: Record<string, string>
  /** Sets the wall clock's offset in the running process. The monotonic clock is unaffected. */
  setOffset(seconds: number): void
  remove(): void
}

/** A wall clock that can jump while the process runs. Throws without libfaketime. */
export function createClock(): Clock {
  const library = findFakeTime()
  if (!library) throw new Error('libfaketime is not installed.')
  const folder = mkdtempSync(join(tmpdir(), 'parley-clock-'))
  const file = join(folder, 'offset')
  const setOffset = (seconds: number) => {
    // Atomic, because the process may read at any time.
    writeFileSync(`${file}.next`, `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}s\n`)
    renameSync(`${file}.next`, file)
  }
  setOffset(0)
  return {
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      // Seconds for which an offset is cached.
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    setOffset,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
