import fc from 'fast-check'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { TestDatabase } from '../../support/databases.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { type Acknowledged, brokenBy, promptsStoredTwice, type Sent, whenEnded } from './acknowledged.ts'
import { startModelProcess } from './model-process.ts'
import { StaffAtWork, withStaff } from './staff-at-work.ts'
import { knownVisitor } from './stage.ts'
import { sessionsWithGaps } from './stored-rows.ts'
import { answerOf, expectBody, expectReading, type Visitor } from './visitor.ts'

const STREAMS = 20
/** Longest time from the start of the streams to a kill. */
const MAX_ALIVE_MS = 1_500
/** A start ends the turns of an earlier life itself: sooner than other processes notice (R5: 30 s). */
const RECOVERY_LIMIT_MS = 25_000

export interface CrashOptions {
  database: TestDatabase
  kills: number
  seed: number
  onKill?: (kill: number, broken: number) => void
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
      onKill?.(figures.kills, figures.broken.length)
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
  const ends = await Promise.all(acknowledged.map((one) => whenEnded(one, bootedAt, RECOVERY_LIMIT_MS)))
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
