import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { NOT_DELETABLE } from '../../contract/receipt-labels.ts'
import { type Access, unrestricted } from '../store/visitors/access.ts'
import { recordAcceptedPrompt } from '../store/visitors/accepted-notices.ts'
import type { Database } from '../store/engine/database.ts'
import { countEverything } from '../store/sessions/erasure.ts'
import { giveFeedback } from '../store/turns/feedback.ts'
import { insertPendingFile } from '../store/sessions/files.ts'
import { insertReport } from '../store/staff/reports.ts'
import { findSession, listSessions } from '../store/sessions/sessions.ts'
import { forgetDeletions, shareDeletion } from '../store/sessions/shared-deletions.ts'
import { TABLE_OWNERSHIP, totalOf } from '../store/engine/table-ownership.ts'
import { insertTransfer } from '../store/visitors/transfers.ts'
import { endTurn } from '../store/turns/turn-ends.ts'
import { findVisitorKey, insertVisitor } from '../store/visitors/visitors.ts'
import { Eraser, type EraserOptions } from './eraser.ts'
import { ErasureLedger } from './erasure-ledger.ts'
import { createReceiptSigner } from './receipts.ts'
import { DATABASES } from '../../../test/support/databases.ts'
import { accessOf, storeChat, storeMore } from '../../../test/support/stored-chats.ts'
import { openTestDatabase } from '../../../test/support/test-database.ts'
import { reportOptions } from '../../../test/support/report-options.ts'

const NOW = Date.UTC(2026, 10, 21)
const KINDS = Object.values(TABLE_OWNERSHIP).flatMap((ownership) => (ownership ? [ownership.kind] : []))

