import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenedDatabase, openTestDatabase } from '../../../../test/support/test-database.ts'
import { removeDeletedText, removeLeftText } from './deleted-text.ts'
import { writeFact } from './installation-facts.ts'

let opened: OpenedDatabase
beforeAll(async () => {
  opened = await openTestDatabase('sqlite')
})
afterAll(() => opened.remove())

test('a backup is reading: says that text is left, without waiting for it, and removes it later', async () => {
  const { database, settings } = opened
  const directory = settings.kind === 'sqlite' ? settings.directory : ''
  const logSize = () => statSync(join(directory, 'parley.db-wal')).size
  await writeFact(database, 'release', 'before')
  const reader = new DatabaseSync(join(directory, 'parley.db'))
  reader.exec('BEGIN; SELECT * FROM installation_facts')
  await writeFact(database, 'release', 'after')
  let turns = 0
  const counting = setInterval(() => (turns += 1), 1)
  expect(await removeDeletedText(database)).toBe(false)
  clearInterval(counting)
  // The event loop was free between the tries.
  expect(turns).toBeGreaterThan(1)
  expect(logSize()).toBeGreaterThan(0)
  reader.close()
  await removeLeftText(database)
  expect(logSize()).toBe(0)
})
