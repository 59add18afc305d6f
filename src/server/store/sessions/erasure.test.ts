import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenedDatabase, openTestDatabase } from '../../../../test/support/test-database.ts'
import type { ReservationRequest } from '../turns/budgets.ts'
import { eraseOwned } from './erasure.ts'
import { findTurn, insertPrompt } from '../turns/turns.ts'
import { insertVisitor } from '../visitors/visitors.ts'

let opened: OpenedDatabase
beforeAll(async () => {
  opened = await openTestDatabase('sqlite')
})
afterAll(() => opened.remove())

/** Stores a prompt of this owner with a running turn. */
async function promptOf(owner: string, reservations: readonly ReservationRequest[] = []) {
  await insertPrompt(opened.database, {
    id: `turn_${owner}`,
    instance: 'test',
    now: 1,
    message: { id: `prompt_${owner}`, role: 'user', parts: [{ type: 'text', text: 'hello' }] },
    continues: null,
    newVisitor: null,
    claim: null,
    reservationsFor: () => reservations,
    count: async () => undefined,
    newSession: { id: `session_${owner}`, owner, agent: 'assistant', title: 'hello', openById: false },
  })
}

const runningTurn = (owner: string) => findTurn(opened.database, { owner, credential: true, now: 2, retentionMs: 1_000 }, `turn_${owner}`)

test('erasing an owner while a prompt is being stored deletes its turn, and nobody else’s', async () => {
  await promptOf('c_erased')
  await promptOf('c_other')
  await eraseOwned(opened.database, 'c_erased')
  expect(await runningTurn('c_erased')).toBeUndefined()
  expect(await runningTurn('c_other')).toMatchObject({ status: 'running' })
})

test('erasing an owner settles what a running turn has reserved', async () => {
  const budget = { account: 'budget', limit: 'none', amount: 10, cap: 25, inputPrice: 1, outputPrice: 1, endsAt: 100, retryAfterS: 1 }
  await promptOf('c_paying', [{ ...budget, code: 'budget_exhausted' }])
  const account = () => opened.database.selectFrom('budgets').select(['spent', 'reserved']).where('account', '=', 'budget').execute()
  expect(await account()).toEqual([{ spent: 0, reserved: 10 }])
  await eraseOwned(opened.database, 'c_paying')
  expect(await account()).toEqual([{ spent: 10, reserved: 0 }])
})

test('erasing an owner counts what is deleted', async () => {
  await insertVisitor(opened.database, { id: 'v_counted', keyHash: 'key of v_counted' }, 1)
  expect(await eraseOwned(opened.database, 'v_counted')).toMatchObject({ visitor: 1, devices: 1 })
  expect(await eraseOwned(opened.database, 'v_counted')).toMatchObject({ visitor: 0, devices: 0 })
})

test('an erasure that leaves a row fails', async () => {
  await insertVisitor(opened.database, { id: 'v_kept', keyHash: 'key' }, 1)
  await sql`create trigger keep after delete on visitors begin
    insert into visitors (id, created_at) values (old.id, old.created_at); end`.execute(opened.database)
  try {
    await expect(eraseOwned(opened.database, 'v_kept')).rejects.toThrow('Rows are left')
  } finally {
    await sql`drop trigger keep`.execute(opened.database)
  }
})
