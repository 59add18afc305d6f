import { inTransaction } from '../store/engine/database.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { BUDGETS, guardWith, limitsWith, NOW } from '../../../test/support/guard.ts'
import { type OpenedDatabase, openTestDatabase } from '../../../test/support/test-database.ts'
import type { SolvedChallenge } from '../../contract/proof-of-work.ts'
import { RejectedTransaction } from '../store/turns/commit-turn.ts'
import { FairQueue } from './fair-queue.ts'
import type { Guard, GuardOptions } from './guard.ts'
import type { Limits } from './limit-settings.ts'
import type { ProofOfWork } from './proof-of-work.ts'

let opened: OpenedDatabase
beforeAll(async () => {
  opened = await openTestDatabase('sqlite')
})
afterAll(() => opened.remove())

const MINUTE_MS = 60_000
const SENDING = { promptTokens: 0, isBrowser: true, solved: undefined }
const never = () => new AbortController().signal
const guarded = (limits: Partial<Limits> = {}, change: Partial<GuardOptions> = {}) => guardWith(opened.database, limits, change)
const queueOf = (change: Partial<ConstructorParameters<typeof FairQueue>[0]>) =>
  new FairQueue({ maxRunning: 10, maxPending: 10, maxWaitMs: 60_000, isSlow: () => false, now: () => 0, ...change })

let visitors = 0
const newVisitor = () => `v_${(visitors += 1)}`
let networks = 0
/** An IPv4 address that no other test uses. */
const newAddress = () => `198.51.${Math.floor((networks += 1) / 256)}.${networks % 256}`

/** Admits a prompt that has to be admitted. */
async function admitted(guard: Guard, address: string, principal: string | null = newVisitor(), sending: object = {}) {
  const admission = await guard.admitPrompt({ principal, address }, { ...SENDING, ...sending })
  if (admission.kind === 'rejected') throw new Error(admission.code)
  return admission
}

/** Admits and stores a prompt; returns the rejection. */
async function prompt(guard: Guard, address: string, principal: string | null = newVisitor()) {
  const admission = await admitted(guard, address, principal)
  const stored = inTransaction(opened.database, async (transaction) => {
    const over = await admission.count.stored(transaction)
    if (over) throw new RejectedTransaction(over)
  })
  const rejected = await stored.catch((error: unknown) => {
    if (error instanceof RejectedTransaction) return error.rejection
    throw error
  })
  admission.end()
  return rejected
}

test('a network over a limit is turned away before its body is read, until the window ends or the limit changes', async () => {
  const [address, other] = [newAddress(), newAddress()]
  let [now, limits] = [NOW, limitsWith({ networkPromptsPerMinute: 1 })]
  const guard = guarded({}, { now: () => now, values: () => ({ limits, budgets: BUDGETS }) })
  expect(await prompt(guard, address)).toBeUndefined()
  expect(guard.rejectAddress(address)).toBeUndefined()
  expect(await prompt(guard, address)).toMatchObject({ code: 'too_many_prompts', retryAfterS: 60 })
  now += 500
  expect(guard.rejectAddress(address)).toMatchObject({ code: 'too_many_prompts', retryAfterS: 60 })
  expect(guard.rejectAddress(other)).toBeUndefined()
  limits = limitsWith({ networkPromptsPerMinute: 2 })
  expect(guard.rejectAddress(address)).toBeUndefined()
  limits = limitsWith({ networkPromptsPerMinute: 1 })
  expect(await prompt(guard, address)).toMatchObject({ code: 'too_many_prompts' })
  now = NOW + MINUTE_MS - 1
  expect(guard.rejectAddress(address)).toMatchObject({ retryAfterS: 1 })
  now = NOW + MINUTE_MS
  expect(guard.rejectAddress(address)).toBeUndefined()
})

test('a subscriber with many networks is turned away in all of them', async () => {
  const guard = guarded({ networkPromptsPerMinute: 1 })
  const addressIn = (subnet: number) => `2001:db8:99:${subnet}::1`
  for (let subnet = 1; subnet <= 4; subnet += 1) expect(await prompt(guard, addressIn(subnet))).toBeUndefined()
  expect(guard.rejectAddress(addressIn(6))).toBeUndefined()
  expect(await prompt(guard, addressIn(5))).toMatchObject({ code: 'too_many_prompts' })
  expect(guard.rejectAddress(addressIn(6))).toMatchObject({ code: 'too_many_prompts' })
  expect(guard.rejectAddress('2001:db8:98:1::1')).toBeUndefined()
})

