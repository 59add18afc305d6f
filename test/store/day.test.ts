import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Rejection, rejection } from '../../src/contract/rejection.ts'
import type { BudgetLimits } from '../../src/server/limits/budget.ts'
import { Guard } from '../../src/server/limits/guard.ts'
import { type Limits, LIMITS } from '../../src/server/limits/limit-settings.ts'
import { FairQueue } from '../../src/server/limits/fair-queue.ts'
import { steadyClock } from '../../src/server/limits/steady-clock.ts'
import { reserveBudgets, reserving, settleBudgets } from '../../src/server/store/turns/budgets.ts'
import type { Database } from '../../src/server/store/engine/database.ts'
import { BOTH_DATABASES } from '../support/databases.ts'
import { type OpenedDatabase, openTestDatabase } from '../support/test-database.ts'
import { purgeEnded } from '../../src/server/store/sessions/retention.ts'

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000]
/** In Berlin, the hour after this one in UTC occurs twice. */
const MIDNIGHT = Date.UTC(2026, 9, 25)
const NEXT_MIDNIGHT = Date.UTC(2026, 9, 26)
const NEXT_MONTH = Date.UTC(2026, 10, 1)

const A_MINUTE = 2
const A_DAY = 120
/** An answer reserves exactly what it spends, which is one. The daily budget is for 150 answers, the monthly one for 200. */
const ANSWER = { inputTokens: 10_000, outputTokens: 0 }
const PRICE = { input: 100, output: 0 }
const BUDGETS: BudgetLimits = {
  turn: ANSWER,
  tokensPerDay: 1e9,
  networkTokensPerDay: 1e9,
  moneyPerDay: 150,
  moneyPerMonth: 200,
}
const DEFAULTS = Object.fromEntries(Object.entries(LIMITS).map(([name, { defaultValue }]) => [name, defaultValue])) as Record<
  keyof typeof LIMITS,
  number
>
const QUOTAS: Limits = { ...DEFAULTS, promptsPerMinute: A_MINUTE, promptsPerDay: A_DAY, limitLoopback: false }

const VALUES = { limits: QUOTAS, budgets: BUDGETS }

/** A guard with a wall clock that the test sets. */
function machine(database: Database) {
  const time = { wall: MIDNIGHT - HOUR, monotonic: 0 }
  const now = steadyClock({ wall: () => time.wall, monotonic: () => time.monotonic })
  const queue = new FairQueue({ maxRunning: 10, maxPending: 10, maxWaitMs: 1, isSlow: () => false, now: () => time.monotonic })
  const guard = new Guard({
    database,
    values: () => VALUES,
    queue,
    prices: { of: () => PRICE, fallback: null },
    proof: null,
    exemptsLoopback: true,
    isModerated: false,
    now,
    onFault: (message, cause) => {
      throw new Error(message, { cause })
    },
  })
  const pass = (ms: number) => {
    time.wall += ms
    time.monotonic += ms
    now()
  }
  const set = (ms: number) => {
    time.wall += ms
  }
  return { guard, now, pass, set, until: (moment: number) => pass(moment - now()) }
}

type Fate = { kind: 'answered' } | Rejection

class Unpaid extends Error {}

/** Sends a prompt of this visitor, and has it answered and charged. */
async function ask(database: Database, guard: Guard, visitor: string): Promise<Fate> {
  const sending = { promptTokens: 0, isBrowser: true, solved: undefined }
  const admission = await guard.admitPrompt({ principal: visitor, address: '127.0.0.1' }, sending)
  if (admission.kind === 'rejected') return admission
  const { reservations } = admission.budgets[0]('assistant')
  let rejected: Rejection | undefined
  const commit = reserving(database, async (transaction) => {
    const over = await admission.count.stored(transaction)
    const exceeded = over ? undefined : await reserveBudgets(transaction, reservations)
    if (!over && !exceeded) return settleBudgets(transaction, reservations, ANSWER)
    rejected = over ?? rejection(exceeded!.code, { retryAfterS: exceeded!.retryAfterS })
    throw new Unpaid()
  })
  await commit.catch(async (error: unknown) => {
    if (!(error instanceof Unpaid)) throw error
    await admission.giveBack()
  })
  admission.end()
  return rejected ?? { kind: 'answered' }
}

