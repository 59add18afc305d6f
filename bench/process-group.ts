import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { withConstants } from '../scripts/constants.mjs'
import { type PostgresCluster, startCluster } from '../test/support/postgres-cluster.ts'
import { createDatabase } from '../test/support/postgres.ts'
import { startRedis } from '../test/support/redis.ts'
import { Client } from './support/client-jobs.ts'
import { againstRival, count, type Figure, type Measurement, microseconds, milliseconds, reachesBound } from './support/measurement.ts'
import { cpuTimeMs, type Processes, type Running, withProcesses } from './support/processes.ts'
import { settingsFor } from './support/rivals.ts'
import { parleyTarget, type Target } from './support/target.ts'

const PROCESSES = [1, 4] as const
/** Of each process: capacity adds up if four with four times the work cost four times as much. */
const TOGETHER_EACH = 4
/** Prompts of one visitor wait for each other in the database. */
const VISITORS = 400
const WARM_UP_PROMPTS = 800
const PROMPTS = 1_500
const ROUNDS = 3
/** Of each process: most of two cores is idle meanwhile, so that processes rarely wait for each other. */
const PACED_PER_SECOND = 25
const PACED_MS = 15_000
const STREAMS_EACH = 40
const TOKENS_PER_SECOND = 50
const SETTLE_MS = 2_000
/** The code of each process is compiled by then. */
const WARM_UP_MS = 10_000
const WINDOW_MS = 6_000
const ALLOWED = 1.15
const calls = (value: number) => value.toFixed(2)
/** Prompts must not wait because a machine that the client, the model and the databases share is slow. */
const UNHURRIED = { ...withConstants({ maxLagMs: 10_000, maxWaitMs: 20_000 }) }
/** Each visitor has a network of its own. */
const APART = { TRUSTED_PROXIES: '127.0.0.1', CLIENT_IDS: 'any', LIMIT_NEW_VISITORS_PER_HOUR: '1000000' }
/** Streams are added in steps until the gap between tokens has doubled. */
const STREAM_STEPS = [50, 100, 200, 300, 400, 500, 600, 800, 1_000]
/** Of all steps, with time to open the streams. */
const LONG_ANSWER_MS = (STREAM_STEPS.length + 2) * (SETTLE_MS + WINDOW_MS)
/** Of one measurement, with time to open the streams: answers go on when nobody reads them any more. */
const OPENING_MS = 8_000
const SHORT_ANSWER_MS = OPENING_MS + WARM_UP_MS + WINDOW_MS

/** Settings of a model whose answers take so long. */
const streamingFor = (ms: number) => [
  '--text',
  Array.from({ length: (ms * TOKENS_PER_SECOND) / 1000 }, () => '~word').join(' '),
  '--tokens-per-second',
  String(TOKENS_PER_SECOND),
]

/** Processor time for a prompt and for a token with four processes on one port, compared with one, on PostgreSQL and Redis. */
export const processGroup: Figure = {
  name: 'process-group',
  async measure() {
    const redis = await startRedis()
    const postgres = await startCluster()
    try {
      const prompts = await withProcesses((processes) => measurePrompts(processes, postgres, redis.url))
      const tokens = await withProcesses((processes) => measureTokens(processes, postgres, redis.url))
      return [...prompts, ...tokens]
    } finally {
      await redis.kill()
      await postgres.stop()
    }
  },
}

type Servers = Record<(typeof PROCESSES)[number], Running>

interface Place {
  processes: Processes
  postgres: PostgresCluster
  /** `null` for none. */
  redisUrl: string | null
  model: Running
}

/** A server of so many processes with a database of its own. */
async function startServer({ processes, postgres, redisUrl, model }: Place, number: number): Promise<Running> {
  const { url } = await createDatabase(postgres.url)
  const settings = {
    ...settingsFor(model),
    DATABASE_URL: url,
    ...(redisUrl !== null && { REDIS_URL: redisUrl }),
    PROCESSES: String(number),
    MAX_RUNNING_TURNS: '2000',
    ...UNHURRIED,
    ...APART,
  }
  return processes.parley({ settings, dataDirectory: processes.folder() })
}

async function startServers(place: Place): Promise<Servers> {
  return { 1: await startServer(place, 1), 4: await startServer(place, 4) }
}