describe.each(DATABASES)('deleting on %s', (kind) => {
  let database: Database
  let remove: () => Promise<void>
  let directory: string
  let ledger: ErasureLedger
  beforeAll(async () => {
    ;({ database, remove } = await openTestDatabase(kind))
  })
  afterAll(() => remove())
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'parley-eraser-'))
    ledger = await ErasureLedger.open({ directory, installationKey: 'a key', days: 7, now: () => NOW })
    return async () => {
      await unrestricted(database).deleteFrom('sessions').execute()
      await database.deleteFrom('visitors').execute()
      await database.deleteFrom('installation_facts').execute()
      rmSync(directory, { recursive: true })
    }
  })

  const eraser = (options: Partial<EraserOptions> = {}) =>
    new Eraser({
      database,
      storage: kind,
      installation: 'Test',
      modelProvider: null,
      checkedBy: null,
      receipts: createReceiptSigner(['a key']),
      ledger,
      stopTurn: async () => expect.fail('No turn is running'),
      now: () => NOW,
      ...options,
    })

  /** A visitor with rows of nearly every kind, in one chat and more. */
  async function storeVisitor(owner: string): Promise<void> {
    const [chat, access] = [`${owner}-chat`, accessOf(owner, NOW)]
    await database.transaction().execute((transaction) => insertVisitor(transaction, { id: owner, keyHash: `key of ${owner}` }, NOW))
    await insertTransfer(database, { codeHash: `code of ${owner}`, visitorId: owner, expiresAt: NOW + 1 })
    await storeChat(database, { id: chat, owner, at: NOW })
    await recordAcceptedPrompt(database, { owner, session: chat, position: 1, version: 'v1', arrivedAt: NOW, now: NOW })
    await giveFeedback(database, { id: chat, access }, `${chat}-answer`, { thumb: 'up' })
    await insertReport(database, { id: chat, access }, { message: `${chat}-answer`, scope: 'answer', messages: [] }, reportOptions(1000))
    const file = { owner, name: 'a.txt', mediaType: 'text/plain' as const, bytes: 1, text: 'a', content: Buffer.from('a'), now: NOW }
    const room = { maxPending: 2, maxOwnBytes: 9 }
    for (const id of [`sent file of ${owner}`, `unsent file of ${owner}`])
      expect(await insertPendingFile(database, { ...file, id, newVisitor: null }, room)).toBe(true)
    await storeChat(database, { id: `${owner}-second`, owner, at: NOW, files: [`sent file of ${owner}`] })
    await storeChat(database, { id: `${owner}-temporary`, owner, at: NOW, temporary: true })
  }

  async function storeEmptyChats(owner: string, count: number): Promise<void> {
    const chat = { owner, agent: 'assistant', title: '', open_by_id: 0, temporary: 0, created_at: NOW, updated_at: NOW }
    const chats = Array.from({ length: count }, (_, index) => ({ ...chat, id: `${owner}-empty-${index}` }))
    await unrestricted(database).insertInto('sessions').values(chats).execute()
  }

  const leftOf = async (owner: string) => totalOf(await countEverything(database, owner))

  test('everything deletes all rows of the visitor, names every kind in the receipt, and leaves other visitors alone', async () => {
    await storeVisitor('v_leaving')
    await storeVisitor('v_staying')
    await storeEmptyChats('v_leaving', 25)
    const [before, others] = [await countEverything(database, 'v_leaving'), await leftOf('v_staying')]
    expect(before).toMatchObject({ visitor: 1, devices: 1, chats: 28, messages: 6, files: 1, 'unsent files': 1, reports: 1 })
    const { receipt, jws } = await eraser().everything(accessOf('v_leaving', NOW))
    expect(receipt.deleted).toEqual(before)
    expect(Object.keys(receipt.deleted).toSorted()).toEqual(KINDS.toSorted())
    expect(receipt).toMatchObject({ version: 1, installation: 'Test', scope: 'everything', subject: 'v_leaving', stoppedAnswers: 0 })
    expect(receipt).toMatchObject({ issuedAt: new Date(NOW).toISOString(), readBack: { remaining: 0, at: new Date(NOW).toISOString() } })
    expect(JSON.parse(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString())).toEqual(receipt)
    expect([await leftOf('v_leaving'), await leftOf('v_staying')]).toEqual([0, others])
    expect(await findVisitorKey(database, 'key of v_staying', NOW)).toBeDefined()
  })

  test('a repetition within a minute has the same receipt, unless there was more to delete', async () => {
    await storeVisitor('v_twice')
    const at = async (now: number) => (await eraser({ now: () => now }).sessions(accessOf('v_twice', now))).receipt
    const first = await at(NOW)
    expect([first.deleted['chats'], await at(NOW + 59_000)]).toEqual([3, first])
    await storeChat(database, { id: 'v_twice-new', owner: 'v_twice', at: NOW })
    expect((await at(NOW + 59_000)).deleted['chats']).toBe(1)
    expect(totalOf((await at(NOW + 120_000)).deleted)).toBe(0)
    await forgetDeletions(database, NOW + 181_000)
    expect(await database.selectFrom('installation_facts').select('name').where('name', 'like', 'deletion%').execute()).toEqual([])
  })

  test('a deletion whose process died is done by the next caller after a minute', async () => {
    await storeVisitor('v_left')
    const options = { what: 'sessions v_left', delete: () => new Promise<never>(() => undefined) }
    shareDeletion(database, { ...options, now: () => NOW }).catch(expect.fail)
    await expect
      .poll(() => database.selectFrom('installation_facts').select('name').where('name', 'like', 'deletion%').execute())
      .toHaveLength(1)
    let now = NOW
    const deletion = eraser({ now: () => now }).sessions(accessOf('v_left', NOW))
    now += 60_001
    expect((await deletion).receipt.deleted['chats']).toBe(3)
  })

  test('deleting all chats keeps the visitor, and deletes the temporary ones too', async () => {
    await storeVisitor('v_tidy')
    const { receipt } = await eraser().sessions(accessOf('v_tidy', NOW))
    expect(receipt).toMatchObject({ scope: 'sessions', subject: 'v_tidy', deleted: { chats: 3, messages: 6, answers: 3, ratings: 1 } })
    expect(await countEverything(database, 'v_tidy')).toMatchObject({ visitor: 1, devices: 1, 'unsent files': 1, chats: 0 })
  })

  test('one chat is deleted with all its versions, and no other', async () => {
    const chat = { id: 'one', owner: 'c_one', at: NOW }
    await storeChat(database, chat)
    await storeMore(database, chat, 'edited', 'one-prompt')
    await storeChat(database, { ...chat, id: 'other' })
    const { receipt } = (await eraser().session(accessOf('c_one', NOW), 'one'))!
    expect(receipt).toMatchObject({ scope: 'session', subject: 'one', deleted: { chats: 1, messages: 4, answers: 2 } })
    expect((await listSessions(database, accessOf('c_one', NOW))).map(({ key }) => key)).toEqual(['other'])
    expect(await eraser().session(accessOf('c_one', NOW), 'one')).toBeUndefined()
  })

  test('a chat of somebody else is not there to delete', async () => {
    await storeChat(database, { id: 'theirs', owner: 'c_them', at: NOW })
    expect(await eraser().session(accessOf('c_me', NOW), 'theirs')).toBeUndefined()
    expect(await eraser().session(accessOf(null, NOW), 'theirs')).toBeUndefined()
    await eraser().everything(accessOf('c_me', NOW))
    const { receipt } = await eraser().everything(accessOf(null, NOW))
    expect([totalOf(receipt.deleted), receipt.subject]).toEqual([0, null])
    expect(await findSession(database, accessOf('c_them', NOW), 'theirs')).toBeDefined()
  })

  test('running answers are stopped while their chat is still there, and counted', async () => {
    for (const id of ['running-1', 'running-2']) await storeChat(database, { id, owner: 'c_running', at: NOW, answer: null })
    await storeChat(database, { id: 'ended', owner: 'c_running', at: NOW })
    const stopped: string[] = []
    const stopTurn = async (access: Access, turnId: string) => {
      expect(await findSession(database, access, turnId.replace('-turn', ''))).toBeDefined()
      const answer = { id: `${turnId}-answer`, role: 'assistant' as const, parts: [], metadata: { turnId } }
      await endTurn(database, turnId, { status: 'stopped', code: null, state: 'stopped', usage: null, answer }, NOW)
      stopped.push(turnId)
    }
    await storeChat(database, { id: 'alone', owner: 'c_running', at: NOW, answer: null })
    expect((await eraser({ stopTurn }).session(accessOf('c_running', NOW), 'alone'))?.receipt.stoppedAnswers).toBe(1)
    expect(stopped.splice(0)).toEqual(['alone-turn'])
    const { receipt } = await eraser({ stopTurn }).everything(accessOf('c_running', NOW))
    expect(stopped.toSorted()).toEqual(['running-1-turn', 'running-2-turn'])
    expect(receipt).toMatchObject({ stoppedAnswers: 2, deleted: { chats: 3, messages: 6 } })
  })

  test('a database from before the deletion does not bring anything back', async () => {
    const restore = async () => {
      await insertVisitor(database, { id: 'v_gone', keyHash: 'gone' }, NOW)
      await storeChat(database, { id: 'gone', owner: 'v_gone', at: NOW })
      await storeChat(database, { id: 'gone-alone', owner: 'c_alone', at: NOW })
      // Stored after the copy was made, so that the deletion did not name it.
      await storeChat(database, { id: 'unnamed', owner: 'v_gone', at: NOW })
    }
    await insertVisitor(database, { id: 'v_gone', keyHash: 'gone' }, NOW)
    await storeChat(database, { id: 'gone', owner: 'v_gone', at: NOW })
    await storeChat(database, { id: 'gone-alone', owner: 'c_alone', at: NOW })
    await eraser().everything(accessOf('v_gone', NOW))
    await eraser().session(accessOf('c_alone', NOW), 'gone-alone')
    await database.deleteFrom('installation_facts').execute()
    await restore()
    await storeChat(database, { id: 'of-another', owner: 'c_another', at: NOW })
    expect(await ledger.replay(database)).toBe(4)
    expect([await leftOf('v_gone'), await leftOf('c_alone')]).toEqual([0, 0])
    expect(await findSession(database, accessOf('c_another', NOW), 'of-another')).toBeDefined()
  })

  test('a database that has seen the deletion is not searched for it again', async () => {
    await storeChat(database, { id: 'known', owner: 'c_known', at: NOW })
    await eraser().session(accessOf('c_known', NOW), 'known')
    await storeChat(database, { id: 'known', owner: 'c_known', at: NOW })
    expect(await ledger.replay(database)).toBe(0)
  })

  test('the receipt says what this server can’t delete', async () => {
    const beyond = async (options: Partial<EraserOptions>) => (await eraser(options).sessions(accessOf('c_any', NOW))).receipt
    expect(await beyond({ storage: 'sqlite' })).toMatchObject({ outOfReach: [NOT_DELETABLE.backups] })
    const all = await beyond({ storage: 'postgres', modelProvider: 'model.example.org', checkedBy: 'checks.example.org' })
    expect(all.outOfReach).toEqual([
      NOT_DELETABLE.backups,
      NOT_DELETABLE.database,
      { what: 'model.example.org', ...NOT_DELETABLE.model },
      { what: 'checks.example.org', ...NOT_DELETABLE.checks },
    ])
    expect(all.files).toBe('left-to-the-database')
    expect((await beyond({})).files).toBe(kind === 'sqlite' ? 'overwritten' : 'left-to-the-database')
  })
})
