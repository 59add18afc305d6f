import { readdirSync, readFileSync } from 'node:fs'
import { get, Agent } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { cookieOf, readEvents, sendPrompt, textOfEvents, type StreamEvent } from '../support/api.ts'
import { eventually } from '../support/eventually.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { refusedStart, startServer, type TestServer } from '../support/server.ts'
import { isMissing } from '../support/services.ts'

const METRICS_TOKEN = 'mR7-tq2-Lw9-pX4-zB8'
let server: TestServer | undefined
let model: ScriptedModel | undefined
afterEach(async () => {
  await server?.stop()
  await model?.close()
  server = model = undefined
})

const workersOf = ({ pid }: TestServer) =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .map(Number)

function parentOf(pid: string): number {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  } catch {
    return 0
  }
}

/** A request on a connection of its own, which goes to the next process. Resolves with the status and the body's beginning or all of it. */
function onOwnConnection(url: string, headers: Record<string, string>): Promise<{ status: number; body: string; close: () => void }> {
  return new Promise((resolve, reject) => {
    const request = get(url, { headers, agent: new Agent() }, (response) => {
      let body = ''
      const done = () => resolve({ status: response.statusCode ?? 0, body, close: () => request.destroy() })
      response.on('data', (chunk) => {
        body += String(chunk)
        if (response.headers['content-type']?.startsWith('text/event-stream')) done()
      })
      response.on('end', done)
      response.on('error', () => undefined)
    })
    request.on('error', reject)
  })
}

test('more than one process needs PostgreSQL, and no local model', async () => {
  const { code, output } = await refusedStart({ database: 'sqlite', env: { PROCESSES: '2', MODEL: 'local' } })
  expect(code).toBe(1)
  expect(output).toContain('PROCESSES needs DATABASE_URL, because the embedded database is for one process')
  expect(output).toContain('PROCESSES must be 1 with MODEL=local')
})

test.skipIf(isMissing('postgresql') || process.platform !== 'linux')(
  'processes that share a port count together, survive each other, and end together',
  async () => {
    model = await startScriptedModel()
    let released = Promise.withResolvers<void>()
    model.script(({ prompt }) =>
      prompt === 'slow' ? [{ text: 'One ' }, { until: released.promise }, { text: 'two.' }] : [{ text: 'Hello.' }],
    )
    const env = { PROCESSES: '2', MODEL: 'scripted', OPENAI_BASE_URL: model.baseUrl, METRICS_TOKEN, LIMIT_STREAMS: '2', CLIENT_IDS: 'any' }
    const group = (server = await startServer({ database: 'postgres', env }))
    const [first = 0, second = 0, ...more] = workersOf(group)
    expect([first, second].every((pid) => pid > 0)).toBe(true)
    expect(more).toEqual([])

    // Each prompt is on a connection of its own, and the metrics are those of both.
    for (let prompt = 0; prompt < 6; prompt += 1) expect((await sendPrompt(group.url, `v${prompt}`, 'hello')).status).toBe(200)
    const { body } = await onOwnConnection(`${group.url}/metrics`, { authorization: `Bearer ${METRICS_TOKEN}` })
    expect(body).toContain('parley_turns_total{status="done"} 6')

    // Two streams of a visitor, whichever process has them.
    const answer = await fetch(`${group.url}/api/v1/agent/chat/me`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ prompt: 'slow' }),
    })
    const cookie = cookieOf(answer)
    const events: StreamEvent[] = []
    const reading = (async () => {
      for await (const event of readEvents(answer)) events.push(event)
    })().catch(() => undefined)
    await expect.poll(() => textOfEvents(events)).toContain('One')
    const turn = events.map(({ chunk }) => (chunk.type === 'start' ? chunk.messageMetadata?.turnId : undefined)).find(Boolean)
    const stream = () => onOwnConnection(`${group.url}/api/v1/turns/${turn}/stream`, { cookie })
    const opened = [await stream(), await stream(), await stream(), await stream()]
    const statuses = opened.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(2)
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(2)
    for (const { close } of opened) close()

    // One of them dies; another takes its place, and its streams count no more.
    process.kill(first, 'SIGKILL')
    await eventually(() => {
      const now = workersOf(group)
      expect(now).toHaveLength(2)
      expect(now).not.toContain(first)
      expect(group.output()).toContain('A server process has ended with SIGKILL; starting another')
    })
    await eventually(async () => expect((await sendPrompt(group.url, 'after', 'hello')).status).toBe(200))
    released.resolve()
    released = Promise.withResolvers<void>()
    await reading
    expect(await group.kill('SIGTERM')).toBe(0)
    expect(workersOf(group)).toEqual([])
  },
)