async function measurePrompts(processes: Processes, postgres: PostgresCluster, redisUrl: string): Promise<Measurement[]> {
  const place = { processes, postgres, redisUrl, model: await processes.model([]) }
  const servers = await startServers(place)
  const client = new Client(processes)
  const targets = targetsOf(servers, 'application/json')
  const apart = await startApart(place, 'application/json')
  const clientsApart = apart.map(() => new Client(processes))
  const promptsApart = (each: number) =>
    Promise.all(
      clientsApart.map((one, index) => one.number({ kind: 'in-turn', target: apart[index]!.target, together: TOGETHER_EACH, total: each })),
    )
  const promptsOf = (number: 1 | 4, together: number, total: number) =>
    client.number({ kind: 'in-turn', target: targets[number], together, total })
  for (const number of PROCESSES) await promptsOf(number, TOGETHER_EACH * number, WARM_UP_PROMPTS * number)
  await promptsApart(WARM_UP_PROMPTS)
  const loads: { pids: number[]; send: () => Promise<unknown>; used: Cost }[] = [
    { pids: [servers[1].pid], send: () => promptsOf(1, TOGETHER_EACH, PROMPTS) },
    { pids: [servers[4].pid], send: () => promptsOf(4, TOGETHER_EACH * 4, PROMPTS) },
    { pids: [servers[4].pid], send: () => promptsOf(4, TOGETHER_EACH, PROMPTS) },
    { pids: apart.map(({ pid }) => pid), send: () => promptsApart(PROMPTS / apart.length) },
  ].map((load) => ({ ...load, used: { cpuMs: 0, calls: 0 } }))
  for (let round = 0; round < ROUNDS; round += 1)
    for (const { pids, send, used } of loads) {
      const before = costOfGroups(pids)
      await send()
      const after = costOfGroups(pids)
      used.cpuMs += after.cpuMs - before.cpuMs
      used.calls += after.calls - before.calls
    }
  const [one, four, fourSharing, fourApart] = loads.map(({ used }) => ({
    cpuMs: used.cpuMs / (ROUNDS * PROMPTS),
    calls: used.calls / (ROUNDS * PROMPTS),
  }))
  if (!one || !four || !fourSharing || !fourApart) throw new Error('No load was measured.')
  const cpuOfOne = { name: 'one', value: one.cpuMs }
  const paced = { 1: { cpuMs: 0, prompts: 0 }, 4: { cpuMs: 0, prompts: 0 } }
  for (let round = 0; round < ROUNDS; round += 1)
    for (const number of PROCESSES) {
      const { cpuMs, prompts } = await atPace(client, targets[number], servers[number].pid, PACED_PER_SECOND * number)
      paced[number].cpuMs += cpuMs
      paced[number].prompts += prompts
    }
  return [
    againstRival('processor time of a prompt, four processes with four times the prompts', four.cpuMs, cpuOfOne, milliseconds, ALLOWED),
    againstRival('the same, four processes that share the prompts of one', fourSharing.cpuMs, cpuOfOne, milliseconds),
    againstRival(
      `processor time of a prompt, ${PACED_PER_SECOND} a second in each of four processes`,
      paced[4].cpuMs / paced[4].prompts,
      { name: 'one', value: paced[1].cpuMs / paced[1].prompts },
      milliseconds,
      ALLOWED,
    ),
    againstRival(
      'processor time of a prompt, compared with four servers that share nothing but the machine',
      four.cpuMs,
      { name: 'four apart', value: fourApart.cpuMs },
      milliseconds,
      ALLOWED,
    ),
    againstRival(
      'reads and writes of a prompt, four processes with four times the prompts',
      four.calls,
      { name: 'one', value: one.calls },
      calls,
    ),
  ]
}

/** Sends so many prompts a second, whether or not earlier ones are answered. Resolves with what they cost and how many were answered. */
async function atPace(client: Client, target: Target, pid: number, perSecond: number): Promise<{ cpuMs: number; prompts: number }> {
  const before = costOfGroup(pid).cpuMs
  await client.number({ kind: 'start-flood', target, perSecond })
  await pause(PACED_MS)
  const prompts = await client.number({ kind: 'stop-flood' })
  const cpuMs = costOfGroup(pid).cpuMs - before
  // Until the last answers have ended.
  await pause(SETTLE_MS)
  return { cpuMs, prompts }
}

interface Apart {
  pid: number
  target: Target
}

/** Four servers of one process each, which share nothing but the machine and its databases. */
async function startApart(place: Place, accept: 'application/json' | 'text/event-stream'): Promise<[Apart, Apart, Apart, Apart]> {
  const start = async (number: number) => {
    const { url, pid } = await startServer(place, 1)
    return { pid, target: targetOf(`apart ${number}`, url, accept) }
  }
  return [await start(1), await start(2), await start(3), await start(4)]
}