test('a visitor over their own limit is told so, with what is left, and their network is not turned away', async () => {
  const address = newAddress()
  const visitor = newVisitor()
  const guard = guarded({ promptsPerMinute: 1, promptsPerDay: 5 })
  const first = await admitted(guard, address, visitor)
  await first.count.unstored()
  const inAMinute = { window: 'minute', limit: 1, endsAt: NOW + MINUTE_MS }
  expect(first.count.rateLimits).toMatchObject([
    { ...inAMinute, used: 1 },
    { window: 'day', limit: 5, used: 1 },
  ])
  expect(await prompt(guard, address, visitor)).toMatchObject({
    code: 'too_many_prompts',
    rateLimits: [{ ...inAMinute, used: 2 }, { window: 'day' }],
  })
  expect(guard.rejectAddress(address)).toBeUndefined()
  expect(await guard.promptsLeftToday({ principal: visitor, address })).toMatchObject({ prompts: 4 })
})

test('a prompt that would cost something is checked before, and any other when it is stored', async () => {
  const [address, visitor] = [newAddress(), newVisitor()]
  await prompt(guarded({ promptsPerMinute: 1 }), address, visitor)
  const requester = { principal: visitor, address }
  const kindOf = async (change: Partial<GuardOptions>) =>
    (await guarded({ promptsPerMinute: 1 }, change).admitPrompt(requester, SENDING)).kind
  expect(await kindOf({})).toBe('admitted')
  expect(await kindOf({ isModerated: true })).toBe('rejected')
  expect(await kindOf({ queue: queueOf({ maxRunning: 0 }) })).toBe('rejected')
})

test('someone new counts as a visitor of their network, with or without a prompt', async () => {
  const address = newAddress()
  const guard = guarded({ newVisitorsPerHour: 2 })
  expect(await prompt(guard, address, null)).toBeUndefined()
  expect(await guard.admitFile({ principal: null, address })).toBeUndefined()
  expect(await prompt(guard, address, null)).toMatchObject({ code: 'too_many_visitors' })
  expect(await prompt(guard, address)).toBeUndefined()
})

test('while the queue is full for its network a prompt is turned away before its body is read, except on this machine', async () => {
  const address = newAddress()
  const queue = queueOf({ maxRunning: 1, maxPending: 1 })
  const guard = guarded({}, { queue })
  expect(await (await admitted(guard, newAddress())).enter({ gone: never })).toBe('entered')
  expect(guard.rejectAddress(address)).toBeUndefined()
  const waiting = (await admitted(guard, newAddress())).enter({ gone: never })
  expect(guard.rejectAddress(address)).toMatchObject({ code: 'server_busy' })
  expect(guard.rejectAddress('127.0.0.1')).toBeUndefined()
  expect(
    guarded({}, { queue: queueOf({ maxPending: 0, maxRunning: 0 }), exemptsLoopback: false }).rejectAddress('127.0.0.1'),
  ).toMatchObject({
    code: 'server_busy',
  })
  queue.close()
  expect(await waiting).toMatchObject({ code: 'shutting_down' })
})

test('prompts of a network wait behind each other, and an answer that ends makes room', async () => {
  const queue = queueOf({ maxRunning: 1 })
  const guard = guarded({}, { queue })
  const [busy, quiet] = [newAddress(), newAddress()]
  const order: string[] = []
  const ends = new Map<string, () => void>()
  const entering: Promise<unknown>[] = []
  for (const [name, address] of [
    ['first', busy],
    ['second', busy],
    ['third', busy],
    ['quiet', quiet],
  ] as const) {
    const admission = await admitted(guard, address)
    ends.set(name, admission.end)
    entering.push(admission.enter({ gone: never }).then(() => order.push(name)))
  }
  for (let entered = 1; entered <= 4; entered += 1) {
    await vi.waitFor(() => expect([order.length, queue.running]).toEqual([entered, 1]), { timeout: 120_000 })
    ends.get(order[entered - 1] ?? '')?.()
  }
  await Promise.all(entering)
  expect([order, queue.running]).toEqual([['first', 'second', 'quiet', 'third'], 0])
})

test('a prompt whose sender leaves waits no longer, and none enters at shutdown', async () => {
  const queue = queueOf({ maxRunning: 0 })
  const guard = guarded({}, { queue })
  const leaving = new AbortController()
  const left = (await admitted(guard, newAddress())).enter({ gone: () => leaving.signal })
  leaving.abort()
  expect(await left).toBe('left')
  queue.close()
  expect(await (await admitted(guard, newAddress())).enter({ gone: never })).toMatchObject({ code: 'shutting_down' })
})

