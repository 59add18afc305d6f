import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withConstants } from '../../scripts/constants.mjs'
import type { SendPromptReply } from '../../src/contract/chat/chat.ts'
import type { PublicConfiguration } from '../../src/contract/config.ts'
import type { Finding } from '../../src/server/commands/doctor/finding.ts'
import { runDoctor } from '../../src/server/commands/doctor/run-doctor.ts'
import { readSettings } from '../../src/server/config/config.ts'
import { readEvents, sendPrompt, streamPrompt, textOfEvents, type StreamEvent } from '../support/api.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { createDatabase } from '../support/postgres.ts'
import { type RunningProxy, startPgbouncer, startProxy } from '../support/proxies.ts'
import { startPair } from '../support/process-pair.ts'
import { sendRaw } from '../support/raw-http.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { GOES_DOWN_AS_USUAL, startServer, type TestServer } from '../support/server.ts'
import { isMissing } from '../support/services.ts'
import { consoleOf, StaffClient } from '../support/staff-client.ts'

const MB = 1024 * 1024
/** The steps of going down outside of tests, with time for a busy machine to store and to end all answers. */
const GOES_DOWN = {
  ...GOES_DOWN_AS_USUAL,
  ...withConstants({ drainMs: 200_000, lastResortMs: 220_000, databaseTimeoutMs: 120_000, requestTimeoutMs: 120_000 }),
}

let model: ScriptedModel
let server: TestServer
beforeAll(async () => {
  model = await startScriptedModel()
  const env = { OPENAI_BASE_URL: model.baseUrl, MODEL: 'scripted', TRUSTED_PROXIES: '127.0.0.1', ALLOWED_HOSTS: 'chat.example.org' }
  server = await startServer({ database: 'sqlite', env })
})
afterAll(async () => {
  await server.stop()
  await model.close()
})

describe.each(['nginx', 'haproxy', 'caddy'] as const)('behind %s, as deploy/ configures it,', (name) => {
  let proxy: RunningProxy
  let url: string
  beforeAll(async () => {
    if (isMissing(name)) return
    // A process that is gone stands first.
    proxy = await startProxy(name, [`127.0.0.1:${await freePort()}`, `127.0.0.1:${new URL(server.url).port}`])
    url = `http://127.0.0.1:${proxy.port}`
    // A health check must have found the process that lives.
    await eventually(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200))
  })
  afterAll(() => proxy?.stop())

  test.skipIf(isMissing(name))('each request reaches the process that lives', async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, () => sendPrompt(url, 'me', 'hello')))
    expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(200))
  })

  test.skipIf(isMissing(name))('the doctor finds nothing to change', async () => {
    const settings = () => readSettings({ ...server.env, PORT: new URL(server.url).port })
    const { output } = await runDoctor([url, '--no-model', '--json'], settings)
    const findings = JSON.parse(output) as Finding[]
    expect(findings.filter(({ verdict }) => verdict === 'problem' || verdict === 'warning')).toEqual([])
    expect(findings).toContainEqual(expect.objectContaining({ area: 'proxy', verdict: 'ok' }))
  })

  test.skipIf(isMissing(name))('a stream arrives as it is written', async () => {
    const release = Promise.withResolvers<void>()
    model.script([{ text: ['First words.'] }, { until: release.promise }, { text: [' Last words.'] }])
    const events = readEvents(await streamPrompt(url, 'me', 'stream'))
    const read: StreamEvent[] = []
    while (textOfEvents(read) === '') read.push((await events.next()).value as StreamEvent)
    expect(textOfEvents(read)).toMatch(/^First words/)
    release.resolve()
    for await (const event of events) read.push(event)
    expect(textOfEvents(read)).toBe('First words. Last words.')
  })

  test.skipIf(isMissing(name))('a page can write under its own name, and a client can not name another address', async () => {
    const body = JSON.stringify({ prompt: 'hello' })
    const headers = [
      'Host: chat.example.org',
      'Origin: http://chat.example.org',
      'Sec-Fetch-Site: same-origin',
      'Cookie: privacy-consent=true',
      'X-Forwarded-Host: evil.example',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Connection: close',
    ]
    const reply = await sendRaw(url, [['POST /api/v1/agent/chat/me HTTP/1.1', ...headers, '', body].join('\r\n')])
    expect(reply.status).toBe(200)
  })

  test.skipIf(isMissing(name))('bodies of the permitted size pass', async () => {
    const upload = await fetch(`${url}/api/v1/files?name=a`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: new Uint8Array(3 * MB).fill(97),
    })
    expect(upload.headers.get('content-type')).toContain('json')
    expect(((await upload.json()) as { code?: string }).code).not.toBe('body_too_large')
  })
})

