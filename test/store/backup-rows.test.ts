import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exportPostgres } from '../../src/server/store/backup/export-postgres.ts'
import { stagePostgres } from '../../src/server/store/backup/import-postgres.ts'
import { insertPendingFile } from '../../src/server/store/sessions/files.ts'
import { type OpenedDatabase, openTestDatabase } from '../support/test-database.ts'

const TEXT = 'a line\nanother "quoted" \\ back\u2028slash \u{1F642} {"table":"visitors"}'
const BYTES = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))

let opened: OpenedDatabase
beforeAll(async () => {
  opened = await openTestDatabase('postgres')
})
afterAll(() => opened.remove())

test('an export of PostgreSQL restores every byte, in place of what has changed since', async () => {
  const { database, settings } = opened
  const url = settings.kind === 'postgres' ? settings.url : ''
  const file = { id: 'file_1', name: 'a.txt', mediaType: 'text/plain' as const, bytes: 256, text: TEXT, content: BYTES }
  const pending = { ...file, owner: 'v_owner', now: 1_795_492_000_123, newVisitor: { id: 'v_owner', keyHash: 'key' } }
  await insertPendingFile(database, pending, { maxPending: 2, maxOwnBytes: 1_000 })
  const rows = () => sql`select * from waiting_files`.execute(database).then((result) => result.rows)
  const before = await rows()

  const source = await exportPostgres(url, () => undefined)
  // After the beginning of the export: not in it.
  await sql`update waiting_files set name = 'later', content = 'x'`.execute(database)
  // A restore that was cut off.
  await sql`create schema parley_restore`.execute(database)
  const staged = await stagePostgres(url, { contents: source.contents, lines: source.lines() })
  await source.close()
  expect(staged.contents).toEqual(source.contents)
  expect(await rows()).not.toEqual(before)
  await staged.activate()
  await staged.close()
  expect(await rows()).toEqual(before)
})
