import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { copySqlite } from './copy-sqlite.ts'

const COMMITS = 5
const BYTES = 24 * 1024 * 1024

test('other connections commit after each step: the copy goes on, and is as the database was at its beginning', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'parley-copied-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const writer = new DatabaseSync(join(directory, 'parley.db'))
  writer.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; CREATE TABLE notes (id INTEGER PRIMARY KEY, content BLOB)')
  writer.exec(`INSERT INTO notes (content) VALUES (zeroblob(${BYTES}))`)
  const shares: number[] = []
  await copySqlite(directory, join(directory, 'copy.db'), (share) => {
    shares.push(share)
    if (shares.length <= COMMITS) writer.exec("INSERT INTO notes (content) VALUES ('later')")
  })
  writer.close()
  expect(shares.length).toBeGreaterThan(1)
  expect(shares).toEqual(shares.toSorted((a, b) => a - b))
  const copy = new DatabaseSync(join(directory, 'copy.db'))
  expect(copy.prepare('SELECT count(*) AS count FROM notes').get()).toEqual({ count: 1 })
  copy.close()
})
