import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BOTH_DATABASES } from '../../../../test/support/databases.ts'
import { accessOf, storeChat } from '../../../../test/support/stored-chats.ts'
import { type OpenedDatabase, openTestDatabase } from '../../../../test/support/test-database.ts'
import { unrestricted } from '../visitors/access.ts'
import { findSessionAgent, listImportedSessions, listSessions } from './sessions.ts'

const NOW = Date.UTC(2026, 10, 26)
const MAX_IMPORTED = 20

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
    expect(await listed()).toEqual(['asks-assistant', 'asks-cook'])
    expect(await findSessionAgent(database, accessOf('c_agents', NOW), 'asks-cook')).toBe('cook')
    expect(await findSessionAgent(database, accessOf('c_other', NOW), 'asks-cook')).toBeNull()
  })

  test('that were imported last are listed, up to 20', async () => {
    const { database } = opened
    for (let number = 0; number <= MAX_IMPORTED; number += 1) {
      await chat(`imported-${number}`, 'c_imports')
      await unrestricted(database)
        .updateTable('sessions')
        .set({ imported_at: NOW + number })
        .where('id', '=', `imported-${number}`)
        .execute()
    }
    const listed = (await listImportedSessions(database, accessOf('c_imports', NOW + MAX_IMPORTED))).map(({ key }) => key)
    expect(listed).toEqual(Array.from({ length: MAX_IMPORTED }, (_, index) => `imported-${MAX_IMPORTED - index}`))
  })
})
