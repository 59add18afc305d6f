import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { WriteAheadLog } from './write-ahead-log.ts'

function inFolder(run: (file: string) => Promise<void>): () => Promise<void> {
  return async () => {
    const directory = mkdtempSync(join(tmpdir(), 'parley-log-'))
    try {
      await run(join(directory, 'parley.db'))
    } finally {
      rmSync(directory, { recursive: true })
    }
  }
}

test(
  'syncs once for all callers that arrive during a sync',
  inFolder(async (file) => {
    const database = new DatabaseSync(file)
    database.exec('pragma journal_mode = wal; create table notes (id text)')
    const log = new WriteAheadLog(file)
    const first = log.sync()
    const second = log.sync()
    expect(log.sync()).toBe(second)
    expect(first).not.toBe(second)
    await Promise.all([first, second])
    const third = log.sync()
    expect(third).not.toBe(second)
    await third
    await log.close()
    database.close()
  }),
)

test(
  'reports that there is no log to sync',
  inFolder(async (file) => {
    await expect(async () => new WriteAheadLog(file).sync()).rejects.toThrow('ENOENT')
  }),
)
