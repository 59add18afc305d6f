import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DATABASES } from '../../../test/support/databases.ts'
import { type OpenedDatabase, openTestDatabase } from '../../../test/support/test-database.ts'
import { recordTime } from '../store/engine/installation-facts.ts'
import { openLedger } from './open-ledger.ts'

describe.each(DATABASES)('the ledger of erasures on %s', (kind) => {
  let opened: OpenedDatabase
  let folder: string
  beforeAll(async () => {
    opened = await openTestDatabase(kind)
    folder = mkdtempSync(join(tmpdir(), 'parley-ledgers-'))
  })
  afterAll(async () => {
    await opened.remove()
    rmSync(folder, { recursive: true })
  })

  const warnings: unknown[] = []
  const open = (name: string, pause: (ms: number) => Promise<unknown> = async () => undefined) =>
    openLedger(
      { ledger: { directory: join(folder, name), days: 7 } },
      {
        database: opened.database,
        key: 'a key',
        now: () => 1_000,
        log: { warn: (message: unknown) => void warnings.push(message) },
        pause,
      },
    )

  test('refuses a start beside a process with another ledger, and replaces a lost one', async () => {
    await open('first')
    const besideOthers = () => recordTime(opened.database, Date.now())
    await expect(open('second', besideOthers)).rejects.toThrow('set ERASURE_LEDGER to a folder that all processes share')
    warnings.length = 0
    await open('first', besideOthers)
    expect(warnings).toEqual([])
    let waitedMs = 0
    await open('second', async (ms) => (waitedMs += ms))
    // A running process stores the time every ten seconds.
    expect(waitedMs).toBeGreaterThan(10_000)
    expect(warnings.at(-1)).toContain('this ledger of erasures is used from now on')
    await open('second', () => Promise.reject(new Error('waits for nothing')))
  })
})
