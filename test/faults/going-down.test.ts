import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { text } from 'node:stream/consumers'
import { describe, test } from 'vitest'
import { DATABASES } from '../support/databases.ts'
import { GOES_DOWN_AS_USUAL } from '../support/server.ts'
import { startStage } from './kit/stage.ts'
import { answerOf, expectBody, expectReading } from './kit/visitor.ts'
import { lockWrites } from './kit/write-lock.ts'

const STREAMS = 20

/** A connection that its client keeps open after a reply. */
class KeptConnection {
  readonly #url: string
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })

  private constructor(url: string) {
    this.#url = url
  }

  static async open(url: string): Promise<KeptConnection> {
    const kept = new KeptConnection(url)
    await kept.send('GET', '/healthz')
    return kept
  }

  send(method: string, path: string, body?: string): Promise<{ status: number | undefined; connection: string | undefined; body: string }> {
    return new Promise((resolve, reject) => {
      const headers = body === undefined ? {} : { 'content-type': 'application/json' }
      const sent = request(new URL(path, this.#url), { method, agent: this.#agent, headers })
      sent.on('error', reject)
      sent.on('response', (response) => {
        const { statusCode: status, headers: received } = response
        text(response).then((read) => resolve({ status, connection: received.connection, body: read }), reject)
      })
      sent.end(body)
    })
  }
}

/** Whether a new connection is refused. */
function isRefused(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const sent = request(url, { agent: false }, (response) => (response.resume(), resolve(false)))
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'))
    sent.end()
  })
}

describe.concurrent.each(DATABASES)('on %s', (database) => {
  test('F7: SIGTERM with 20 streams then refuses new connections, serves open ones for 5 s, gives streams 20 s to end, interrupts the rest, and notifies all readers', async ({
    expect,
  }) => {
    const stage = await startStage({ database, env: GOES_DOWN_AS_USUAL })
    const { server, model } = stage
    try {
      model.script(({ prompt }) => {
        const words = prompt.startsWith('short') ? 20 : 6000
        return prompt === 'Hello.'
          ? undefined
          : [{ text: Array.from({ length: words }, (_, index) => `word${index} `), tokensPerSecond: 20 }]
      })
      const visitor = await stage.visitor()
      const prompts = Array.from({ length: STREAMS }, (_, index) => (index % 2 === 0 ? `short ${index}` : `long ${index}`))
      const readings = await Promise.all(prompts.map(async (prompt) => expectReading(await visitor.send(prompt))))
      await Promise.all(readings.map((reading) => reading.firstText))

      const kept = await Promise.all(Array.from({ length: 2 }, () => KeptConnection.open(server.url)))
      const goingDown = server.kill('SIGTERM')
      await expect.poll(() => isRefused(server.url)).toBe(true)
      // A balancer that keeps connections may send on them what it has just been given.
      expect(await kept[0]?.send('GET', '/readyz')).toMatchObject({ status: 503, connection: 'close' })
      const prompt = JSON.stringify({ prompt: 'short and last' })
      const last = await kept[1]?.send('POST', '/api/v1/agent/chat/the-last-one-of-all-0123456789', prompt)
      expect(last).toMatchObject({ status: 200, connection: 'close' })
      expect(JSON.parse(last?.body ?? '')).toMatchObject({ response: expect.stringContaining('word19') as string })
      expect(await goingDown).toBe(0)

      // The long ones would have taken minutes more.
      expect(await Promise.all(readings.map((reading) => reading.ended))).toEqual(Array(STREAMS).fill(true))
      expect(readings.map((reading) => reading.status)).toEqual(prompts.map((_, index) => (index % 2 === 0 ? 'done' : 'interrupted')))
      await server.restart()
      for (const reading of readings) {
        const answer = answerOf(expectBody(await visitor.session(reading.session)), reading.turn)
        expect(answer).toEqual({ text: reading.text, status: reading.status })
      }
    } finally {
      await stage.stop()
    }
  })

  test('F7: a prompt being stored when SIGTERM arrives is still answered', async ({ expect }) => {
    const stage = await startStage({ database, env: GOES_DOWN_AS_USUAL })
    try {
      const kept = await KeptConnection.open(stage.server.url)
      const release = await lockWrites(stage.server)
      const sending = kept.send('POST', '/api/v1/agent/chat/the-one-that-is-stored-0123456789', JSON.stringify({ prompt: 'Just in time.' }))
      // It arrives meanwhile and waits for the lock. On a busy machine it may arrive later, and is answered as well.
      await pause(300)
      const goingDown = stage.server.kill('SIGTERM')
      await pause(300)
      await release()
      expect(await sending).toMatchObject({ status: 200, body: expect.stringContaining('"response"') as string })
      expect(await goingDown).toBe(0)
    } finally {
      await stage.stop()
    }
  })
})
