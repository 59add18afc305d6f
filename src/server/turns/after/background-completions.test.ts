import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type OpenedDatabase, openTestDatabase } from '../../../../test/support/test-database.ts'
import type { Completion } from '../../answering/agents/agent.ts'
import { readAccounts, type ReservationRequest } from '../../store/turns/budgets.ts'
import { BackgroundCompletions, type BackgroundWork } from './background-completions.ts'

const REQUEST = { instructions: '', text: '', maxOutputTokens: 100 }
/** Tokens of an empty completion's messages. */
const ESTIMATE = 40 + 3 * 100
const reservation = (cap: number): ReservationRequest => ({
  limit: 'moneyPerDay',
  account: 'a',
  amount: 9_999,
  inputPrice: 1,
  outputPrice: 3,
  cap,
  code: 'budget_exhausted',
  endsAt: 9,
  retryAfterS: 1,
})

let opened: OpenedDatabase
let faults: unknown[] = []
let now = 0
let backgroundCompletions: BackgroundCompletions
beforeEach(async () => {
  opened = await openTestDatabase('sqlite')
  faults = []
  backgroundCompletions = new BackgroundCompletions({
    database: opened.database,
    onFault: (_, cause) => faults.push(cause),
    clock: () => now,
  })
})
afterEach(async () => {
  await backgroundCompletions.close()
  await opened.remove()
})

/** Runs the completion and returns its result. */
async function ask(write: () => Promise<Completion>, cap: number, name = 'one'): Promise<Completion | null | undefined> {
  const done = Promise.withResolvers<Completion | null | undefined>()
  const work: BackgroundWork['work'] = async (paid) => {
    await paid(write, REQUEST).then(done.resolve, (error: unknown) => {
      done.resolve(undefined)
      throw error
    })
  }
  backgroundCompletions.begin({ name, label: 'A test', reservations: [reservation(cap)], work })
  return done.promise
}
const spent = async () => (await readAccounts(opened.database, ['a'])).get('a') ?? 0
const written: Completion = { text: 'words', used: { inputTokens: 20, outputTokens: 5 } }

describe('background completions', () => {
  test('are charged to the accounts of their turn, and limited to what these have left', async () => {
    expect(await ask(async () => written, ESTIMATE)).toEqual(written)
    expect(await spent()).toBe(35)
    let asked = false
    const refused = await ask(
      async () => {
        asked = true
        return written
      },
      ESTIMATE,
      'two',
    )
    expect([refused, asked, await spent()]).toEqual([null, false, 35])
  })

  test('charge their reservation when they fail, log it once and pause', async () => {
    const failure = new Error('away')
    expect(await ask(() => Promise.reject(failure), ESTIMATE)).toBeUndefined()
    await expect.poll(() => faults).toEqual([failure])
    expect(await spent()).toBe(ESTIMATE)
    let begun = 0
    const work = async () => void (begun += 1)
    backgroundCompletions.begin({ name: 'two', label: 'A test', reservations: [], work })
    expect(begun).toBe(0)
    now += 60_000
    backgroundCompletions.begin({ name: 'two', label: 'A test', reservations: [], work })
    expect(begun).toBe(1)
  })

  test('begin in order when others have ended, and again under the same name', async () => {
    const begun: string[] = []
    const ends = new Map<string, () => void>()
    const work = (name: string) => () => {
      begun.push(name)
      return new Promise<void>((resolve) => ends.set(name, resolve))
    }
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f'])
      backgroundCompletions.begin({ name, label: 'A test', reservations: [], work: work(name) })
    ends.get('b')?.()
    await expect.poll(() => begun).toEqual(['a', 'b', 'c', 'd', 'e'])
    backgroundCompletions.begin({ name: 'b', label: 'A test', reservations: [], work: work('b') })
    ends.get('a')?.()
    ends.get('c')?.()
    await expect.poll(() => begun).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'b'])
    for (const end of ends.values()) end()
  })

  test('run once at a time per name, and end at shutdown', async () => {
    const begun: string[] = []
    const ended: string[] = []
    const wait = (name: string) => async (_: unknown, signal: AbortSignal) => {
      begun.push(name)
      await once(signal, 'abort')
      ended.push(name)
      throw signal.reason
    }
    for (const name of ['a', 'a', 'b', 'c', 'd', 'e'])
      backgroundCompletions.begin({ name, label: 'A test', reservations: [], work: wait(name) })
    expect(begun).toEqual(['a', 'b', 'c', 'd'])
    await backgroundCompletions.close()
    expect([begun.length, ended, faults]).toEqual([4, begun, []])
  })
})
