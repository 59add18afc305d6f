import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BOTH_DATABASES } from '../../../../test/support/databases.ts'
import { accessOf, storeChat } from '../../../../test/support/stored-chats.ts'
import { type OpenedDatabase, openTestDatabase } from '../../../../test/support/test-database.ts'
import { unrestricted } from '../visitors/access.ts'
import { findSessionAgent, listSessions } from './sessions.ts'

const NOW = Date.UTC(2026, 10, 26)

describe.each(BOTH_DATABASES)('the chats of a visitor on %s', (kind) => {
  let opened: OpenedDatabase
  beforeAll(async () => {
    opened = await openTestDatabase(kind)
  })
  afterAll(() => opened.remove())

  const chat = (id: string, owner: string) => storeChat(opened.database, { id, owner, at: NOW })

  test('can be listed by agent, and name their agent to nobody else', async () => {
    const { database } = opened
    for (const id of ['asks-assistant', 'asks-cook']) await chat(id, 'c_agents')
    await unrestricted(database).updateTable('sessions').set({ agent: 'cook' }).where('id', '=', 'asks-cook').execute()
    const listed = async (agent?: string) => (await listSessions(database, accessOf('c_agents', NOW), agent)).map(({ key }) => key)
    expect(await listed('cook')).toEqual(['asks-cook'])
    expect(await listed()).toEqual(['asks-cook', 'asks-assistant'])
    expect(await findSessionAgent(database, accessOf('c_agents', NOW), 'asks-cook')).toBe('cook')
    expect(await findSessionAgent(database, accessOf('c_other', NOW), 'asks-cook')).toBeNull()
  })
})
