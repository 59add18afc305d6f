import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { spoken, listSessions } from '../support/api.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { startServer, type TestServer } from '../support/server.ts'

const PATH = '/api/v1/agent/chat/early-leavers'
const PROMPT = JSON.stringify({ prompt: 'hello' })
const POST = `POST ${PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${PROMPT.length}\r\n\r\n`

let model: ScriptedModel
let server: TestServer
// One model per test, because a prompt continues after its client has left.
beforeEach(async () => {
  model = await startScriptedModel()
  server = await startServer({ database: 'sqlite', env: { OPENAI_BASE_URL: model.baseUrl, MODEL: 'scripted' } })
})
afterEach(async () => {
  await server.stop()
  await model.close()
})

/** Reads everything from a connection until the server closes it. */
function exchange(bytes: string): Promise<string> {
  const { hostname, port } = new URL(server.url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let received = ''
    socket.setEncoding('utf8')
    socket.on('data', (text: string) => (received += text))
    socket.once('close', () => resolve(received))
    socket.once('error', reject)
    socket.write(bytes)
  })
}

/** Sends bytes and resets the connection, at once or after the first reply byte. */
async function leave(bytes: string): Promise<void> {
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  await new Promise<void>((resolve) => socket.write(bytes, () => resolve()))
  socket.resetAndDestroy()
}

describe('a client that disconnects early', () => {
  test('causes no logged fault, whether it disconnects within the headers, the body or before the reply', async () => {
    for (let count = 0; count < 20; count += 1) {
      await leave(POST.slice(0, 40))
      await leave(`${POST}{"prom`)
      await leave(POST + PROMPT)
      await leave('GET /api/v1/sessions HTTP/1.1\r\nHost: localhost\r\n\r\n')
    }
    // The complete request is answered, which shows that the others were processed too.
    await expect.poll(async () => (await listSessions(server.url, 'early-leavers')).length).toBeGreaterThan(0)
    expect(server.output()).not.toMatch(/TypeError|A request failed|"stack"/)
  })
})

describe('bytes that are not HTTP, behind a request on the same connection', () => {
  test('do not prevent the reply to that request', async () => {
    const isAsked = Promise.withResolvers<void>()
    model.script([{ text: 'The answer ' }, { until: isAsked.promise }, { text: 'arrives.' }])
    const exchanged = exchange(`${POST + PROMPT}\x00\x01 not HTTP\r\n\r\n`)
    // They arrived with the prompt, so they were read before the model is called.
    await expect.poll(() => model.requests.length).toBe(1)
    isAsked.resolve()
    const received = await exchanged
    expect(received).toContain('The answer arrives.')
    expect(received).toMatch(/^HTTP\/1\.1 200/)
    expect((await listSessions(server.url, 'early-leavers')).some((session) => spoken(session)[1]?.[1] === 'The answer arrives.')).toBe(
      true,
    )
  })
})