/** Challenges that only the solution `right` solves, and the pseudonyms of the networks they were for. */
function challenges() {
  const keys: string[] = []
  const of = {
    accept: async ({ solution }: { solution: unknown }) => (solution === 'right' ? async () => undefined : undefined),
    challenge: async (key: string) => {
      keys.push(key)
      return {}
    },
  } as unknown as ProofOfWork
  return { of, keys }
}

test('work is asked of browsers on a busy network, and of nobody else', async () => {
  const address = newAddress()
  const { of } = challenges()
  const guard = guarded({ networkPromptsPerMinute: 4 }, { proof: { mode: 'auto', of } })
  for (let sent = 0; sent < 2; sent += 1) expect(await prompt(guard, address)).toBeUndefined()
  const asks = async (sending: object, from = address) =>
    await guard.admitPrompt({ principal: newVisitor(), address: from }, { ...SENDING, ...sending })
  expect(await asks({})).toMatchObject({ code: 'proof_of_work_required', challenge: {} })
  expect(await asks({ isBrowser: false })).toMatchObject({ kind: 'admitted' })
  expect(await asks({ solved: { solution: 'right' } as unknown as SolvedChallenge })).toMatchObject({ kind: 'admitted' })
  expect(await asks({ solved: { solution: 'wrong' } as unknown as SolvedChallenge })).toMatchObject({ code: 'proof_of_work_required' })
  expect(await asks({}, newAddress())).toMatchObject({ kind: 'admitted' })
})

test('challenges are given as often as a visitor may read, and to a network instead of an address', async () => {
  const { of, keys } = challenges()
  const guard = guarded({ readsPerMinute: 1 }, { proof: { mode: 'always', of } })
  const requester = { principal: newVisitor(), address: newAddress() }
  expect(await guard.admitPrompt(requester, SENDING)).toMatchObject({ code: 'proof_of_work_required' })
  expect(await guard.admitPrompt(requester, SENDING)).toMatchObject({ code: 'too_many_requests' })
  keys.length = 0
  for (const address of ['2001:db8:7:1::1', '2001:db8:7:1::2', '2001:db8:7:2::1'])
    expect(await guard.admitPrompt({ principal: newVisitor(), address }, SENDING)).toMatchObject({ challenge: {} })
  expect([keys[0] === keys[1], keys[0] === keys[2]]).toEqual([true, false])
  expect(keys.join()).not.toContain('2001:')
})

test('reads, writes and polls are counted by themselves', async () => {
  const guard = guarded({ readsPerMinute: 1, writesPerMinute: 2, networkPollsPerMinute: 1 })
  const requester = { principal: newVisitor(), address: newAddress() }
  expect(await guard.admitFrequent('read', requester)).toBeUndefined()
  expect(await guard.admitFrequent('read', requester)).toMatchObject({ code: 'too_many_requests', retryAfterS: 60 })
  for (const over of [false, false, true]) expect((await guard.admitFrequent('write', requester)) !== undefined).toBe(over)
  expect(await guard.admitFrequent('poll', requester)).toBeUndefined()
  expect(await guard.admitFrequent('poll', { ...requester, principal: newVisitor() })).toMatchObject({ code: 'too_many_requests' })
  // Only over a limit of prompts, which cost something, is a network turned away.
  expect(guard.rejectAddress(requester.address)).toBeUndefined()
  for (let index = 0; index < 5; index += 1)
    expect(await guard.admitFrequent('poll', { principal: newVisitor(), address: '::1' })).toBeUndefined()
})

test('a turn that its accounts have no room for is tried with one lookup, then with the fallback', async () => {
  const price = { input: 2, output: 8 }
  const guard = guarded({}, { prices: { of: () => price, fallback: { price: { input: 1, output: 1 } } } })
  const { budgets } = await admitted(guard, newAddress(), newVisitor(), { promptTokens: 500 })
  const money = budgets.map((budgetFor) => {
    const { model, allowance, reservations } = budgetFor('assistant')
    const reserved = reservations.find(({ account }) => account.startsWith('money'))
    return [model, allowance?.inputTokens, reserved?.inputPrice, reserved?.fallback?.inputPrice]
  })
  expect(money).toEqual([
    ['primary', 10_000, 2_000, 1_000],
    ['primary', 9_000, 2_000, 1_000],
    ['fallback', 10_000, 1_000, undefined],
  ])
})

test('files are limited by visitor', async () => {
  const guard = guarded({ filesPerHour: 1 })
  const requester = { principal: newVisitor(), address: newAddress() }
  expect(await guard.admitFile(requester)).toBeUndefined()
  expect(await guard.admitFile(requester)).toMatchObject({ code: 'too_many_files' })
  expect(await guard.admitFile({ ...requester, principal: newVisitor() })).toBeUndefined()
})
