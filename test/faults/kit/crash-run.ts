import fc from 'fast-check'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { TestDatabase } from '../../support/databases.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { startModelProcess } from './model-process.ts'
import { StaffAtWork, withStaff } from './staff-at-work.ts'
import { knownVisitor } from './stage.ts'
import { sessionsWithGaps, storedRows } from './stored-rows.ts'
import { answerOf, expectBody, expectReading, type Reading, spokenIn, type Visitor } from './visitor.ts'

const STREAMS = 20
/** Longest time from the start of the streams to a kill. */
const MAX_ALIVE_MS = 1_500
/** A start ends the turns of an earlier life itself: sooner than other processes notice (R5: 30 s). */
const RECOVERY_LIMIT_MS = 25_000
const POLL_MS = 25

export interface CrashOptions {
  database: TestDatabase
  kills: number
  seed: number
  onKill?: (kill: number) => void
}

export interface CrashFigures {
  kills: number
  /** Prompts whose stream had started. */
  acknowledged: number
  /** Prompts without a reply that were resent with the same key. */
  sentAgain: number
  /** Acknowledged prompts whose answer was streaming at the kill. */
  cut: number
  /** Characters shown of these answers. */
  shownCharacters: number
  /** Publications, uploads, stops and their ends that were acknowledged to staff. */
  staffChanges: number
  /** Longest time from a start until no turn was running. */
  slowestRecoveryMs: number
  /** Violated guarantees; empty if none. */
  broken: string[]
}

interface Sent {
  visitor: Visitor
  prompt: string
  key: string
  session: string | undefined
  /** The shown text; null if the connection broke before acknowledgement. */
  reading: Reading | null
}

type Acknowledged = Sent & { reading: Reading }

/** Lifetimes of the server in milliseconds, determined by the seed. */
function lifetimes(kills: number, seed: number): number[] {
  return fc.sample(fc.integer({ min: 0, max: MAX_ALIVE_MS }), { seed, numRuns: kills })
}

/** Kills a server repeatedly while 20 visitors chat and staff publish, upload and stop, and compares what is there with what was shown. */
export async function runCrashes({ database, kills, seed, onKill }: CrashOptions): Promise<CrashFigures> {
  const model = await startModelProcess()
  const server = await startServer({ database, env: { OPENAI_BASE_URL: model.baseUrl, MODEL: 'scripted', ...(await withStaff()) } })
  const counts = { kills: 0, acknowledged: 0, sentAgain: 0, cut: 0, shownCharacters: 0, staffChanges: 0, slowestRecoveryMs: 0 }
  const figures: CrashFigures = { ...counts, broken: [] }
  try {
    await model.script('slow', [{ text: Array.from({ length: 80 }, (_, index) => `word${index} `), tokensPerSecond: 60 }])
    await model.script('quick', [{ text: 'A quick answer, all at once.' }])
    const visitors = await Promise.all(Array.from({ length: STREAMS }, () => knownVisitor(server.url)))
    const staff = await StaffAtWork.start(server, await knownVisitor(server.url))
    const all: Acknowledged[] = []
    for (const [life, aliveMs] of lifetimes(kills, seed).entries()) {
      const sent = await oneLife(server, visitors, staff, { aliveMs, hasAcknowledged: life === 0 })
      const acknowledged = sent.filter((one): one is Acknowledged => one.reading !== null)
      await checkLife(acknowledged, figures)
      figures.broken.push(...(await staff.check()))
      figures.staffChanges = staff.acknowledged
      await sendAgain(sent, figures)
      all.push(...acknowledged)
      figures.kills += 1
      onKill?.(figures.kills)
    }
    await checkWhole(server, all, figures)
    return figures
  } finally {
    await server.stop('SIGKILL')
    await model.close()
  }
}

let promptCount = 0

interface Life {
  aliveMs: number
  /** Whether the time starts at the first acknowledged prompt; otherwise the kill may come before any. */
  hasAcknowledged: boolean
}

