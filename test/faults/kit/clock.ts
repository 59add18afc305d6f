import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFakeTime } from '../../../scripts/fake-time.mjs'

export interface Clock {
  /** For the environment of the process whose clock it is. */
  env: Record<string, string>
  /** Sets the wall clock of the running process so far from the true time; the monotonic one goes on as it was. */
  setOffset(seconds: number): void
  remove(): void
}

/** A wall clock that can be made to jump while its process runs. Throws without libfaketime. */
export function createClock(): Clock {
  const library = findFakeTime()
  if (!library) throw new Error('libfaketime is not installed.')
  const folder = mkdtempSync(join(tmpdir(), 'parley-clock-'))
  const file = join(folder, 'offset')
  const setOffset = (seconds: number) => {
    // In one step: the process may read at any moment.
    writeFileSync(`${file}.next`, `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}s\n`)
    renameSync(`${file}.next`, file)
  }
  setOffset(0)
  return {
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      // How many seconds an offset that was read is believed.
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    setOffset,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
