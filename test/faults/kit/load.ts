import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { eventually } from '../../support/eventually.ts'
import type { TestServer } from '../../support/server.ts'
import { type Acknowledged, brokenBy, promptsStoredTwice, type Sent, whenEnded } from './acknowledged.ts'
import type { StaffAtWork } from './staff-at-work.ts'
import { knownVisitor } from './stage.ts'
import { sessionsWithGaps } from './stored-rows.ts'
import { expectBody, type Visitor } from './visitor.ts'

const VISITORS = 20
const AGAIN_AFTER_MS = 250
/** Longer than answers are buffered for a database that is away (R9), and than it takes another process to notice a dead one. */
const ENDED_LIMIT_MS = 120_000
/** Codes of a server that can't reach its database; the outcome of others is not open. */
const AWAY = ['storage_unavailable', 'storage_full']

export interface LoadFigures {
  acknowledged: number
  /** Replies that the database is away, and broken connections: the prompt was sent again with its key. */
  sentAgain: number
  /** Answers that ended as interrupted or failed, and say so. */
  cut: number
  staffChanges: number
  /** Violated guarantees; empty if none. */
  broken: string[]
}

/** Visitors and staff at work while something breaks. */
interface Load {
  /** Resolves when this many more prompts are acknowledged. */
  more(prompts: number): Promise<void>
}

/** Twenty visitors chat at these processes of one installation, and staff work, while `faults` happen; then compares what is there with what was shown. */
export async function underLoad(
  servers: readonly Pick<TestServer, 'url' | 'env' | 'dataDirectory'>[],
  staff: StaffAtWork | null,
  faults: (load: Load) => Promise<void>,
): Promise<LoadFigures> {
  const figures: LoadFigures = { acknowledged: 0, sentAgain: 0, cut: 0, staffChanges: 0, broken: [] }
  const visitors = await Promise.all(
    Array.from({ length: VISITORS }, (_, index) => knownVisitor((servers[index % servers.length] as TestServer).url)),
  )
  const ending = new AbortController()
  const all: Acknowledged[] = []

  /** Sends it until it is acknowledged, as the page does. */
  async function acknowledged(sent: Sent): Promise<Acknowledged | null> {
    for (;;) {
      const outcome = await sent.visitor.send(sent.prompt, sent)
      if (outcome.kind === 'reading') {
        await outcome.begun
        if (outcome.turn) return { ...sent, reading: outcome }
      }
      if (outcome.kind === 'rejected' && !AWAY.includes(outcome.code)) {
        figures.broken.push(`"${sent.prompt}" got ${outcome.status} ${outcome.code}`)
        return null
      }
      figures.sentAgain += 1
      await pause(AGAIN_AFTER_MS)
    }
  }

  async function chat(visitor: Visitor, index: number): Promise<void> {
    for (let count = 1; !ending.signal.aborted; count += 1) {
      const prompt = `${index % 4 === 0 ? 'quick' : 'slow'} prompt ${count} of visitor ${index}.`
      const one = await acknowledged({ visitor, session: undefined, prompt, key: randomUUID(), reading: null })
      if (!one) return
      figures.acknowledged += 1
      all.push(one)
      await one.reading.ended
    }
  }

  const jobs: Promise<void>[] = visitors.map(chat)
  if (staff) jobs.push(staff.work(ending.signal))
  try {
    await faults({
      more(prompts) {
        const wanted = figures.acknowledged + prompts
        return eventually(() => {
          if (figures.acknowledged < wanted) throw new Error(`${figures.acknowledged} of ${wanted} prompts are acknowledged`)
        })
      },
    })
  } finally {
    ending.abort()
    await Promise.all(jobs)
  }
  for (const one of all) {
    one.visitor.isPatient = true
    if ((await whenEnded(one, performance.now(), ENDED_LIMIT_MS)) === null) figures.broken.push(`"${one.prompt}" still runs`)
    figures.broken.push(...(await brokenBy(one)))
    if (expectBody(await one.visitor.turn(one.reading.turn)).status !== 'done') figures.cut += 1
  }
  const [server] = servers as [TestServer]
  for (const { session_id } of await sessionsWithGaps(server)) figures.broken.push(`session ${session_id} has a gap`)
  for (const { parts } of await promptsStoredTwice(server)) figures.broken.push(`${parts} is stored more than once`)
  if (staff) figures.broken.push(...(await staff.check()))
  figures.staffChanges = staff?.acknowledged ?? 0
  return figures
}
