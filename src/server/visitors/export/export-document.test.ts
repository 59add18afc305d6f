import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ExportDocument } from '../../../contract/chat/export.ts'
import { chooseBranch } from '../../store/sessions/branches.ts'
import type { Database } from '../../store/engine/database.ts'
import { ownedSessions } from '../../store/sessions/export.ts'
import { giveFeedback } from '../../store/turns/feedback.ts'
import { insertPendingFile } from '../../store/sessions/files.ts'
import { exportArchive } from './export-archive.ts'
import { exportDocument, exportedMessage } from './export-document.ts'
import { DATABASES } from '../../../../test/support/databases.ts'
import { accessOf, storeChat, storeMore } from '../../../../test/support/stored-chats.ts'
import { openTestDatabase } from '../../../../test/support/test-database.ts'
import { readZip } from '../../../../test/support/zip.ts'

const HOUR_MS = 60 * 60 * 1000
const NOW = Date.UTC(2026, 10, 21, 12)

/** The key of a chat, in the form that an export has. */
const keyOf = (name: string) => name.padEnd(21, '0')

describe.each(DATABASES)('copies of chats on %s', (kind) => {
  let database: Database
  let remove: () => Promise<void>
  beforeAll(async () => {
    ;({ database, remove } = await openTestDatabase(kind))
  })
  afterAll(() => remove())

  async function documentOf(owner: string): Promise<ExportDocument> {
    const pieces = exportDocument(database, 'Test', NOW, ownedSessions(database, accessOf(owner, NOW)))
    return JSON.parse((await Array.fromAsync(pieces)).join('')) as ExportDocument
  }

  test('an export contains each chat of the caller with all versions, oldest first, and nothing of others', async () => {
    const chat = { id: keyOf('versions'), owner: 'c_export', at: NOW - HOUR_MS, title: 'Two versions', prompt: 'one', answer: 'first' }
    await storeChat(database, { ...chat, metadata: { model: 'A model', status: 'done', state: 'answered' } })
    await storeMore(database, { ...chat, at: NOW, prompt: 'one, edited', answer: 'second' }, 'edited', `${keyOf('versions')}-prompt`)
    await giveFeedback(database, { id: chat.id, access: accessOf(chat.owner, NOW) }, `${keyOf('versions')}-answer`, {
      thumb: 'down',
      reason: 'no',
    })
    // An answer that its export must not call running.
    await storeChat(database, { id: keyOf('older'), owner: 'c_export', at: NOW - 2 * HOUR_MS, metadata: { status: 'running' } })
    await storeChat(database, { id: keyOf('temporary'), owner: 'c_export', at: NOW, temporary: true })
    await storeChat(database, { id: keyOf('theirs'), owner: 'c_other', at: NOW })
    const document = await documentOf('c_export')
    expect(document).toMatchObject({ format: 'parley-export', version: 1, installation: 'Test', exportedAt: new Date(NOW).toISOString() })
    expect(document.chats.map(({ key, title }) => [key, title])).toEqual([
      [keyOf('older'), keyOf('older')],
      [keyOf('versions'), 'Two versions'],
    ])
    const { messages, lastShown, agent, createdAt, updatedAt } = document.chats[1]!
    expect([agent, createdAt, updatedAt]).toEqual(['assistant', new Date(NOW - HOUR_MS).toISOString(), new Date(NOW).toISOString()])
    expect(messages.map(({ role, follows, parts }) => [role, follows, parts])).toEqual([
      ['user', undefined, [{ type: 'text', text: 'one' }]],
      ['assistant', undefined, [{ type: 'text', text: 'first' }]],
      ['user', 0, [{ type: 'text', text: 'one, edited' }]],
      ['assistant', undefined, [{ type: 'text', text: 'second' }]],
    ])
    expect(messages[1]).toMatchObject({ aiGenerated: true, model: 'A model', status: 'done', state: 'answered' })
    expect(messages.map(({ feedback }) => feedback)).toEqual([undefined, { thumb: 'down', reason: 'no' }, undefined, undefined])
    expect(messages[0]).toEqual({ role: 'user', createdAt, parts: [{ type: 'text', text: 'one' }] })
    expect(lastShown).toBeUndefined()
  })

  test('a chat keeps its versions, and which of them is shown', async () => {
    const chat = { id: keyOf('shown'), owner: 'c_shown', at: NOW, prompt: 'one', answer: 'first' }
    await storeChat(database, chat)
    await storeMore(database, { ...chat, prompt: 'two', answer: 'of two' }, 'more')
    await storeMore(database, { ...chat, prompt: 'two, edited', answer: 'of two, edited' }, 'changed', 'more-prompt')
    await chooseBranch(database, { id: keyOf('shown'), access: accessOf('c_shown', NOW) }, 'more-prompt')
    const document = await documentOf('c_shown')
    expect(document.chats[0]).toMatchObject({ lastShown: 4 })
  })

  test('chats and messages that were deleted while an export was written are left out', async () => {
    await storeChat(database, { id: keyOf('stillthere'), owner: 'c_meanwhile', at: NOW })
    const session = (name: string) => ({ id: keyOf(name), title: name, agent: 'assistant', leaf: 99, created_at: NOW, updated_at: NOW })
    async function* listed() {
      for (const id of ['deleted1', 'stillthere', 'deleted2']) yield session(id)
    }
    const text = (await Array.fromAsync(exportDocument(database, 'Test', NOW, listed()))).join('')
    expect((JSON.parse(text) as ExportDocument).chats.map(({ key }) => key)).toEqual([keyOf('stillthere')])
    const none = (await Array.fromAsync(exportDocument(database, 'Test', NOW, ownedSessions(database, accessOf('c_none', NOW))))).join('')
    expect((JSON.parse(none) as ExportDocument).chats).toEqual([])
  })

  test('the archive has the document, each chat as Markdown, and each file', async () => {
    const file = { id: 'f_1', name: 'a/b:c.txt', mediaType: 'text/plain' as const, bytes: 4, text: 'text', content: Buffer.from('text') }
    const pending = { ...file, owner: 'c_archive', now: NOW, newVisitor: null }
    await insertPendingFile(database, pending, { maxPending: 1, maxOwnBytes: 9 })
    const chat = {
      id: keyOf('archived'),
      owner: 'c_archive',
      at: NOW - HOUR_MS,
      title: '../What: is *this*?',
      prompt: 'Look',
      files: ['f_1'],
    }
    await storeChat(database, chat)
    await storeChat(database, { id: keyOf('untitled'), owner: 'c_archive', at: NOW, title: '…' })
    await storeChat(database, { id: keyOf('notarchived'), owner: 'c_archive', at: NOW, temporary: true })
    const zip = await readZip(await buffer(await exportArchive(database, accessOf('c_archive', NOW), 'Test')))
    expect([...zip.keys()].toSorted()).toEqual([
      'chats/0001 2026-11-21 What is this.md',
      'chats/0002 2026-11-21 Chat.md',
      'files/f_1 a_b_c.txt',
      'parley.json',
    ])
    expect(zip.get('files/f_1 a_b_c.txt')).toBe('text')
    expect(JSON.parse(zip.get('parley.json') ?? '')).toEqual(await documentOf('c_archive'))
    expect(zip.get('chats/0001 2026-11-21 What is this.md')).toMatch(
      /^# \.\.\/What: is \*this\*\?\n[^]*## You[^]*Look[^]*## Assistant[^]*hello/,
    )
  })

  test('corrections by staff are part of an export', () => {
    const corrections = [{ text: 'It is 42.', at: '2026-11-21T12:00:00.000Z' }]
    const answer = { id: 'a', role: 'assistant' as const, parts: [] }
    expect(exportedMessage({ ...answer, metadata: { corrections } })).toMatchObject({ corrections })
    expect(exportedMessage({ ...answer, metadata: {} })).not.toHaveProperty('corrections')
  })
})