describe.each(['nginx', 'haproxy', 'caddy'] as const)('behind %s, two processes that are restarted one after the other', (name) => {
  test.skipIf(isMissing(name) || isMissing('postgresql'))('answer every prompt', async () => {
    const pair = await startPair({ env: { ...GOES_DOWN, TRUSTED_PROXIES: '127.0.0.1' } })
    const processes = [pair.near, pair.far]
    const [one, two] = processes.map(({ url }) => `127.0.0.1:${new URL(url).port}`)
    const proxy = await startProxy(name, [one ?? '', two ?? ''])
    const url = `http://127.0.0.1:${proxy.port}`
    /** Statuses, with the body of a failure. */
    const replies: string[] = []
    const areRestarted = new AbortController()
    /** Sends one prompt after the other until both processes have been restarted, and the share of this client in 300. */
    const client = async (index: number) => {
      for (let sent = 0; sent < 30 || !areRestarted.signal.aborted; sent += 1) {
        const reply = await sendPrompt(url, `client-${index}`, `hello ${sent}`)
        const body = await reply.text()
        replies.push(reply.status === 200 ? '200' : `${reply.status} ${body}`)
      }
    }
    try {
      await eventually(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200))
      const clients = Promise.all(Array.from({ length: 10 }, (_, index) => client(index)))
      for (const [index, process] of processes.entries()) {
        process.env['APP_NAME'] = `Restarted ${index}`
        await process.restart()
        // As the manual says: the next one when this one is ready, and the proxy has seen it.
        const shownName = async () => ((await (await fetch(`${url}/api/v1/config`)).json()) as PublicConfiguration).name
        await eventually(async () => expect(await shownName()).toBe(`Restarted ${index}`))
      }
      areRestarted.abort()
      await clients
      expect(replies.length).toBeGreaterThanOrEqual(300)
      expect(replies.filter((reply) => reply !== '200')).toEqual([])
    } finally {
      await proxy.stop()
      await pair.stop()
    }
  })
})

test.skipIf(isMissing('nginx') || isMissing('postgresql'))(
  'a model that is connected in the console reaches two processes behind nginx, and every prompt is answered meanwhile',
  async () => {
    const env = { ...GOES_DOWN, TRUSTED_PROXIES: '127.0.0.1', CONSOLE_PRIVATE_HOSTS: '127.0.0.1', MODEL: '', OPENAI_BASE_URL: '' }
    const pair = await startPair({ consolePort: '0', env })
    const processes = [pair.near, pair.far]
    const [one, two] = processes.map(({ url }) => `127.0.0.1:${new URL(url).port}`)
    const proxy = await startProxy('nginx', [one ?? '', two ?? ''])
    const url = `http://127.0.0.1:${proxy.port}`
    const statuses: number[] = []
    const isOver = new AbortController()
    const client = async (index: number) => {
      for (let sent = 0; !isOver.signal.aborted; sent += 1)
        statuses.push(await sendPrompt(url, `client-${index}`, `hello ${sent}`).then(({ status }) => status))
    }
    const modelOf = async ({ url: own }: TestServer) => {
      const reply = await sendPrompt(own, 'me', 'Who answers?').catch(() => undefined)
      return reply?.ok ? ((await reply.json()) as SendPromptReply).response : undefined
    }
    try {
      await eventually(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200))
      const { origin, link } = await consoleOf(pair.near)
      const owner = new StaffClient(origin)
      await owner.enter(link)
      pair.model.script(() => [{ text: 'The connected model.' }])
      const clients = Promise.all(Array.from({ length: 5 }, (_, index) => client(index)))
      const connected = await owner.call('POST', 'model', { provider: 'address', address: pair.model.baseUrl, model: 'scripted' })
      expect(connected.status).toBe(200)
      for (const process of processes) await eventually(async () => expect(await modelOf(process)).toBe('The connected model.'))
      isOver.abort()
      await clients
      expect(statuses.filter((status) => status !== 200)).toEqual([])
    } finally {
      isOver.abort()
      await proxy.stop()
      await pair.stop()
    }
  },
)

describe('behind pgbouncer in transaction mode', () => {
  test.skipIf(isMissing('pgbouncer') || isMissing('postgresql'))('prompts are stored and answered, many at a time', async () => {
    const database = await createDatabase()
    const pgbouncer = await startPgbouncer(database.url)
    const own = await startServer({
      database: 'sqlite',
      env: { DATABASE_URL: pgbouncer.url, OPENAI_BASE_URL: model.baseUrl, MODEL: 'scripted' },
    })
    try {
      const replies = await Promise.all(Array.from({ length: 30 }, (_, index) => sendPrompt(own.url, 'me', `hello ${index}`)))
      expect(replies.map(({ status }) => status)).toEqual(Array(30).fill(200))
      const { session_id: session } = (await (replies[0] as Response).json()) as SendPromptReply
      expect(session).toMatch(/^\w+$/)
      expect((await fetch(`${own.url}/readyz`)).status).toBe(200)
    } finally {
      await own.stop()
      await pgbouncer.stop()
      await database.drop()
    }
  })
})
