import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Access, unrestricted } from '../visitors/access.ts'
import type { Database } from '../engine/database.ts'
import { openDatabase } from '../engine/open-database.ts'
import { attachFiles, deletePendingFile, findAttachableFiles, findFile, insertPendingFile } from './files.ts'
import { insertVisitor } from '../visitors/visitors.ts'

const directory = mkdtempSync(join(tmpdir(), 'parley-files-'))
let database: Database
beforeAll(async () => {
  database = await openDatabase({ kind: 'sqlite', directory }, () => undefined)
})
afterAll(async () => {
  await database.destroy()
  rmSync(directory, { recursive: true })
})

const ROOM = { maxPending: 2, maxOwnBytes: 25 }
const accessOf = (owner: string): Access => ({ owner, credential: true, now: 2, retentionMs: 10 })
const senderOf = (owner: string) => ({ owner, access: accessOf(owner) })

/** A file of 10 bytes. */
function put(id: string, owner: string): Promise<boolean> {
  const content = Buffer.from('ten bytes.')
  const file = { id, owner, name: id, mediaType: 'text/plain' as const, bytes: content.length, text: 'ten bytes.', content }
  return insertPendingFile(database, { ...file, now: 1, newVisitor: null }, ROOM)
}

let made = 0
let own = ''
let other = ''
/** Two visitors, each with a session named after them. */
beforeEach(async () => {
  made += 1
  own = `v_own_${made}`
  other = `v_other_${made}`
  for (const id of [own, other]) {
    await insertVisitor(database, { id, keyHash: `key of ${id}` }, 0)
    const session = { agent: 'assistant', title: '', open_by_id: 0, temporary: 0, created_at: 1, updated_at: 1 }
    await unrestricted(database)
      .insertInto('sessions')
      .values({ ...session, id: `s_${id}`, owner: id })
      .execute()
  }
})

test('limits pending files per owner, and bytes including those in chats', async () => {
  expect([await put(`a${made}`, other), await put(`b${made}`, other), await put(`c${made}`, other)]).toEqual([true, true, false])
  expect([await put(`d${made}`, own), await put(`e${made}`, own)]).toEqual([true, true])
  expect(await attachFiles(database, own, `s_${own}`, [`d${made}`, `e${made}`])).toBe(true)
  // 20 of 25 bytes are used, and neither of the two pending places.
  expect(await put(`f${made}`, own)).toBe(false)
  expect(await put(`g${made}`, 'v_gone')).toBe(false)
})

test('a pending file belongs to its owner only, and is found among others', async () => {
  const id = `a${made}`
  await put(`another${made}`, own)
  await put(id, own)
  expect(await findFile(database, accessOf(other), id)).toBeUndefined()
  expect(await findFile(database, { ...accessOf(own), owner: null }, id)).toBeUndefined()
  expect(await findAttachableFiles(database, senderOf(other), undefined, [id])).toEqual([])
  expect([await deletePendingFile(database, other, id), await deletePendingFile(database, null, id)]).toEqual([false, false])
  expect(await attachFiles(database, other, `s_${other}`, [id])).toBe(false)
  expect(await findFile(database, accessOf(own), id)).toMatchObject({ id, text: 'ten bytes.' })
  expect(await findAttachableFiles(database, senderOf(own), undefined, [id])).toMatchObject([{ id, isInSession: false }])
  expect(await deletePendingFile(database, own, id)).toBe(true)
})

test('a file of a chat is available to whoever may read the chat, and to an edited prompt in it', async () => {
  const id = `a${made}`
  await put(id, own)
  await attachFiles(database, own, `s_${own}`, [id])
  expect(await findFile(database, accessOf(other), id)).toBeUndefined()
  expect(await findAttachableFiles(database, senderOf(other), `s_${own}`, [id])).toEqual([])
  expect(await findAttachableFiles(database, senderOf(own), undefined, [id])).toEqual([])
  expect(await findAttachableFiles(database, senderOf(own), `s_${own}`, [id])).toMatchObject([{ id, isInSession: true }])
  expect(Buffer.from((await findFile(database, accessOf(own), id))?.content ?? []).toString()).toBe('ten bytes.')
  // An expired chat's file is unavailable.
  expect(await findFile(database, { ...accessOf(own), now: 20 }, id)).toBeUndefined()
})
