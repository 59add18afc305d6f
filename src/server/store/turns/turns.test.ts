import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BOTH_DATABASES } from '../../../../test/support/databases.ts'
import { accessOf, storeChat, storeMore } from '../../../../test/support/stored-chats.ts'
import { openTestDatabase } from '../../../../test/support/test-database.ts'
import { textOf } from '../../../contract/chat/message-text.ts'
import { rejection } from '../../../contract/rejection.ts'
import { chooseBranch } from '../sessions/branches.ts'
import type { Database } from '../engine/database.ts'
import { listMessagePage } from '../sessions/sessions.ts'
import { endTurn, type TurnEnd } from './turn-ends.ts'
import { findTurn, insertContinuation, insertPrompt, insertRegeneration, insertRetry, type NewPrompt, type NewTurn } from './turns.ts'

const NOW = Date.UTC(2026, 10, 21)
const OWNER = 'c_turns'

describe.each(BOTH_DATABASES)('turns on %s', (kind) => {
  let database: Database
  let remove: () => Promise<void>
  beforeAll(async () => {
    ;({ database, remove } = await openTestDatabase(kind))
  })
  afterAll(() => remove())

  const access = accessOf(OWNER, NOW)
  const turn = (id: string, rest: Partial<NewTurn> = {}): NewTurn => ({
    id,
    instance: 'here',
    now: NOW,
    claim: null,
    reservationsFor: () => [],
    count: async () => undefined,
    ...rest,
  })
  const prompt = (id: string, session: string, rest: Partial<NewPrompt> = {}): NewPrompt => ({
    ...turn(id),
    message: { id: `${id}-prompt`, role: 'user', parts: [{ type: 'text', text: id }] },
    continues: { id: session, access },
    newSession: { id: `${id}-new`, owner: OWNER, agent: 'assistant', title: '', openById: false },
    newVisitor: null,
    ...rest,
  })
  const end = (id: string, text: string, status: TurnEnd['status'] = 'done') => {
    const answer = { id: `${id}-answer`, role: 'assistant' as const, parts: [{ type: 'text' as const, text }], metadata: { turnId: id } }
    return endTurn(database, id, { status, code: null, state: 'answered', usage: null, answer }, NOW)
  }
  const textsOf = async (session: string) => (await listMessagePage(database, session, {})).messages.map(textOf)
  /** A chat whose only answer ended so. */
  async function chatThatEnded(id: string, status: TurnEnd['status'], text: string): Promise<void> {
    await storeChat(database, { id, owner: OWNER, at: NOW, prompt: 'ask', answer: null })
    await end(`${id}-turn`, text, status)
  }

  test('an edited prompt is another version beside the first, and the chat goes on from it', async () => {
    const chat = { id: 'edited', owner: OWNER, at: NOW, prompt: 'first', answer: 'of first' }
    await storeChat(database, chat)
    await storeMore(database, { ...chat, prompt: 'more', answer: 'of more' }, 'edited-more')
    await storeMore(database, { ...chat, prompt: 'second', answer: 'of second' }, 'edited-2', 'edited-prompt')
    expect(await textsOf('edited')).toEqual(['second', 'of second'])
    const { version } = (await listMessagePage(database, 'edited', {})).messages[0]!.metadata!
    expect(version).toEqual({ number: 2, of: 2, before: 'edited-prompt' })
    expect(await chooseBranch(database, { id: 'edited', access }, 'edited-prompt')).toEqual({ kind: 'chosen' })
    expect(await textsOf('edited')).toEqual(['first', 'of first', 'more', 'of more'])
  })

  test('only a prompt of the caller’s own chat can be edited', async () => {
    await storeChat(database, { id: 'guarded', owner: OWNER, at: NOW })
    const edit = (id: string, edits: string, by = access) =>
      insertPrompt(database, prompt(id, 'guarded', { continues: { id: 'guarded', access: by, edits } }))
    expect(await edit('e1', 'guarded-answer')).toEqual(rejection('not_found'))
    expect(await edit('e2', 'unknown')).toEqual(rejection('not_found'))
    expect(await edit('e3', 'guarded-prompt', accessOf('c_other', NOW))).toEqual(rejection('not_found'))
    expect(await textsOf('guarded')).toEqual(['hi', 'hello'])
  })

  test('a prompt in a chat of somebody else starts a chat of its own', async () => {
    await storeChat(database, { id: 'closed', owner: 'c_them', at: NOW })
    await storeChat(database, { id: 'by-id', owner: 'c_them', at: NOW, openById: true })
    expect(await insertPrompt(database, prompt('own', 'closed'))).toMatchObject({ sessionId: 'own-new', isNewSession: true })
    const anybody = { continues: { id: 'by-id', access: accessOf(null, NOW) } }
    expect(await insertPrompt(database, prompt('opened', 'by-id', anybody))).toMatchObject({ sessionId: 'by-id', isNewSession: false })
    const closed = { continues: { id: 'closed', access: accessOf(null, NOW) } }
    expect(await insertPrompt(database, prompt('not-opened', 'closed', closed))).toMatchObject({ isNewSession: true })
  })

  test('a prompt of a visitor who was deleted meanwhile is rejected', async () => {
    const newSession = { id: 'nobodys', owner: 'v_deleted', agent: 'assistant', title: '', openById: false }
    expect(await insertPrompt(database, prompt('late', '', { continues: null, newSession }))).toEqual(rejection('unauthorized'))
  })

  test('a chat with a running answer takes no other prompt, and keeps its branch', async () => {
    await storeChat(database, { id: 'busy', owner: OWNER, at: NOW })
    await insertPrompt(database, prompt('running', 'busy'))
    const busy = rejection('session_busy', { turn: 'running' })
    expect(await insertPrompt(database, prompt('second', 'busy'))).toEqual(busy)
    expect(await insertRegeneration(database, { id: 'busy', access }, undefined, turn('again'))).toEqual(busy)
    expect(await chooseBranch(database, { id: 'busy', access }, 'busy-answer')).toEqual(busy)
    expect(await findTurn(database, access, 'running')).toMatchObject({ status: 'running', session: 'busy', promptId: 'running-prompt' })
    expect(await findTurn(database, accessOf('c_other', NOW), 'running')).toBeUndefined()
  })

  test('another answer to a prompt stands beside the first', async () => {
    await storeChat(database, { id: 'again', owner: OWNER, at: NOW, prompt: 'ask', answer: 'one' })
    const outcome = await insertRegeneration(database, { id: 'again', access }, undefined, turn('again-2'))
    expect(outcome).toMatchObject({ kind: 'accepted', sessionId: 'again', promptId: 'again-prompt', isNewSession: false })
    await end('again-2', 'two')
    expect(await textsOf('again')).toEqual(['ask', 'two'])
    const { messages } = await listMessagePage(database, 'again', {})
    expect(messages[1]?.metadata?.version).toEqual({ number: 2, of: 2, before: 'again-answer' })
    const theirs = insertRegeneration(database, { id: 'again', access: accessOf('c_other', NOW) }, undefined, turn('again-3'))
    expect(await theirs).toEqual(rejection('not_found'))
  })

  test.runIf(kind === 'postgres')('an answer that completes while its retry waits for the chat is kept', async () => {
    await storeChat(database, { id: 'raced', owner: OWNER, at: NOW, prompt: 'ask', answer: null })
    const waiting = async () => {
      const query = sql<{ count: number }>`SELECT count(*)::int AS count FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`
      return (await query.execute(database)).rows[0]?.count
    }
    const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holding = database.transaction().execute(async (transaction) => {
      await sql`SELECT id FROM sessions WHERE id = 'raced' FOR UPDATE`.execute(transaction)
      locked.resolve()
      await released.promise
    })
    await locked.promise
    const ending = end('raced-turn', 'whole')
    await expect.poll(waiting).toBe(1)
    const retried = insertRetry(database, access, 'raced-turn', turn('raced-2'))
    await expect.poll(waiting).toBe(2)
    released.resolve()
    await Promise.all([holding, ending])
    expect(await retried).toEqual(rejection('not_retryable'))
    expect(await textsOf('raced')).toEqual(['ask', 'whole'])
  })

  test('an incomplete answer can be tried again, which replaces it, and a complete one can’t', async () => {
    await chatThatEnded('failed', 'failed', 'half')
    expect(await insertRetry(database, access, 'failed-turn', turn('failed-2'))).toMatchObject({ kind: 'accepted', sessionId: 'failed' })
    await end('failed-2', 'whole')
    expect(await textsOf('failed')).toEqual(['ask', 'whole'])
    expect(await insertRetry(database, access, 'failed-2', turn('failed-3'))).toEqual(rejection('not_retryable'))
    expect(await insertRetry(database, access, 'failed-turn', turn('failed-4'))).toEqual(rejection('not_retryable'))
    await chatThatEnded('theirs', 'stopped', 'half')
    expect(await insertRetry(database, accessOf('c_other', NOW), 'theirs-turn', turn('x'))).toEqual(rejection('not_found'))
  })

  test('an incomplete answer stays when it is continued, and an empty one is replaced', async () => {
    await chatThatEnded('cut', 'stopped', 'half')
    expect(await insertContinuation(database, access, 'cut-turn', turn('cut-2'))).toMatchObject({ kind: 'accepted', continues: true })
    await end('cut-2', 'rest')
    expect(await textsOf('cut')).toEqual(['ask', 'half', 'rest'])
    await chatThatEnded('empty', 'stopped', ' ')
    expect(await insertContinuation(database, access, 'empty-turn', turn('empty-2'))).toMatchObject({ continues: false })
    await end('empty-2', 'whole')
    expect(await textsOf('empty')).toEqual(['ask', 'whole'])
  })

  test('a repeated request finds its turn, and stores nothing', async () => {
    const claim = { scopes: [OWNER], keyHash: 'k', requestHash: 'r' }
    await chatThatEnded('repeated', 'stopped', 'half')
    expect(await insertContinuation(database, access, 'repeated-turn', turn('repeated-2', { claim }))).toMatchObject({ kind: 'accepted' })
    const repeats = [
      insertPrompt(database, prompt('repeated-3', 'repeated', { claim })),
      insertRetry(database, access, 'repeated-turn', turn('repeated-4', { claim })),
      insertRegeneration(database, { id: 'repeated', access }, undefined, turn('repeated-5', { claim })),
    ]
    for (const repeated of repeats) expect(await repeated).toEqual({ kind: 'repeated', turnId: 'repeated-2' })
    const other = turn('repeated-6', { claim: { ...claim, requestHash: 'another' } })
    expect(await insertRetry(database, access, 'repeated-turn', other)).toEqual(rejection('idempotency_key_reused'))
  })
})
