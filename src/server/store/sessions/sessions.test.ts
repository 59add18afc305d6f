import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BOTH_DATABASES } from '../../../../test/support/databases.ts'
import { accessOf, storeChat } from '../../../../test/support/stored-chats.ts'
import { type OpenedDatabase, openTestDatabase } from '../../../../test/support/test-database.ts'
import { unrestricted } from '../visitors/access.ts'
import { describeSession } from './describe-session.ts'
import { findSessionAgent, listDescribedSessions, listSessions } from './sessions.ts'

const NOW = Date.UTC(2026, 10, 26)
const MAX_DESCRIBED = 20

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

  test('that were renamed last are listed, up to 20', async () => {
    const { database } = opened
    for (let number = 0; number <= MAX_DESCRIBED; number += 1) {
      await chat(`renamed-${number}`, 'c_renames')
      await describeSession(database, accessOf('c_renames', NOW + number), `renamed-${number}`, { title: `Title ${number}` })
    }
    const listed = (await listDescribedSessions(database, accessOf('c_renames', NOW + MAX_DESCRIBED))).map(({ title }) => title)
    expect(listed).toEqual(Array.from({ length: MAX_DESCRIBED }, (_, index) => `Title ${MAX_DESCRIBED - index}`))
  })
})
