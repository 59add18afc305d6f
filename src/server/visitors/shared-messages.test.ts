import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DATABASES } from '../../../test/support/databases.ts'
import { storeChat, storeMore } from '../../../test/support/stored-chats.ts'
import { openTestDatabase } from '../../../test/support/test-database.ts'
import type { Database } from '../store/engine/database.ts'
import { sharedMessages } from './shared-messages.ts'

const NOW = Date.UTC(2026, 10, 21, 12)

describe.each(DATABASES)('a shared chat on %s', (kind) => {
  let database: Database
  let remove: () => Promise<void>
  beforeAll(async () => {
    ;({ database, remove } = await openTestDatabase(kind))
  })
  afterAll(() => remove())

  test('others see the shown version of a shared chat, without files and what the answer was made from', async () => {
    const chat = { id: 'shared', owner: 'c_shared', at: NOW, prompt: 'one', answer: 'first' }
    await storeChat(database, { ...chat, metadata: { model: 'A model' } })
    await storeMore(
      database,
      {
        ...chat,
        prompt: 'edited',
        answer: [
          { type: 'reasoning', text: 'Hm' },
          { type: 'text', text: 'second' },
        ],
      },
      'v2',
      'shared-prompt',
    )
    await storeMore(database, { ...chat, prompt: 'more', answer: [{ type: 'reasoning', text: 'Hm' }] }, 'v3')
    expect(await sharedMessages(database, 'shared')).toEqual([
      { role: 'user', position: 3, parts: [{ type: 'text', text: 'edited' }] },
      { role: 'assistant', position: 4, parts: [{ type: 'text', text: 'second' }] },
      { role: 'user', position: 5, parts: [{ type: 'text', text: 'more' }] },
    ])
  })
})
