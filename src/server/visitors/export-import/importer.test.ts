import { setImmediate as immediate } from 'node:timers/promises'
import type { KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEFAULT_PERSONAL_DATA_RULES } from '../../../personal-data/kinds.ts'
import { type OpenedDatabase, openTestDatabase } from '../../../../test/support/test-database.ts'
import { Importer } from './importer.ts'

test('chats arrive one by one, so that other requests are served while a large document is stored', async () => {
  const at = '2026-11-22T10:00:00.000Z'
  const message = { role: 'user', createdAt: at, parts: [{ type: 'text', text: 'Hello' }] }
  const chats = ['one', 'two', 'three'].map((title) => ({ title, agent: 'a', createdAt: at, updatedAt: at, messages: [message] }))
  const document = { format: 'parley-export', version: 1, exportedAt: at, installation: 'x', chats }
  const importer = new Importer({ database: undefined as never, newSessionId: () => 's', newMessageId: () => 'm', now: () => 0 })
  const read = await importer.read(Buffer.from(JSON.stringify(document)))
  const texts = read?.map((chat) => Buffer.from(chat).toString())
  expect(texts?.map((text) => (JSON.parse(text) as { title: string }).title)).toEqual(['one', 'two', 'three'])
  expect(await importer.read(Buffer.from('{'))).toBeUndefined()
})

describe('the event loop', () => {
  const target = { owner: 'v_owner', agents: { find: () => undefined, first: { id: 'a', personalData: DEFAULT_PERSONAL_DATA_RULES } } }
  let opened: OpenedDatabase
  beforeAll(async () => {
    opened = await openTestDatabase('sqlite')
  })
  afterAll(() => opened.remove())

  const encoded = (contentHash: string, count: number) =>
    Buffer.from(
      JSON.stringify({
        title: 'A chat',
        agent: 'a',
        createdAt: 1,
        updatedAt: 1,
        contentHash,
        lastShown: count,
        messages: Array.from({ length: count }, () => ({ role: 'user', parts: '[]', metadata: '{}', createdAt: 1 })),
      }),
    )

  /** Stores chats, and returns the number of the event loop's turn in which each statement began. */
  async function turnsOfStatements(chats: Buffer[]): Promise<number[]> {
    let turn = 0
    const storing = { isDone: false }
    const turns: number[] = []
    const plugin: KyselyPlugin = {
      transformQuery({ node }) {
        turns.push(turn)
        return node
      },
      transformResult: async ({ result }) => result,
    }
    let ids = 0
    const newId = () => `${chats.length}-${(ids += 1)}`
    const importer = new Importer({ database: opened.database.withPlugin(plugin), newSessionId: newId, newMessageId: newId, now: () => 1 })
    const stored = importer.store(chats, target).finally(() => (storing.isDone = true))
    while (!storing.isDone) {
      await immediate()
      turn += 1
    }
    await stored
    return turns
  }

  test('turns at least once in 20 messages of a long chat', async () => {
    const turns = await turnsOfStatements([encoded('long', 400)])
    const ofMessages = turns.slice(-400 / 20)
    expect(new Set(ofMessages).size).toBe(ofMessages.length)
  })

  test('turns for each chat, also for those that are skipped', async () => {
    const chats = Array.from({ length: 40 }, () => encoded('the same', 1))
    expect(new Set(await turnsOfStatements(chats)).size).toBeGreaterThanOrEqual(chats.length)
  })
})
