import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BOTH_DATABASES } from '../../../../test/support/databases.ts'
import { accessOf, storeChat, storeMore } from '../../../../test/support/stored-chats.ts'
import { openTestDatabase } from '../../../../test/support/test-database.ts'
import type { ChatMessage } from '../../../contract/chat/message.ts'
import { textOf } from '../../../contract/chat/message-text.ts'
import { insertDecision } from './approvals.ts'
import type { Database } from '../engine/database.ts'
import { listMessages } from '../sessions/sessions.ts'
import { insertVisitor } from '../visitors/visitors.ts'

const NOW = 1_000

describe.each(BOTH_DATABASES)('decisions about requests for approval on %s', (kind) => {
  let database: Database
  let remove: () => Promise<void>
  beforeAll(async () => {
    ;({ database, remove } = await openTestDatabase(kind))
    await insertVisitor(database, { id: 'v', keyHash: 'key of v' }, 1)
  })
  afterAll(() => remove())

  let turns = 0
  const turn = () => ({
    id: `continued-${(turns += 1)}`,
    instance: 'here',
    now: NOW,
    claim: null,
    reservationsFor: () => [],
    count: async () => undefined,
  })
  const decide = (turnId: string, owner = 'v', isAsking = true) =>
    insertDecision(database, accessOf(owner, NOW), turnId, turn(), (answer) =>
      isAsking
        ? { calls: [textOf(answer)], answer: { ...answer, parts: [{ type: 'text', text: 'decided' }] as ChatMessage['parts'] } }
        : null,
    )

  test('change the last answer, and start the turn that continues it', async () => {
    const chat = { id: 'asked', owner: 'v', at: NOW, answer: 'May I?' }
    await storeChat(database, chat)
    expect(await decide('asked-turn')).toMatchObject({ kind: 'accepted', calls: ['May I?'] })
    expect((await listMessages(database, 'asked')).map(textOf)).toEqual(['hi', 'decided'])
    expect(await decide('asked-turn')).toMatchObject({ kind: 'rejected' })
  })

  test('are rejected for a turn that still runs, is not the last, asks nothing or is somebody else’s', async () => {
    await storeChat(database, { id: 'running', owner: 'v', at: NOW, answer: null })
    const more = { id: 'more', owner: 'v', at: NOW, answer: 'May I?' }
    await storeChat(database, more)
    await storeMore(database, more, 'later')
    await storeChat(database, { id: 'silent', owner: 'v', at: NOW })
    expect(await decide('running-turn')).toMatchObject({ kind: 'rejected' })
    expect(await decide('more-turn')).toMatchObject({ kind: 'rejected', code: 'approval_gone' })
    expect(await decide('silent-turn', 'v', false)).toMatchObject({ kind: 'rejected', code: 'approval_gone' })
    expect(await decide('silent-turn', 'other')).toMatchObject({ kind: 'rejected', code: 'not_found' })
    expect((await listMessages(database, 'silent')).map(textOf)).toEqual(['hi', 'hello'])
  })

  test('are rejected after an answer that failed', async () => {
    await storeChat(database, { id: 'failed', owner: 'v', at: NOW })
    await database.updateTable('turns').set({ status: 'failed' }).where('id', '=', 'failed-turn').execute()
    expect(await decide('failed-turn')).toMatchObject({ kind: 'rejected', code: 'approval_gone' })
  })
})
