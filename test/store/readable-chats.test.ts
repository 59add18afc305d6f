import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { settleAcceptances } from '../../src/server/app/staff-reading.ts'
import { deleteAcceptedNotices, recordAcceptedPrompt, withdrawAcceptedNotices } from '../../src/server/store/visitors/accepted-notices.ts'
import { unrestricted } from '../../src/server/store/visitors/access.ts'
import { listReadableChats, readChat } from '../../src/server/store/sessions/readable-chats.ts'
import { insertVisitor } from '../../src/server/store/visitors/visitors.ts'
import { ErasureLedger } from '../../src/server/visitors/erasure-ledger.ts'
import { sweep } from '../../src/server/visitors/purge.ts'
import { BOTH_DATABASES } from '../support/databases.ts'
import { openTestDatabase } from '../support/test-database.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const RETENTION_MS = 30 * DAY_MS
const NOW = Date.UTC(2026, 10, 25)
const OWNER = 'v_owner'
const SESSION = 'A'.repeat(21)
const log = async () => undefined

interface Options {
  temporary?: number
  keyExpiresAt?: number
}

describe.each(BOTH_DATABASES)('chats that staff can read on %s', (kind) => {
  async function open({ temporary = 0, keyExpiresAt }: Options = {}) {
    const { database, remove } = await openTestDatabase(kind)
    onTestFinished(remove)
    await insertVisitor(database, { id: OWNER, keyHash: 'key', ...(keyExpiresAt !== undefined && { keyExpiresAt }) }, NOW)
    const times = { created_at: NOW, updated_at: NOW }
    await unrestricted(database)
      .insertInto('sessions')
      .values({ id: SESSION, owner: OWNER, agent: 'a', title: 'Chat', open_by_id: 0, temporary, leaf: 2, ...times })
      .execute()
    const turn = { session_id: SESSION, prompt_id: 'm_1', status: 'done', code: null, instance: 'i', reservations: null } as const
    await database
      .insertInto('turns')
      .values({ id: 't_1', ...turn, state: 'answered', started_at: NOW, ended_at: NOW })
      .execute()
    const message = { session_id: SESSION, metadata: '{}', created_at: NOW }
    const parts = JSON.stringify([{ type: 'text', text: 'cAnary' }])
    await database
      .insertInto('messages')
      .values([
        { ...message, id: 'm_1', position: 1, parent: 0, role: 'user', turn_id: null, parts },
        { ...message, id: 'm_2', position: 2, parent: 1, role: 'assistant', turn_id: 't_1', parts },
      ])
      .execute()
    const accept = (arrivedAt = NOW, owner = OWNER, now = NOW) =>
      database
        .transaction()
        .execute((transaction) =>
          recordAcceptedPrompt(transaction, { owner, session: SESSION, position: 1, version: 'v1', arrivedAt, now }),
        )
    const list = async (now = NOW) => (await listReadableChats(database, { now, retentionMs: RETENTION_MS }, undefined))?.chats ?? []
    const read = (id: string, now = NOW) => readChat(database, { now, retentionMs: RETENTION_MS }, { id, role: 'owner', log })
    const withdraw = (now: number) => database.transaction().execute((transaction) => withdrawAcceptedNotices(transaction, OWNER, now))
    return { database, accept, list, read, withdraw }
  }

  test('are those of their retention, whether or not they were deleted yet', async () => {
    const { accept, list, read } = await open()
    await accept()
    const [chat] = await list(NOW + RETENTION_MS)
    expect(chat).toMatchObject({ messages: 2, states: ['answered'] })
    expect(await read(chat!.id, NOW + RETENTION_MS)).toBeDefined()
    expect(await list(NOW + RETENTION_MS + 1)).toEqual([])
    expect(await read(chat!.id, NOW + RETENTION_MS + 1)).toBeUndefined()
  })

  test('are no temporary ones, even if an acceptance is recorded', async () => {
    const { accept, list } = await open({ temporary: 1 })
    await accept()
    expect(await list()).toEqual([])
  })

  test('are closed on a shared computer from the end of its key on, and deleted with it', async () => {
    const { database, accept, list, read } = await open({ keyExpiresAt: NOW + 100 })
    await accept()
    const [chat] = await list(NOW + 99)
    expect(await list(NOW + 100)).toEqual([])
    expect(await read(chat!.id, NOW + 100)).toBeUndefined()
    await sweep(database, NOW + 100)
    expect(await database.selectFrom('accepted_notices').selectAll().execute()).toEqual([])
  })

  test('are closed when nobody has a key to them any more', async () => {
    const { database, accept, list } = await open()
    await accept()
    await database.deleteFrom('visitor_keys').execute()
    expect(await list()).toEqual([])
  })

  test('are opened by no prompt that arrived before the withdrawal and was stored after it', async () => {
    const { accept, list, withdraw } = await open()
    expect(await withdraw(NOW + 5)).toEqual([])
    await accept(NOW + 5)
    expect(await list()).toEqual([])
    await accept(NOW + 6)
    expect(await list()).toHaveLength(1)
  })

  test('are none of an owner without a visitor', async () => {
    const { database, accept, list } = await open()
    await unrestricted(database).updateTable('sessions').set({ owner: 'client' }).execute()
    await accept(NOW, 'client')
    expect(await database.selectFrom('accepted_notices').selectAll().execute()).toEqual([])
    expect(await list()).toEqual([])
  })

  test('need the acceptance of the visitor who has the chat', async () => {
    const { database, accept, list } = await open()
    await accept()
    await insertVisitor(database, { id: 'v_other', keyHash: 'other' }, NOW)
    await unrestricted(database).updateTable('sessions').set({ owner: 'v_other' }).execute()
    expect(await list()).toEqual([])
  })

  test('are closed again when a restored backup brings a withdrawn acceptance back', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'reading-ledger-'))
    onTestFinished(() => rmSync(directory, { recursive: true }))
    const { database, accept, list } = await open()
    await accept()
    const ledger = await ErasureLedger.open({ directory, installationKey: 'key', days: 30, now: () => NOW + 1 })
    const acceptances = await database.selectFrom('accepted_notices').selectAll().execute()
    const prompts = await database.selectFrom('readable_prompts').selectAll().execute()
    const restore = async () => {
      await database.insertInto('accepted_notices').values(acceptances).execute()
      await database.insertInto('readable_prompts').values(prompts).execute()
      expect(await list()).toHaveLength(1)
    }
    await ledger.deleteAllRecorded(database, 'consent', (transaction) => withdrawAcceptedNotices(transaction, OWNER, NOW + 1))
    await restore()
    expect(await ledger.replay(database)).toBe(1)
    expect(await list()).toEqual([])
    expect(await database.selectFrom('readable_prompts').selectAll().execute()).toEqual([])
  })

  test('are all closed, some at a time, where staff can no longer read', async () => {
    const { database, accept, list } = await open()
    await accept()
    const close = () => database.transaction().execute((transaction) => deleteAcceptedNotices(transaction, 10))
    expect(await close()).toHaveLength(1)
    expect(await close()).toEqual([])
    expect(await list()).toEqual([])
  })

  test('that were open before staff could not read stay closed, though the process ended before it had deleted all', async () => {
    const { accept, list, settle } = await withLedger()
    await accept()
    await settle({ staffReading: false }, NOW + 1)
    expect(await list()).toHaveLength(1)
    await settle({ staffReading: true }, NOW + 2)
    expect(await list()).toEqual([])
    await accept(NOW + 3, OWNER, NOW + 3)
    await settle({ staffReading: true }, NOW + 4)
    expect(await list(NOW + 4)).toHaveLength(1)
  })

  async function withLedger() {
    const directory = mkdtempSync(join(tmpdir(), 'parley-reading-'))
    onTestFinished(() => rmSync(directory, { recursive: true }))
    const opened = await open()
    const ledger = await ErasureLedger.open({ directory, installationKey: 'key', days: 30, now: () => NOW })
    const settle = (settings: { staffReading: boolean }, now: number) =>
      settleAcceptances(settings, { ledger, database: opened.database, now: () => now })
    return { ...opened, settle }
  }
})
