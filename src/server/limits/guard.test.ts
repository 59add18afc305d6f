import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { FREE, guardWith as guardOf } from '../../../test/support/guard.ts'
import { type OpenedDatabase, openTestDatabase } from '../../../test/support/test-database.ts'
import type { SolvedChallenge } from '../../contract/proof-of-work.ts'
import type { Guard, GuardOptions } from './guard.ts'
import type { Limits } from './limit-settings.ts'
import { FairQueue } from './fair-queue.ts'
import type { ProofOfWork } from './proof-of-work.ts'

let opened: OpenedDatabase
beforeAll(async () => {
  opened = await openTestDatabase('sqlite')
})
afterAll(() => opened.remove())

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

function guardWith(limits: Partial<Limits>, prices = FREE, change: Partial<GuardOptions> = {}): Guard {
  return guardOf(opened.database, limits, { prices, proof, ...change })
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

test('reports the prompts that are left today, whatever is left of a minute', async () => {
  const guard = guardWith({ promptsPerMinute: 2, promptsPerDay: 5 })
  const visitor = { principal: 'v_today', address: '127.0.0.1' }
  expect(await guard.promptsLeftToday(visitor)).toEqual({ prompts: 5, resetsAt: Date.UTC(2026, 9, 26) })
  const admitted = await guard.admitPrompt(visitor, solving)
  if (admitted.kind !== 'admitted') throw new Error(admitted.code)
  await admitted.count.unstored()
  expect((await guard.promptsLeftToday(visitor)).prompts).toBe(4)
})

test('counts open streams, and opens no more than a visitor may have', async () => {
  const guard = guardWith({ streams: 1 })
  const visitor = { principal: 'v_streams', address: '127.0.0.1' }
  const close = await guard.openStream(visitor)
  expect([typeof close, guard.openStreams]).toEqual(['function', 1])
  expect(await guard.openStream(visitor)).toMatchObject({ kind: 'rejected', code: 'too_many_streams', retryAfterS: 5 })
  expect(typeof (await guard.openStream({ ...visitor, principal: 'v_other' }))).toBe('function')
  if (typeof close === 'function') close()
  expect(guard.openStreams).toBe(1)
  expect(typeof (await guard.openStream(visitor))).toBe('function')
})

test('an urgent prompt is admitted at no cost', async () => {
  const admission = guardWith({}).admitUrgentPrompt()
  expect(admission.budgets.map((budgetFor) => budgetFor('any'))).toEqual([{ model: 'primary', reservations: [], allowance: undefined }])
  expect([admission.kind, await admission.enter({ gone: () => AbortSignal.abort() })]).toEqual(['admitted', 'entered'])
})

test('a network creates no more visitors than it may', async () => {
  const guard = guardWith({ newVisitorsPerHour: 1 })
  const byFile = (address: string) => guard.admitFile({ principal: null, address })
  expect(await byFile('192.0.2.1')).toBeUndefined()
  expect(await byFile('192.0.2.1')).toMatchObject({ kind: 'rejected', code: 'too_many_visitors', retryAfterS: 3_600 })
  expect(await byFile('192.0.2.2')).toBeUndefined()
  expect(await guard.admitFile({ principal: 'v_known', address: '192.0.2.1' })).toBeUndefined()
})

test('a prompt that finds the queue full or closed is turned away, and told to come back at different times', async () => {
  const queue = new FairQueue({ maxRunning: 1, maxPending: 0, maxWaitMs: 1, isSlow: () => false, now: () => 0 })
  const guard = guardWith({}, FREE, { queue, proof: null })
  const enter = async (principal: string) => {
    const admission = await guard.admitPrompt({ principal, address: '127.0.0.1' }, { ...solving, solved: undefined })
    return admission.kind === 'admitted' ? admission.enter({ gone: () => new AbortController().signal }) : admission
  }
  expect(await enter('v_first')).toBe('entered')
  const busy = await enter('v_second')
  expect(busy).toMatchObject({ kind: 'rejected', code: 'server_busy' })
  const { retryAfterS } = busy as { retryAfterS: number }
  expect(retryAfterS >= 5 && retryAfterS <= 10).toBe(true)
})

test('a prompt without a solution is asked for one', async () => {
  const admission = await guardWith({}).admitPrompt({ principal: 'v_asked', address: '127.0.0.1' }, { ...solving, solved: undefined })
  expect(admission).toMatchObject({ kind: 'rejected', code: 'proof_of_work_required', challenge: {} })
})

test('a fallback answers after the agent’s own model, and none answers for a free one', async () => {
  const price = { input: 1, output: 1 }
  const models = async (prices: GuardOptions['prices']) => {
    const guard = guardWith({}, prices)
    const admission = await guard.admitPrompt({ principal: 'v_models', address: '127.0.0.1' }, solving)
    if (admission.kind !== 'admitted') return admission.code
    admission.end()
    return admission.budgets.map((budgetFor) => budgetFor('any').model)
  }
  expect(await models({ of: () => null, fallback: { price: null } })).toContain('fallback')
  expect((await models({ of: () => price, fallback: null }))?.[0]).toBe('primary')
})
