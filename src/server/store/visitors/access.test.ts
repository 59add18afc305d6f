import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createQueryId, type KyselyPlugin, SqliteQueryCompiler } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ChatMessage } from '../../../contract/chat/message.ts'
import { rejection } from '../../../contract/rejection.ts'
import type { Access } from './access.ts'
import { chooseBranch } from '../sessions/branches.ts'
import type { Database } from '../engine/database.ts'
import { openDatabase } from '../engine/open-database.ts'
import { findExportedSession, ownedSessions } from '../sessions/export.ts'
import { giveFeedback } from '../turns/feedback.ts'
import { listExistingIds } from '../sessions/session-changes.ts'
import { findSession, listSessionPage, listSessions } from '../sessions/sessions.ts'
import { endTurn } from '../turns/turn-ends.ts'
import { findTurn, insertPrompt, insertRegeneration, insertRetry, type NewPrompt } from '../turns/turns.ts'
import { endOfVisitorKeys, insertVisitor, insertVisitorKey } from './visitors.ts'

const directory = mkdtempSync(join(tmpdir(), 'parley-access-'))
const statements: string[] = []

/** Records each statement before it runs. */
const recorder: KyselyPlugin = {
  transformQuery({ node }) {
    statements.push(new SqliteQueryCompiler().compileQuery(node, createQueryId()).sql)
    return node
  },
  transformResult: async ({ result }) => result,
}

let plain: Database
let database: Database
beforeAll(async () => {
  plain = await openDatabase({ kind: 'sqlite', directory }, () => undefined)
  database = plain.withPlugin(recorder)
})
afterAll(async () => {
  await plain.destroy()
  rmSync(directory, { recursive: true })
})
beforeEach(() => statements.splice(0))

const OWNER: Access = { owner: 'c_owner', credential: true, now: 2, retentionMs: 1_000 }
let made = 0

/** A session that its id alone opens, with one failed turn. */
async function newSession(): Promise<{ session: string; turn: string }> {
  const number = (made += 1)
  const ids = { session: `session${number}`, turn: `turn${number}` }
  await insertPrompt(plain, promptOf(ids.turn, null, ids.session))
  const answer: ChatMessage = { id: `answer${number}`, role: 'assistant', parts: [], metadata: { turnId: ids.turn } }
  await endTurn(plain, ids.turn, { status: 'failed', code: 'model_failed', state: 'failed', usage: null, answer }, 2)
  return ids
}

function promptOf(id: string, continues: NewPrompt['continues'], session: string): NewPrompt {
  const message: ChatMessage = { id: `prompt-${id}`, role: 'user', parts: [{ type: 'text', text: 'hello' }] }
  return {
    id,
    instance: 'test',
    now: 2,
    message,
    continues,
    newVisitor: null,
    claim: null,
    reservationsFor: () => [],
    count: async () => undefined,
    newSession: { id: session, owner: 'c_owner', agent: 'assistant', title: 'hello', openById: true },
  }
}

/** The conditions of a statement. */
const conditionOf = (statement: string) => statement.slice(Math.max(0, statement.indexOf(' where ')))

