import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DATABASES } from '../../../test/support/databases.ts'
import { type OpenedDatabase, openTestDatabase } from '../../../test/support/test-database.ts'
import { unrestricted } from '../store/visitors/access.ts'
import { deletePendingFile, insertPendingFile } from '../store/sessions/files.ts'
import { insertPrompt } from '../store/turns/turns.ts'
import { deleteVisitorKey, findVisitorKey, insertVisitor, insertVisitorKey } from '../store/visitors/visitors.ts'
import { ErasureLedger } from './erasure-ledger.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const NOON = Date.UTC(2026, 0, 10, 12)

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'parley-ledger-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

const openLedger = (now = NOON, installationKey = 'a key') => ErasureLedger.open({ directory, installationKey, days: 7, now: () => now })
const dayFiles = () => readdirSync(directory).filter((name) => name.endsWith('.log'))

test('an entry is older than the backups: it is deleted', async () => {
  await (await openLedger(NOON)).record('chat', ['one'])
  await openLedger(NOON + 7 * DAY_MS)
  expect(dayFiles()).toEqual(['2026-01-10.log'])
  await openLedger(NOON + 8 * DAY_MS)
  expect(dayFiles()).toEqual([])
})

test('names nothing that was erased', async () => {
  await (await openLedger()).record('visitor', ['v_somebody'])
  expect(readFileSync(join(directory, '2026-01-10.log'), 'utf8')).not.toContain('somebody')
})

test('lets nobody else on this machine read it', async () => {
  directory = join(directory, 'new')
  await (await openLedger()).record('chat', ['one'])
  const modes = ['', 'ledger', '2026-01-10.log'].map((name) => statSync(join(directory, name)).mode & 0o077)
  expect(modes).toEqual([0, 0, 0])
})

test('refuses another installation key', async () => {
  await openLedger()
  await expect(openLedger(NOON, 'another key')).rejects.toThrow('belongs to another installation key')
  await expect(openLedger()).resolves.toBeDefined()
})