/** All visitors chat and staff work until the process is killed; then it is restarted. */
async function oneLife(server: TestServer, visitors: Visitor[], staff: StaffAtWork, { aliveMs, hasAcknowledged }: Life): Promise<Sent[]> {
  const sent: Sent[] = []
  const acknowledged = Promise.withResolvers<void>()
  const killing = new AbortController()
  const live = async (visitor: Visitor, index: number) => {
    let session: string | undefined
    while (!killing.signal.aborted) {
      promptCount += 1
      const one: Sent = {
        visitor,
        session,
        prompt: `${index % 4 === 0 ? 'quick' : 'slow'} prompt ${promptCount}.`,
        key: randomUUID(),
        reading: null,
      }
      sent.push(one)
      const reading = await visitor.send(one.prompt, one)
      if (reading.kind === 'unknown') return
      await expectReading(reading).begun
      // Without a turn id, nothing was acknowledged.
      if (!expectReading(reading).turn) return
      one.reading = expectReading(reading)
      acknowledged.resolve()
      session = one.reading.session
      await one.reading.ended
    }
  }
  const lives: Promise<void>[] = visitors.map(live)
  lives.push(staff.work(killing.signal))
  if (hasAcknowledged) await Promise.race([acknowledged.promise, Promise.all(lives)])
  await pause(aliveMs)
  killing.abort()
  await server.kill('SIGKILL')
  await Promise.all(lives)
  await server.restart()
  return sent
}

async function checkLife(acknowledged: Acknowledged[], figures: CrashFigures): Promise<void> {
  const bootedAt = performance.now()
  const ends = await Promise.all(acknowledged.map((one) => whenEnded(one, bootedAt)))
  figures.slowestRecoveryMs = Math.max(figures.slowestRecoveryMs, ...ends.map((end) => (end ?? bootedAt) - bootedAt))
  figures.acknowledged += acknowledged.length
  for (const [index, one] of acknowledged.entries()) {
    if (ends[index] === null) figures.broken.push(`"${one.prompt}" still runs ${RECOVERY_LIMIT_MS} ms after the boot`)
    figures.broken.push(...(await brokenBy(one)))
    if (one.reading.status !== null) continue
    figures.cut += 1
    figures.shownCharacters += one.reading.text.length
  }
}

/** When the turn had ended; null after the time limit. */
async function whenEnded({ visitor, reading }: Acknowledged, bootedAt: number): Promise<number | null> {
  for (;;) {
    const { status } = expectBody(await visitor.turn(reading.turn))
    const now = performance.now()
    if (status !== 'running') return now
    if (now - bootedAt > RECOVERY_LIMIT_MS) return null
    await pause(POLL_MS)
  }
}

async function brokenBy({ visitor, prompt, reading }: Acknowledged): Promise<string[]> {
  const detail = expectBody(await visitor.session(reading.session))
  const broken: string[] = []
  const times = spokenIn(detail).filter((line) => line === `human: ${prompt}`).length
  if (times !== 1) broken.push(`"${prompt}" is stored ${times} times`)
  const answer = answerOf(detail, reading.turn)
  if (!answer) return [...broken, `"${prompt}" has no answer, not even an interrupted one`]
  if (!answer.text.startsWith(reading.text)) broken.push(`"${prompt}": shown "${reading.text}", stored "${answer.text}"`)
  const expected = reading.status === null ? ['done', 'interrupted'] : [reading.status]
  if (!expected.includes(answer.status ?? '')) broken.push(`"${prompt}" ended as ${answer.status}, shown as ${reading.status}`)
  return broken
}

/** Resends prompts without a reply with the same key, as the page does, so each runs once. */
async function sendAgain(sent: Sent[], figures: CrashFigures): Promise<void> {
  const lost = sent.filter((one) => one.reading === null)
  figures.sentAgain += lost.length
  for (const one of lost) {
    const reading = expectReading(await one.visitor.send(one.prompt, one))
    await reading.begun
    one.reading = reading
    reading.leave()
    await one.visitor.stop(reading.turn)
  }
}

/** After all kills, nothing is stored twice and every end is unchanged, for turns and answers. */
async function checkWhole(server: TestServer, all: Acknowledged[], figures: CrashFigures): Promise<void> {
  for (const { session_id } of await sessionsWithGaps(server)) figures.broken.push(`session ${session_id} has a gap`)
  for (const { parts } of await promptsStoredTwice(server)) figures.broken.push(`${parts} is stored more than once`)
  for (const one of all) {
    const { status } = expectBody(await one.visitor.turn(one.reading.turn))
    const answer = answerOf(expectBody(await one.visitor.session(one.reading.session)), one.reading.turn)
    if (answer?.status !== status) figures.broken.push(`"${one.prompt}" ended as ${status}, its answer as ${answer?.status}`)
    figures.broken.push(...(await brokenBy(one)))
  }
}

function promptsStoredTwice(server: TestServer): Promise<{ parts: string }[]> {
  return storedRows(server, "SELECT parts FROM messages WHERE role = 'user' AND parts LIKE '%prompt%' GROUP BY parts HAVING count(*) > 1")
}