describe.each(BOTH_DATABASES)('a day on %s', (kind) => {
  let opened: OpenedDatabase
  let zone: string | undefined
  beforeAll(async () => {
    zone = process.env['TZ']
    process.env['TZ'] = 'Europe/Berlin'
    opened = await openTestDatabase(kind)
  })
  afterAll(async () => {
    await opened.remove()
    if (zone === undefined) delete process.env['TZ']
    else process.env['TZ'] = zone
  })

  test('limits prompts per minute and per day, and money per day, each until its reset time', async () => {
    expect([MIDNIGHT, NEXT_MIDNIGHT].map((time) => new Date(time).getTimezoneOffset())).toEqual([-120, -60])
    const { database } = opened
    const { guard, now, pass, set, until } = machine(database)
    /** Sends prompts until one is rejected. Returns the number of answers, and the rejection. */
    const askAll = async (visitor: string) => {
      for (let answered = 0; ; answered += 1) {
        const fate = await ask(database, guard, visitor)
        if (fate.kind === 'rejected') return { answered, code: fate.code, retryAfterS: fate.retryAfterS! }
      }
    }
    /** Expects rejections until the reported second, and acceptance from then on. */
    const opensWhenSaid = async (visitor: string, { code, retryAfterS }: { code: string; retryAfterS: number }) => {
      pass(retryAfterS * SECOND - 1)
      expect(await ask(database, guard, visitor)).toMatchObject({ kind: 'rejected', code, retryAfterS: 1 })
      pass(1)
    }

    // The last prompts of the day before. Purging runs all the time, and resets nothing early.
    until(MIDNIGHT - 20 * SECOND)
    const eve = await askAll('eve')
    expect(eve).toMatchObject({ answered: A_MINUTE, code: 'too_many_prompts', retryAfterS: 20 })
    await purgeEnded(database, 'quota_counts', now(), 1_000)
    await opensWhenSaid('eve', eve)
    expect(now()).toBe(MIDNIGHT)

    // Every ten minutes a visitor sends until they are refused, and again soon after: through the hour that is told twice, and a clock
    // that is set ahead and back. Until that is right again its minutes are longer or shorter; never is there more in one.
    const byMinute = new Map<number, number>()
    const tryNow = async () => {
      const minute = Math.floor(now() / MINUTE)
      const { answered, ...rejected } = await askAll('ada')
      byMinute.set(minute, (byMinute.get(minute) ?? 0) + answered)
      return rejected
    }
    let last = await tryNow()
    for (let step = 0; step < DAY / (10 * MINUTE) && last.code !== 'daily_prompts_used'; step += 1) {
      if (step === 3) set(HOUR)
      if (step === 12) set(-HOUR / 2)
      pass(10 * MINUTE - 5 * SECOND)
      last = await tryNow()
      pass(5 * SECOND)
      last = await tryNow()
      await purgeEnded(database, 'quota_counts', now(), 1_000)
      await purgeEnded(database, 'budgets', now(), 1_000)
    }
    const answered = [...byMinute.values()].reduce((sum, count) => sum + count, 0)
    expect(answered).toBe(A_DAY)
    expect(Math.max(...byMinute.values())).toBe(A_MINUTE)
    expect(last.code).toBe('daily_prompts_used')
    expect(now() + last.retryAfterS * SECOND).toBe(NEXT_MIDNIGHT)

    // 30 of the daily budget are left for anyone. At midnight the budget and the prompts reset.
    let spent = 0
    for (let minute = 0; minute < 15; minute += 1) {
      spent += (await askAll(`bob-${minute}`)).answered
      pass(MINUTE)
    }
    const broke = await ask(database, guard, 'carl')
    expect([spent, broke]).toMatchObject([30, { kind: 'rejected', code: 'budget_exhausted' }])
    until(NEXT_MIDNIGHT - 10 * SECOND)
    const late = await askAll('carl')
    expect(late).toMatchObject({ answered: 0, code: 'budget_exhausted', retryAfterS: 10 })
    expect(await ask(database, guard, 'ada')).toMatchObject({ code: 'daily_prompts_used', retryAfterS: 10 })
    await opensWhenSaid('carl', late)
    expect(now()).toBe(NEXT_MIDNIGHT)
    expect((await ask(database, guard, 'ada')).kind).toBe('answered')

    // 152 are spent, including those of the day before. The month's other 48 are spent on the second day; the next month has more.
    let more = 1
    for (let visitor = 0; visitor < 25; visitor += 1) more += (await askAll(`dora-${visitor}`)).answered
    const over = await ask(database, guard, 'emil')
    expect([more, over]).toMatchObject([48, { kind: 'rejected', code: 'budget_exhausted' }])
    expect(now() + (over.kind === 'rejected' ? over.retryAfterS! : 0) * SECOND).toBe(NEXT_MONTH)
    pass(DAY)
    const nextDay = await askAll('emil')
    expect(nextDay).toMatchObject({ answered: 0, code: 'budget_exhausted' })
    await opensWhenSaid('emil', nextDay)
    expect(now()).toBe(NEXT_MONTH)
    expect((await ask(database, guard, 'emil')).kind).toBe('answered')
  })
})