describe.each(DATABASES)('on %s', (kind) => {
  let opened: OpenedDatabase
  beforeAll(async () => {
    opened = await openTestDatabase(kind)
  })
  afterAll(() => opened.remove())

  async function storeChat(id: string, owner: string, now: number) {
    await insertPrompt(opened.database, {
      id: `turn_${id}`,
      instance: 'test',
      now,
      message: { id: `prompt_${id}`, role: 'user', parts: [{ type: 'text', text: 'hello' }] },
      continues: null,
      newVisitor: null,
      claim: null,
      reservationsFor: () => [],
      count: async () => undefined,
      newSession: { id, owner, agent: 'assistant', title: 'hello', openById: false },
    })
  }

  async function chatsLeft(): Promise<string[]> {
    const rows = await unrestricted(opened.database).selectFrom('sessions').select('id').orderBy('id').execute()
    return rows.map(({ id }) => id)
  }

  test('replay erases what an older database brought back, and keeps what was never erased, or is newer and of an id that a client chose', async () => {
    const { database } = opened
    const ledger = await openLedger()
    await insertVisitor(database, { id: 'v_erased', keyHash: 'key' }, NOON - 1)
    await storeChat('erased', 'c_kept', NOON - 1)
    await storeChat('of-erased-visitor', 'v_erased', NOON - 1)
    await storeChat('kept', 'c_kept', NOON - 1)
    await storeChat('written-before', 'c_again', NOON - 1)
    await storeChat('written-later', 'c_again', NOON + 1)
    await ledger.record('chat', ['erased'])
    await ledger.record('visitor', ['v_erased', 'c_again'])
    // A crash cut this line.
    appendFileSync(join(directory, '2026-01-10.log'), '17680')
    await ledger.record('report', ['none'])

    expect(await (await openLedger()).replay(database)).toBe(4)
    expect(await chatsLeft()).toEqual(['kept', 'written-later'])
    expect(await database.selectFrom('visitors').select('id').where('id', '=', 'v_erased').execute()).toEqual([])
  })

  test('replay erases what was written while the clock was ahead', async () => {
    const { database } = opened
    const AHEAD = NOON + DAY_MS
    await insertVisitor(database, { id: 'v_ahead', keyHash: 'ahead' }, AHEAD)
    await storeChat('of-visitor-ahead', 'v_ahead', AHEAD)
    await storeChat('chat-ahead', 'c_kept', AHEAD)
    const ledger = await openLedger()
    await ledger.record('chat', ['chat-ahead'])
    await ledger.record('visitor', ['v_ahead'])
    expect(await (await openLedger()).replay(database)).toBe(3)
    expect((await chatsLeft()).filter((id) => id.includes('ahead'))).toEqual([])
    expect(await database.selectFrom('visitors').select('id').where('id', '=', 'v_ahead').execute()).toEqual([])
  })

  test('a database that has applied the last entry is not searched again, an older one is', async () => {
    const { database } = opened
    const ledger = await openLedger()
    await ledger.record('chat', ['restored'])
    await ledger.markApplied(database)
    await storeChat('restored', 'c_kept', NOON - 1)
    expect(await ledger.replay(database)).toBe(0)
    await (await openLedger(NOON + DAY_MS)).record('chat', ['another'])
    expect(await ledger.replay(database)).toBe(1)
    expect(await chatsLeft()).not.toContain('restored')
  })

  test('entries of an earlier release are understood', async () => {
    const { database } = opened
    await openLedger()
    for (const id of ['of-earlier-release', 'kept-since']) await storeChat(id, 'c_kept', NOON - 1)
    // The hash of `of-earlier-release` with this key.
    appendFileSync(join(directory, '2026-01-10.log'), `\n${NOON} chat CmFTZcZpATN1WYpxoFdDaHnl2jmYZCtCJA-lq5CiYpo\n`)
    expect(await (await openLedger()).replay(database)).toBe(1)
    expect(await chatsLeft()).not.toContain('of-earlier-release')
    expect(await chatsLeft()).toContain('kept-since')
  })

  test('a database is searched again for what another process may still have been deleting', async () => {
    const { database } = opened
    const recordBoth = async (apartMs: number) => {
      rmSync(directory, { recursive: true })
      await (await openLedger(NOON)).record('chat', ['of-another-process'])
      const own = await openLedger(NOON + apartMs)
      await own.record('chat', ['own'])
      await own.markApplied(database)
      return own
    }
    await storeChat('of-another-process', 'c_kept', NOON - 1)
    expect(await (await recordBoth(60_000)).replay(database)).toBe(0)
    expect(await (await recordBoth(59_999)).replay(database)).toBe(1)
  })

  test('a pending file is deleted once the ledger has it, and again in an older database', async () => {
    const { database } = opened
    const file = { id: 'file_1', name: 'a.txt', mediaType: 'text/plain' as const, bytes: 1, text: 'a', content: Buffer.from('a') }
    const pending = { ...file, owner: 'v_filing', now: NOON - 1, newVisitor: { id: 'v_filing', keyHash: 'filing' } }
    const room = { maxPending: 2, maxOwnBytes: 2 }
    await insertPendingFile(database, pending, room)
    const ledger = await openLedger()
    const deleteFile = (owner: string) =>
      ledger.deleteRecorded(database, 'file', 'file_1', (transaction) => deletePendingFile(transaction, owner, 'file_1'))
    expect(await deleteFile('v_other')).toBe(false)
    expect(dayFiles()).toEqual([])
    expect(await deleteFile('v_filing')).toBe(true)
    await insertPendingFile(database, { ...pending, newVisitor: null }, room)
    expect(await ledger.replay(database)).toBe(1)
    expect(await deleteFile('v_filing')).toBe(false)
  })

  test('a revoked device stays revoked in an older database, and others stay signed in', async () => {
    const { database } = opened
    await insertVisitor(database, { id: 'v_devices', keyHash: 'kept device' }, NOON - 1)
    const restore = () => insertVisitorKey(database, { visitorId: 'v_devices', keyHash: 'revoked device', expiresAt: null }, NOON - 1)
    await restore()
    const ledger = await openLedger()
    const revoke = () => ledger.deleteAllRecorded(database, 'device', (transaction) => deleteVisitorKey(transaction, 'revoked device'))
    expect([await revoke(), await revoke()]).toEqual([1, 0])
    await restore()
    expect(await (await openLedger()).replay(database)).toBe(1)
    expect(await findVisitorKey(database, 'revoked device', NOON)).toBeUndefined()
    expect(await findVisitorKey(database, 'kept device', NOON)).toBeDefined()
  })

  test('tells a database that was used with another ledger', async () => {
    expect(await (await openLedger()).belongsTo(opened.database)).toBe(true)
    expect(await (await openLedger()).belongsTo(opened.database)).toBe(true)
    rmSync(directory, { recursive: true })
    const other = await openLedger()
    expect(await other.belongsTo(opened.database)).toBe(false)
    await other.adopt(opened.database)
    expect(await other.belongsTo(opened.database)).toBe(true)
  })
})
