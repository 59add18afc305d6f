import { setTimeout as pause } from 'node:timers/promises'
import type { TestServer } from '../../support/server.ts'
import { storedRows } from './stored-rows.ts'
import { answerOf, expectBody, type Reading, spokenIn, type Visitor } from './visitor.ts'

const POLL_MS = 25

export interface Sent {
  visitor: Visitor
  prompt: string
  key: string
  session: string | undefined
  /** The shown text; null if the connection broke before acknowledgement. */
  reading: Reading | null
}

export type Acknowledged = Sent & { reading: Reading }

/** When the turn had ended; null after the time limit. */
export async function whenEnded({ visitor, reading }: Acknowledged, since: number, limitMs: number): Promise<number | null> {
  for (;;) {
    const { status } = expectBody(await visitor.turn(reading.turn))
    const now = performance.now()
    if (status !== 'running') return now
    if (now - since > limitMs) return null
    await pause(POLL_MS)
  }
}

/** Guarantees that the stored prompt and answer violate: each is there once, the answer with all that was shown. */
export async function brokenBy({ visitor, prompt, reading }: Acknowledged): Promise<string[]> {
  const detail = expectBody(await visitor.session(reading.session))
  const broken: string[] = []
  const times = spokenIn(detail).filter((line) => line === `human: ${prompt}`).length
  if (times !== 1) broken.push(`"${prompt}" is stored ${times} times`)
  const answers = detail.messages.filter(({ role, metadata }) => role === 'assistant' && metadata?.turnId === reading.turn).length
  if (answers > 1) broken.push(`"${prompt}" has ${answers} answers`)
  const answer = answerOf(detail, reading.turn)
  if (!answer) return [...broken, `"${prompt}" has no answer, not even an interrupted one`]
  if (!answer.text.startsWith(reading.text)) broken.push(`"${prompt}": shown "${reading.text}", stored "${answer.text}"`)
  const expected = reading.status === null ? ['done', 'interrupted'] : [reading.status]
  if (!expected.includes(answer.status ?? '')) broken.push(`"${prompt}" ended as ${answer.status}, shown as ${reading.status}`)
  return broken
}

export function promptsStoredTwice(server: Pick<TestServer, 'env' | 'dataDirectory'>): Promise<{ parts: string }[]> {
  return storedRows(server, "SELECT parts FROM messages WHERE role = 'user' AND parts LIKE '%prompt%' GROUP BY parts HAVING count(*) > 1")
}
