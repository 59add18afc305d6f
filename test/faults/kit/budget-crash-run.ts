import fc from 'fast-check'
import { setTimeout as pause } from 'node:timers/promises'
import type { TestDatabase } from '../../support/databases.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { startModelProcess } from './model-process.ts'
import { knownVisitor } from './stage.ts'
import { storedRows, whenNobodyElseWrites } from './stored-rows.ts'
import type { Visitor } from './visitor.ts'

const VISITORS = 20
/** Number of answers that fit the cap, so each life of the server reaches it. */
const ANSWERS_WITHIN_THE_CAP = 7
/** In billionths: a short prompt reserves about 12,000 tokens at a millionth each. */
const UNITS_OF_AN_ANSWER = 12_100_000
const UNITS_OF_MONEY = 1e9
const UNLIMITED = '1000000'
/** Longest time from the first answer to a kill. */
const MAX_ALIVE_MS = 1_000
/** Time limit for settling open reservations after a start. */
const SETTLED_LIMIT_MS = 120_000
const POLL_MS = 25

export interface BudgetCrashOptions {
  database: TestDatabase
  kills: number
  seed: number
  onKill?: (kill: number) => void
}

export interface BudgetCrashFigures {
  kills: number
  /** Prompts that were answered, at least in part. */
  taken: number
  /** Prompts rejected because the budget was used up. */
  refused: number
  /** Turns that were running when the process was killed. */
  cut: number
  /** Highest sum of spent and reserved, as a share of the cap. */
  fullest: number
  /** Violated guarantees; empty if none. */
  broken: string[]
}

interface Account {
  spent: number
  reserved: number
}
type Accounts = Map<string, Account>

/**
 * Kills a server repeatedly during paid turns and reads the accounts while it is dead and after it restarts: never above the cap, and
 * nothing spent or reserved is released.
 */
export async function runBudgetCrashes({ database, kills, seed, onKill }: BudgetCrashOptions): Promise<BudgetCrashFigures> {
  const model = await startModelProcess()
  const prices = { PRICES: 'scripted=1/1', BUDGET_PER_DAY: UNLIMITED, BUDGET_PER_MONTH: UNLIMITED }
  const server = await startServer({ database, env: { OPENAI_BASE_URL: model.baseUrl, MODEL: 'scripted', ...prices } })
  const figures: BudgetCrashFigures = { kills: 0, taken: 0, refused: 0, cut: 0, fullest: 0, broken: [] }
  try {
    await model.script('slow', [{ text: Array.from({ length: 60 }, (_, index) => `word${index} `), tokensPerSecond: 60 }])
    await model.script('quick', [{ text: 'A quick answer, all at once.' }])
    const visitors: Visitor[] = []
    while (visitors.length < VISITORS) visitors.push(await knownVisitor(server.url))
    await server.kill('SIGKILL')
    let caps = await restartWithRoom(server, figures)
    for (const aliveMs of fc.sample(fc.integer({ min: 0, max: MAX_ALIVE_MS }), { seed, numRuns: kills })) {
      await oneLife(server, visitors, aliveMs, figures)
      figures.kills += 1
      await checkCaps(server, caps, figures)
      caps = await restartWithRoom(server, figures)
      onKill?.(figures.kills)
    }
    const [{ turns } = { turns: 0 }] = await storedRows<{ turns: number | string }>(server, 'SELECT count(*) AS turns FROM turns')
    const calls = (await model.prompts()).length
    if (calls > Number(turns)) figures.broken.push(`the model was called ${calls} times for ${turns} turns`)
    return figures
  } finally {
    await server.stop('SIGKILL')
    await model.close()
  }
}

