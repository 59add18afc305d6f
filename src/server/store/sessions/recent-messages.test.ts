import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ChatToStore, storeChat, storeMore } from '../../../../test/support/stored-chats.ts'
import { type OpenedDatabase, openTestDatabase } from '../../../../test/support/test-database.ts'
import { readRecentMessages } from './recent-messages.ts'

const CHAT: ChatToStore = { id: 'first', owner: 'v', at: 1, prompt: 'ten chars.', answer: 'ten chars.' }
const MANY = 1_000_000

let opened: OpenedDatabase
beforeAll(async () => {
  opened = await openTestDatabase('sqlite')
  await storeChat(opened.database, CHAT)
  for (let turn = 2; turn <= 80; turn += 1) await storeMore(opened.database, CHAT, `turn ${turn}`)
})
afterAll(() => opened.remove())

const read = async (enoughText: number, maxCharacters = MANY) =>
  (await readRecentMessages(opened.database, 'first', { enoughText, maxCharacters })).map(({ id }) => id)

describe('the recent messages of a chat', () => {
  test('are the whole of a short one', async () => {
    const all = await read(MANY)
    expect([all.length, all[0], all.at(-1)]).toEqual([160, 'first-prompt', 'turn 80-answer'])
  })

  test('are never less than the last prompt and its answer', async () => {
    expect(await read(1, 1)).toEqual(['turn 80-prompt', 'turn 80-answer'])
  })

  test('have enough text and begin where they began some turns before', async () => {
    const before = await read(200)
    expect(before.length).toBeGreaterThanOrEqual(20)
    for (let turn = 81; turn <= 85; turn += 1) await storeMore(opened.database, CHAT, `turn ${turn}`)
    expect((await read(200)).slice(0, before.length)).toEqual(before)
    expect(before.length).toBeLessThan(160)
  })
})
