import { Agent, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cookieOf, sendPrompt } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { sampleSize } from '../support/sample-size.ts'
import { startServer, type TestServer } from '../support/server.ts'

const REQUESTS = sampleSize({ long: 2_000, short: 300 })
/** A difference by chance, such as that of a busy machine, disappears in a larger sample; one that tells visitors something stays. */
const MAX_SAMPLES = 4
const UNKNOWN = { session: 'B'.repeat(21), turn: `t_${'B'.repeat(21)}` }

/** Long answers are compared up to their headers, when the session has been decided. */
const UNTIL_HEAD = 'sending a prompt'

/** Every call that takes the id of a session or of a turn. */
const CALLS: [call: string, method: string, path: (ids: typeof UNKNOWN) => string, body: string | null][] = [
  ['loading a session', 'GET', ({ session }) => `/api/v1/sessions/${session}`, null],
  ['exporting a session', 'GET', ({ session }) => `/api/v1/sessions/${session}/export`, null],
  ['deleting a session', 'DELETE', ({ session }) => `/api/v1/sessions/${session}`, null],
  [UNTIL_HEAD, 'POST', ({ session }) => `/api/v1/agent/chat/me?session_id=${session}`, '{"prompt":"hello"}'],
  ['looking at a turn', 'GET', ({ turn }) => `/api/v1/turns/${turn}`, null],
  ['polling a turn', 'GET', ({ turn }) => `/api/v1/turns/${turn}/events?wait=0`, null],
  ['following a turn', 'GET', ({ turn }) => `/api/v1/turns/${turn}/stream`, null],
  ['stopping a turn', 'POST', ({ turn }) => `/api/v1/turns/${turn}/stop`, '{}'],
  ['trying a turn again', 'POST', ({ turn }) => `/api/v1/turns/${turn}/retry`, '{}'],
  ['going on with a turn', 'POST', ({ turn }) => `/api/v1/turns/${turn}/continue`, '{}'],
]

interface Reply {
  /** Status, headers without date and remaining quotas, and body. */
  bytes: string
  tookMs: number
}

describe.each(DATABASES)('data of another visitor is indistinguishable from missing data, on %s', (database) => {
  // An abandoned stream keeps its connection.
  const connection = new Agent({ keepAlive: true, maxSockets: 64 })
  let server: TestServer
  let stranger: string
  let foreign: typeof UNKNOWN
  beforeAll(async () => {
    server = await startServer({ database })
    stranger = cookieOf(await sendPrompt(server.url, 'me', 'hello'))
    const response = await sendPrompt(server.url, 'me', 'hello')
    const cookie = cookieOf(response)
    const { session_id: session } = (await response.json()) as { session_id: string }
    const detail = await fetch(`${server.url}/api/v1/sessions/${session}`, { headers: { cookie } })
    const { messages } = (await detail.json()) as { messages: { metadata: { turnId: string } }[] }
    foreign = { session, turn: messages[1]?.metadata.turnId ?? '' }
  })
  afterAll(async () => {
    connection.destroy()
    await server.stop()
  })

  function ask(method: string, path: string, body: string | null, untilHead: boolean): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const headers = {
        cookie: stranger,
        ...(untilHead && { accept: 'text/event-stream' }),
        ...(body !== null && { 'content-type': 'application/json', 'content-length': body.length }),
      }
      const startedAt = performance.now()
      const call = request(server.url + path, { method, agent: connection, headers }, (response) => {
        let text = ''
        const heard = () => {
          const bytes = [response.statusCode, ...response.rawHeaders, text]
            .join('\n')
            .replaceAll(/\n(?:date|ratelimit|x-request-id)\n[^\n]*/gi, '')
          resolve({ bytes, tookMs: performance.now() - startedAt })
        }
        if (untilHead) heard()
        response.setEncoding('utf8').on('data', (piece: string) => (text += piece))
        response.on('end', heard)
      })
      call.once('error', reject).end(body ?? undefined)
    })
  }

  test.each(CALLS)(
    '%s',
    async (call, method, path, body) => {
      const replies = { foreign: [] as Reply[], unknown: [] as Reply[] }
      const sample = async () => {
        for (let count = 0; count < REQUESTS / 2; count += 1) {
          // Alternates the order.
          const order = count % 2 === 0 ? (['foreign', 'unknown'] as const) : (['unknown', 'foreign'] as const)
          for (const kind of order)
            replies[kind].push(await ask(method, path(kind === 'foreign' ? foreign : UNKNOWN), body, call === UNTIL_HEAD))
        }
      }
      const isDistinguishable = () => {
        const [foreignMs, unknownMs] = [replies.foreign, replies.unknown].map((all) => all.map(({ tookMs }) => tookMs)) as [
          number[],
          number[],
        ]
        // Compares pairs of consecutive requests, so other load slows both.
        const difference = median(foreignMs.map((tookMs, index) => tookMs - (unknownMs[index] ?? Number.NaN)))
        return Math.abs(difference) >= Math.max(1, 0.05 * median(unknownMs))
      }
      await sample()
      for (let samples = 1; samples < MAX_SAMPLES && isDistinguishable(); samples += 1) await sample()
      expect(new Set([...replies.foreign, ...replies.unknown].map(({ bytes }) => bytes)).size).toBe(1)
      expect(isDistinguishable()).toBe(false)
    },
    600_000,
  )
})

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
