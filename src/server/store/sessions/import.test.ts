import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BOTH_DATABASES } from '../../../../test/support/databases.ts'
import { accessOf } from '../../../../test/support/stored-chats.ts'
import { openTestDatabase } from '../../../../test/support/test-database.ts'
import { textOf } from '../../../contract/chat/message-text.ts'
import type { Database } from '../engine/database.ts'
import { findExportedSession, messagesInOrder, messagesOfBranch, ownedSessions } from './export.ts'
import { type ImportedContent, type ImportedSession, insertImportedChat } from './import.ts'
import { listMessagePage } from './sessions.ts'
import { insertVisitor } from '../visitors/visitors.ts'

const NOW = 1_000
const LARGE = 30 * 1024 * 1024

describe.each(BOTH_DATABASES)('imported and exported chats on %s', (kind) => {
  let database: Database
  let remove: () => Promise<void>
  beforeAll(async () => {
    ;({ database, remove } = await openTestDatabase(kind))
    for (const id of ['v', 'many', 'full']) await insertVisitor(database, { id, keyHash: `key of ${id}` }, 1)
  })
  afterAll(() => remove())

  let ids = 0
  const message = (text: string, change: Partial<ImportedContent['messages'][number]> = {}) => ({
    role: 'user' as const,
    parts: JSON.stringify([{ type: 'text', text }]),
    metadata: '{}',
    createdAt: NOW,
    ...change,
  })
  const insert = (
    id: string,
    messages: ImportedContent['messages'],
    { lastShown = messages.length, contentHash = id, ...change }: Partial<ImportedSession & ImportedContent> = {},
  ) => {
    const session = { id, owner: 'v', agent: 'assistant', title: id, createdAt: 10, updatedAt: 20, importedAt: NOW, ...change }
    return insertImportedChat(database, session, { contentHash, messages, lastShown }, () => `m${(ids += 1)}`)
  }
  const textsOf = async (pages: ReturnType<typeof messagesInOrder>) =>
    (await Array.fromAsync(pages)).map(({ message: { parts }, parent }) => [textOf({ parts }), parent])

  test('have their messages in order, each after the one that it follows', async () => {
    const messages = [message('a'), message('b', { role: 'assistant' }), message('c', { follows: 2 }), message('d', { follows: 2 })]
    expect(await insert('chat', messages, { lastShown: 3 })).toBe('imported')
    expect(await findExportedSession(database, accessOf('v', NOW), 'chat')).toEqual({
      id: 'chat',
      title: 'chat',
      agent: 'assistant',
      leaf: 3,
      created_at: 10,
      updated_at: 20,
    })
    expect(await textsOf(messagesInOrder(database, 'chat'))).toEqual([
      ['a', 0],
      ['b', 1],
      ['c', 2],
      ['d', 2],
    ])
    expect((await textsOf(messagesOfBranch(database, 'chat'))).map(([text]) => text)).toEqual(['a', 'b', 'c'])
  })

  test('are read in pages, which say whether there is more before them', async () => {
    await insert(
      'long',
      Array.from({ length: 41 }, (_, index) => message(`${index + 1}`)),
    )
    expect((await textsOf(messagesInOrder(database, 'long'))).map(([text]) => Number(text))).toEqual(
      Array.from({ length: 41 }, (_, index) => index + 1),
    )
    expect((await textsOf(messagesOfBranch(database, 'long'))).map(([text]) => Number(text)).at(-1)).toBe(41)
    const page = async (id: string, limit: number) => {
      const { messages, earlier } = await listMessagePage(database, id, { limit })
      return [messages.length, earlier]
    }
    expect([await page('long', 2), await page('long', 41), await page('unknown', 2)]).toEqual([
      [2, 40],
      [41, null],
      [0, null],
    ])
  })

  test('with the same content are imported once for each visitor', async () => {
    expect(await insert('again', [message('a')], { contentHash: 'chat' })).toBe('known')
    expect(await insert('other', [message('a')], { contentHash: 'chat', owner: 'many' })).toBe('imported')
    expect(await findExportedSession(database, accessOf('v', NOW), 'again')).toBeUndefined()
  })

  test('of one visitor take 50 MB at most', async () => {
    const large = [message('x'.repeat(LARGE))]
    expect(await insert('large', large, { owner: 'full' })).toBe('imported')
    expect(await insert('too much', large, { owner: 'full' })).toBe('no-room')
    expect(await insert('small', [message('a')], { owner: 'full' })).toBe('imported')
    expect((await Array.fromAsync(ownedSessions(database, accessOf('full', NOW)))).map(({ id }) => id)).toEqual(['large', 'small'])
  })

  test('are exported oldest first, however many began at once', async () => {
    const many = Array.from({ length: 205 }, (_, index) => `chat ${String(index).padStart(3, '0')}`)
    for (const id of many.toReversed()) await insert(id, [message('a')], { owner: 'many', createdAt: id < 'chat 003' ? 12 : 11 })
    const sessions = await Array.fromAsync(ownedSessions(database, accessOf('many', NOW)))
    expect(sessions.map(({ id }) => id)).toEqual(['other', ...many.slice(3), ...many.slice(0, 3)])
  })
})