// Without one of these conditions the routes would still reject, because an earlier statement checks access too. Here each one counts.
test.each<[name: string, act: (ids: { session: string; turn: string }) => Promise<unknown>]>([
  ['listing sessions', () => listSessions(database, OWNER)],
  ['listing a page of sessions', () => listSessionPage(database, OWNER, { limit: 1, after: [9, 'x'] })],
  ['finding a session', ({ session }) => findSession(database, OWNER, session)],
  ['exporting sessions', () => Array.fromAsync(ownedSessions(database, OWNER))],
  ['exporting a session', ({ session }) => findExportedSession(database, OWNER, session)],
  ['asking which sessions still exist', ({ session }) => listExistingIds(database, 'c_owner', [session])],
  ['finding a turn', ({ turn }) => findTurn(database, OWNER, turn)],
  [
    'going on with a session',
    ({ session }) => insertPrompt(database, promptOf(`next-${session}`, { id: session, access: OWNER }, 'unused')),
  ],
  [
    'trying a turn again',
    ({ turn }) =>
      insertRetry(database, OWNER, turn, {
        id: `again-${turn}`,
        instance: 'test',
        now: 2,
        claim: null,
        reservationsFor: () => [],
        count: async () => undefined,
      }),
  ],
  [
    'answering a prompt again',
    ({ session, turn }) =>
      insertRegeneration(database, { id: session, access: OWNER }, `prompt-${turn}`, {
        id: `more-${turn}`,
        instance: 'test',
        now: 2,
        claim: null,
        reservationsFor: () => [],
        count: async () => undefined,
      }),
  ],
  [
    'thinking of an answer',
    ({ session, turn }) => giveFeedback(database, { id: session, access: OWNER }, turn.replace('turn', 'answer'), { thumb: 'up' }),
  ],
  ['choosing a branch', ({ session, turn }) => chooseBranch(database, { id: session, access: OWNER }, `prompt-${turn}`)],
])('every statement of %s that selects a session has an access condition', async (_name, act) => {
  await act(await newSession())
  const aboutSessions = statements.filter((statement) => /(?:from|join|update) "sessions"/.test(statement))
  expect(aboutSessions.length).toBeGreaterThan(0)
  for (const statement of aboutSessions) expect(conditionOf(statement)).toMatch(/"owner" = \?/)
})

test.each([
  ['somebody else', { ...OWNER, owner: 'c_other' }],
  ['somebody without a credential, once it has been used with one', { ...OWNER, owner: null, credential: false }],
  ['the owner, after it has expired', { ...OWNER, now: 5_000 }],
])('a session does not exist for %s', async (_name, access) => {
  const { session, turn } = await newSession()
  await findSession(database, OWNER, session)
  expect(await findSession(database, access, session)).toBeUndefined()
  expect(await findTurn(database, access, turn)).toBeUndefined()
  expect(
    await insertRetry(database, access, turn, {
      id: `x-${turn}`,
      instance: 'test',
      now: 2,
      claim: null,
      reservationsFor: () => [],
      count: async () => undefined,
    }),
  ).toEqual(rejection('not_found'))
  expect(await giveFeedback(database, { id: session, access }, turn.replace('turn', 'answer'), { thumb: 'up' })).toBeNull()
  expect(await chooseBranch(database, { id: session, access }, `prompt-${turn}`)).toEqual(rejection('not_found'))
  const again = { id: `z-${turn}`, instance: 'test', now: 2, claim: null, reservationsFor: () => [], count: async () => undefined }
  expect(await insertRegeneration(database, { id: session, access }, `prompt-${turn}`, again)).toEqual(rejection('not_found'))
  const edit = { id: session, access, edits: `prompt-${turn}` }
  expect(await insertPrompt(database, promptOf(`e-${turn}`, edit, 'unused'))).toEqual(rejection('not_found'))
  const next = await insertPrompt(database, promptOf(`y-${turn}`, { id: session, access }, `new-${session}`))
  expect(next).toMatchObject({ kind: 'accepted', sessionId: `new-${session}`, isNewSession: true })
  expect((await listSessions(database, access)).map(({ key }) => key)).not.toContain(session)
})

test('a query for sessions does not compile without an access condition', () => {
  // @ts-expect-error: the table is added by `selectSessions`, `updateSessions` and `unrestricted` alone.
  const query = database.selectFrom('sessions')
  expect(query.selectAll().compile().sql).toContain('sessions')
})

test('data of a visitor on shared computers expires with their own last key, whatever keys others have', async () => {
  await insertVisitor(plain, { id: 'v_shared', keyHash: 'first', keyExpiresAt: 100 }, 0)
  await insertVisitorKey(plain, { visitorId: 'v_shared', keyHash: 'second', expiresAt: 200 }, 0)
  await insertVisitor(plain, { id: 'v_lasting', keyHash: 'third' }, 0)
  await insertVisitor(plain, { id: 'v_longer', keyHash: 'fourth', keyExpiresAt: 300 }, 0)
  expect(await endOfVisitorKeys(plain, 'v_shared')).toBe(200)
  expect(await endOfVisitorKeys(plain, 'v_lasting')).toBeUndefined()
})