async function measureTokens(processes: Processes, postgres: PostgresCluster, redisUrl: string): Promise<Measurement[]> {
  const place = { processes, postgres, redisUrl, model: await processes.model(streamingFor(SHORT_ANSWER_MS)) }
  const servers = await startServers(place)
  const client = new Client(processes)
  const targets = targetsOf(servers, 'text/event-stream')
  const of = (number: 1 | 4, streams: number) => perToken(client, targets[number], servers[number].pid, streams)
  const one = await of(1, STREAMS_EACH)
  const four = await of(4, STREAMS_EACH * 4)
  const fourSharing = await of(4, STREAMS_EACH)
  const apart = await perTokenApart({ ...place, redisUrl: null }, client)
  const { url } = await startServer({ ...place, model: await processes.model(streamingFor(LONG_ANSWER_MS)) }, 1)
  const held = await streamsHeld(client, targetOf('held', url, 'text/event-stream'))
  return [
    againstRival(
      `processor time of a token, ${STREAMS_EACH} streams in each of four processes`,
      four.cpuUs,
      { name: 'one', value: one.cpuUs },
      microseconds,
      ALLOWED,
    ),
    againstRival(`the same, ${STREAMS_EACH} streams in all`, fourSharing.cpuUs, { name: 'one', value: one.cpuUs }, microseconds),
    againstRival(
      `reads and writes of a token, ${STREAMS_EACH} streams in each of four processes`,
      four.calls,
      { name: 'one', value: one.calls },
      calls,
    ),
    againstRival(
      'processor time of a token, compared with four servers that share nothing but the machine',
      four.cpuUs,
      { name: 'four apart', value: apart },
      microseconds,
      ALLOWED,
    ),
    reachesBound(
      `streams of ${TOKENS_PER_SECOND} tokens a second of one process before the gap between tokens doubles (p95)`,
      held,
      STREAM_STEPS[0] ?? 0,
      count,
    ),
  ]
}

/** A token of one of four servers that have as many streams each, and share nothing but the machine. */
async function perTokenApart(place: Place, client: Client): Promise<number> {
  const [measured, ...others] = await startApart(place, 'text/event-stream')
  const background = new Client(place.processes)
  for (const { target } of others) await background.number({ kind: 'open-streams', target, streams: STREAMS_EACH })
  const { cpuUs } = await perToken(client, measured.target, measured.pid, STREAMS_EACH)
  await background.number({ kind: 'close-streams' })
  await pause(OPENING_MS)
  return cpuUs
}

async function perToken(client: Client, target: Target, pid: number, streams: number): Promise<{ cpuUs: number; calls: number }> {
  await client.number({ kind: 'open-streams', target, streams })
  await pause(WARM_UP_MS)
  const [before, tokensBefore] = [costOfGroup(pid), await client.number({ kind: 'count-tokens' })]
  await pause(WINDOW_MS)
  const [after, tokensAfter] = [costOfGroup(pid), await client.number({ kind: 'count-tokens' })]
  await client.number({ kind: 'close-streams' })
  // Until their answers have ended.
  await pause(OPENING_MS)
  const tokens = tokensAfter - tokensBefore
  return { cpuUs: ((after.cpuMs - before.cpuMs) * 1000) / tokens, calls: (after.calls - before.calls) / tokens }
}

/** The most streams, in steps, whose gap between tokens is at most twice that of the first step. */
async function streamsHeld(client: Client, target: Target): Promise<number> {
  let held = 0
  let first: number | undefined
  for (const streams of STREAM_STEPS) {
    await client.number({ kind: 'open-streams', target, streams: streams - held })
    await pause(SETTLE_MS)
    const gap = await client.number({ kind: 'token-gap', windowMs: WINDOW_MS })
    first ??= gap
    if (gap > 2 * first) break
    held = streams
  }
  await client.number({ kind: 'close-streams' })
  return held
}

function targetOf(name: string, url: string, accept: 'application/json' | 'text/event-stream'): Target {
  return { ...parleyTarget(name, url, accept, 'visitor'), visitors: VISITORS }
}

function targetsOf(servers: Servers, accept: 'application/json' | 'text/event-stream'): Record<1 | 4, Target> {
  return { 1: targetOf('1', servers[1].url, accept), 4: targetOf('4', servers[4].url, accept) }
}

/** Processor time in milliseconds, and system calls that read or write, of which other load on the machine changes little. */
interface Cost {
  cpuMs: number
  calls: number
}

/** What a process and those that it started have used. */
const costOfGroup = (pid: number): Cost => costOfGroups([pid])

function costOfGroups(pids: readonly number[]): Cost {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && pids.includes(parentOf(name) ?? 0))
  const group = [...pids, ...children.map(Number)]
  return { cpuMs: sumOf(group, cpuTimeMs), calls: sumOf(group, readsAndWrites) }
}

function sumOf(group: readonly number[], of: (pid: number) => number): number {
  return group.reduce((sum, pid) => sum + of(pid), 0)
}

function readsAndWrites(pid: number): number {
  return [...readFileSync(`/proc/${pid}/io`, 'utf8').matchAll(/^sysc[rw]: (\d+)/gm)].reduce((sum, [, number]) => sum + Number(number), 0)
}

function parentOf(pid: string): number | undefined {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  } catch {
    return undefined
  }
}