/** All visitors send prompts until the process is killed. */
async function oneLife(server: TestServer, visitors: Visitor[], aliveMs: number, figures: BudgetCrashFigures): Promise<void> {
  const killing = new AbortController()
  const begun = Promise.withResolvers<void>()
  const live = async (visitor: Visitor, index: number) => {
    for (let prompt = 0; !killing.signal.aborted; prompt += 1) {
      const outcome = await visitor.send(`${(index + prompt) % 3 === 0 ? 'quick' : 'slow'} prompt.`)
      if (outcome.kind === 'unknown') return
      if (outcome.kind === 'reading') {
        figures.taken += 1
        begun.resolve()
        await outcome.ended
      } else {
        if (outcome.code === 'budget_exhausted') figures.refused += 1
        // A busy database stores nothing, so it spends nothing.
        else if (outcome.code !== 'storage_unavailable') figures.broken.push(`a prompt was refused as ${outcome.code}`)
        await pause(POLL_MS)
      }
    }
  }
  const lives = visitors.map(live)
  await Promise.race([begun.promise, Promise.all(lives)])
  await pause(aliveMs)
  killing.abort()
  await server.kill('SIGKILL')
  await Promise.all(lives)
}

/** While the process is dead, no account exceeds its cap. */
async function checkCaps(server: TestServer, caps: ReadonlyMap<string, number>, figures: BudgetCrashFigures): Promise<void> {
  await whenNobodyElseWrites(server)
  const accounts = await accountsOf(server)
  for (const [account, cap] of caps) {
    const total = totalOf(accounts.get(account))
    figures.fullest = Math.max(figures.fullest, total / cap)
    if (total > cap) figures.broken.push(`${account} is at ${total} of ${cap} after kill ${figures.kills}`)
  }
  const [{ running } = { running: 0 }] = await storedRows<{ running: number | string }>(
    server,
    "SELECT count(*) AS running FROM turns WHERE status = 'running'",
  )
  figures.cut += Number(running)
}

/** Restarts the process with room for more answers. Its reservations must have been spent. Returns the new caps. */
async function restartWithRoom(server: TestServer, figures: BudgetCrashFigures): Promise<Map<string, number>> {
  await whenNobodyElseWrites(server)
  const before = await accountsOf(server)
  const money = [...before].filter(([account]) => account.startsWith('money:'))
  const cap = Math.max(...money.map(([, account]) => totalOf(account))) + ANSWERS_WITHIN_THE_CAP * UNITS_OF_AN_ANSWER
  server.env['BUDGET_PER_DAY'] = server.env['BUDGET_PER_MONTH'] = (cap / UNITS_OF_MONEY).toFixed(6)
  await server.restart()
  const after = await settledAccounts(server)
  for (const [account, { reserved }] of after)
    if (reserved !== 0) figures.broken.push(`${account} still holds ${reserved} after kill ${figures.kills}`)
  for (const [account, was] of before) {
    const is = totalOf(after.get(account))
    if (is !== totalOf(was))
      figures.broken.push(`${account} was at ${totalOf(was)} when killed, and is at ${is} after kill ${figures.kills}`)
  }
  return new Map(money.map(([account]) => [account, Math.ceil(cap)]))
}

/** The accounts once nothing is reserved, or after the time limit. */
async function settledAccounts(server: TestServer): Promise<Accounts> {
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    const accounts = await accountsOf(server)
    if (waitedMs >= SETTLED_LIMIT_MS || [...accounts.values()].every(({ reserved }) => reserved === 0)) return accounts
    await pause(POLL_MS)
  }
}

/** Accounts with the sums of their rows. PostgreSQL returns bigints as text. */
async function accountsOf(server: TestServer): Promise<Accounts> {
  const rows = await storedRows<{ account: string; spent: number | string; reserved: number | string }>(
    server,
    'SELECT account, spent, reserved FROM budgets',
  )
  const accounts: Accounts = new Map()
  for (const { account, spent, reserved } of rows) {
    const [name = ''] = account.split('#')
    const before = accounts.get(name) ?? { spent: 0, reserved: 0 }
    accounts.set(name, { spent: before.spent + Number(spent), reserved: before.reserved + Number(reserved) })
  }
  return accounts
}

const totalOf = (account: Account | undefined): number => (account ? account.spent + account.reserved : 0)
