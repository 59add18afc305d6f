import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type OpenedDatabase, openTestDatabase } from '../../../test/support/test-database.ts'
import type { SolvedChallenge } from '../../contract/proof-of-work.ts'
import type { BudgetLimits } from './budget.ts'
import { Guard, type GuardOptions } from './guard.ts'
import { type Limits, LIMITS } from './limit-settings.ts'
import { FairQueue } from './fair-queue.ts'
import type { ProofOfWork } from './proof-of-work.ts'

let opened: OpenedDatabase
beforeAll(async () => {
  opened = await openTestDatabase('sqlite')
})
afterAll(() => opened.remove())

const NOW = Date.UTC(2026, 9, 25)
const DEFAULTS = Object.fromEntries(Object.entries(LIMITS).map(([name, { defaultValue }]) => [name, defaultValue])) as Record<
  keyof typeof LIMITS,
  number
>
const BUDGETS: BudgetLimits = {
  turn: { inputTokens: 10_000, outputTokens: 0 },
  historyTokens: 4_000,
  tokensPerDay: 1e9,
  networkTokensPerDay: 1e9,
  moneyPerDay: null,
  moneyPerMonth: null,
}
const SOLVED = {} as SolvedChallenge
const solving = { promptTokens: 0, isBrowser: true, solved: SOLVED }

/** Counts of solved challenges by outcome. */
const proofs = { accepted: 0, givenBack: 0 }
beforeEach(() => Object.assign(proofs, { accepted: 0, givenBack: 0 }))

/** Requires a challenge for every prompt, and accepts every solution. */
const proof: GuardOptions['proof'] = {
  mode: 'always',
  of: {
    async accept() {
      proofs.accepted += 1
      return async () => {
        proofs.givenBack += 1
      }
    },
    challenge: async () => ({}),
  } as unknown as ProofOfWork,
}

function guardWith(limits: Partial<Limits>): Guard {
  return new Guard({
    database: opened.database,
    limits: { ...DEFAULTS, proofFrom: 1, limitLoopback: false, ...limits },
    budgets: BUDGETS,
    queue: new FairQueue({ maxRunning: 10, maxPending: 10, maxWaitMs: 1, isSlow: () => false, now: () => 0 }),
    prices: { primaryOf: () => null, fallback: null },
    proof,
    exemptsLoopback: true,
    isModerated: false,
    now: () => NOW,
    onFault: (message, cause) => {
      throw new Error(message, { cause })
    },
  })
}

test('a network has one of the places to parse files, however many files it sends', async () => {
  const guard = guardWith({ limitLoopback: false })
  const gone = new AbortController()
  const entered: string[] = []
  const open = (name: string, address: string) => {
    const place = guard.openParser({ principal: null, address }, () => gone.signal)
    return place.finally(() => entered.push(name))
  }
  const first = await open('first', '2001:db8::1')
  const waiting = open('same network', '2001:db8:0:1::1')
  await open('other network', '2001:db8:1::1')
  expect(entered).toEqual(['first', 'other network'])
  if (typeof first === 'function') first()
  expect(await waiting).toBeTypeOf('function')
  const left = open('left', '2001:db8::1')
  gone.abort()
  expect(await left).toBe('left')
})

test('accepts a solved challenge again after rejecting its prompt for too many running answers', async () => {
  const guard = guardWith({ runningTurns: 1 })
  const visitor = { principal: 'v_busy', address: '127.0.0.1' }
  const first = await guard.admitPrompt(visitor, solving)
  expect([first.kind, proofs]).toEqual(['admitted', { accepted: 1, givenBack: 0 }])
  expect(await guard.admitPrompt(visitor, solving)).toMatchObject({ kind: 'rejected', code: 'too_many_turns' })
  expect(proofs).toEqual({ accepted: 2, givenBack: 1 })
  if (first.kind === 'admitted') first.end()
  expect(await guard.admitPrompt(visitor, solving)).toMatchObject({ kind: 'admitted' })
})

test('remembers a bounded number of networks that are over a limit', async () => {
  const guard = guardWith({ networkPromptsPerMinute: 0 })
  const addressOf = (index: number) => `10.0.${Math.floor(index / 256)}.${index % 256}`
  const exceed = (index: number) => guard.admitPrompt({ principal: 'v_many', address: addressOf(index) }, solving)
  for (let index = 0; index < 10_000; index += 1) await exceed(index)
  expect(guard.rejectAddress(addressOf(0))).toMatchObject({ code: 'too_many_prompts' })
  await exceed(10_000)
  expect(guard.rejectAddress(addressOf(0))).toBeUndefined()
  expect(guard.rejectAddress(addressOf(10_000))).toMatchObject({ code: 'too_many_prompts' })
})
