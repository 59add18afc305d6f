import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, test } from 'vitest'
import type { TurnEvents } from '../../src/contract/chat/sessions.ts'
import { DATABASES } from '../support/databases.ts'
import { isCutOff } from '../support/raw-http.ts'
import { openStream } from './kit/raw-stream.ts'
import { startStage, type Stage } from './kit/stage.ts'
import { startTcpProxy } from './kit/tcp-proxy.ts'
import { expectBody, expectReading, type Reading, spokenIn, type Visitor } from './kit/visitor.ts'

const WORDS = Array.from({ length: 100 }, (_, index) => `word${index} `)
/** Prompts sent at once. */
const TOGETHER = 20
const HEARTBEAT = ': still here'
const WHOLE = WORDS.join('')

describe.concurrent.each(DATABASES)('a reader on %s', (database) => {
  let stage: Stage
  const isReloaded = Promise.withResolvers<void>()
  beforeAll(async () => {
    stage = await startStage({ database, env: { MAX_RUNNING_TURNS: '400' } })
    stage.model.script(({ prompt }) => (prompt.startsWith('slow') ? [{ text: WORDS, tokensPerSecond: 40 }] : undefined))
    const halves = [{ text: WORDS.slice(0, 50) }, { until: isReloaded.promise }, { text: WORDS.slice(50) }]
    stage.model.script(({ prompt }) => (prompt === 'halves' ? halves : undefined))
  })
  afterAll(() => stage.stop())

  const ended = async (visitor: Visitor, turn: string) => {
    let outcome = await visitor.follow(turn)
    // A busy machine may not reply in time. A page connects again.
    for (let tries = 1; outcome.kind === 'unknown' && tries < 5; tries += 1) outcome = await visitor.follow(turn)
    const following = expectReading(outcome)
    await following.ended
    return following
  }

  async function sendAndLeave(visitor: Visitor, prompt: string): Promise<Reading> {
    const reading = expectReading(await visitor.send(prompt))
    await reading.begun
    reading.leave()
    return reading
  }

  test('F1: that is disconnected after the prompt finds the whole answer on return, 100 of 100 times', async ({ expect }) => {
    const visitor = await stage.visitor()
    const prompts = Array.from({ length: 100 }, (_, index) => `slow: cut off ${index}`)
    const readings: Reading[] = []
    for (let index = 0; index < prompts.length; index += TOGETHER) {
      readings.push(...(await Promise.all(prompts.slice(index, index + TOGETHER).map((prompt) => sendAndLeave(visitor, prompt)))))
    }
    const found = await Promise.all(
      readings.map(async ({ session, turn }) => {
        await ended(visitor, turn)
        return spokenIn(expectBody(await visitor.session(session)))
      }),
    )
    expect(found).toEqual(prompts.map((prompt) => [`human: ${prompt}`, `agent: ${WHOLE}`]))
  })

  test('F2: that reloads during an answer sees the same text, and then the rest live', async ({ expect }) => {
    const visitor = await stage.visitor()
    const first = expectReading(await visitor.send('halves'))
    await first.firstText
    first.leave()
    const again = expectReading(await visitor.follow(first.turn))
    await expect.poll(() => again.text.startsWith(first.text)).toBe(true)
    const status = expectBody(await visitor.turn(first.turn)).status
    expect(status).toBe('running')
    isReloaded.resolve()
    await again.ended
    expect([again.status, again.text, again.replaced]).toEqual(['done', WHOLE, []])
  })

  test('F26: that sends its headers or body slowly is disconnected', async ({ expect }) => {
    const head = 'POST /api/v1/agent/chat/me HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
    const slowHeaders = async function* () {
      for (const byte of `${head}${'X-Slow: yes\r\n'.repeat(50)}`) {
        yield byte
        await pause(200)
      }
    }
    const slowBody = async function* () {
      yield `${head}Content-Length: 1000\r\n\r\n`
      for (const byte of `{"prompt":"${'x'.repeat(900)}`) {
        yield byte
        await pause(200)
      }
    }
    // Long before all was sent.
    expect(await Promise.all([slowHeaders(), slowBody()].map((bytes) => isCutOff(stage.server.url, bytes)))).toEqual([true, true])
  })

  test('F29: behind a proxy that cuts off every stream reconnects and misses nothing', async ({ expect }) => {
    // A part is sent once the one before is shown, so that what a reader is behind fits in one connection.
    const parts = Array.from({ length: 50 }, (_, index) => ({
      text: WORDS.slice(2 * index, 2 * index + 2),
      // White space at the end is shown with the next word.
      startsAt: WORDS.slice(0, 2 * index)
        .join('')
        .trimEnd().length,
      gate: Promise.withResolvers<void>(),
    }))
    stage.model.script(({ prompt }) =>
      prompt === 'cut by a proxy' ? parts.flatMap(({ text, gate }) => [{ until: gate.promise }, { text }]) : undefined,
    )
    const visitor = await stage.visitor()
    visitor.isPatient = true
    const proxy = await startTcpProxy(stage.server.url)
    visitor.url = proxy.through(stage.server.url)
    parts[0]?.gate.resolve()
    try {
      let reading = expectReading(await visitor.send('cut by a proxy'))
      await reading.begun
      // Each connection breaks after this many bytes, including some 800 of headers. The whole stored answer, which a reader gets who
      // missed the end, has 1,500; part by part it has more than 5,000.
      proxy.set('down', { kind: 'cut', afterBytes: 2_700 })
      proxy.resetAll()
      const sending = setInterval(() => {
        for (const { startsAt, gate } of parts) if (reading.text.length >= startsAt) gate.resolve()
      }, 5)
      let connections = 1
      for (; !(await reading.ended) && connections < 100; connections += 1) {
        const next = await visitor.follow(reading.turn, reading)
        if (next.kind === 'reading') reading = next
      }
      clearInterval(sending)
      expect([reading.status, reading.text]).toEqual(['done', WHOLE])
      expect(connections).toBeGreaterThan(2)
    } finally {
      await proxy.close()
    }
  })

  test('F29: that receives no stream polls the same events and misses nothing', async ({ expect }) => {
    const visitor = await stage.visitor()
    const reading = expectReading(await visitor.send('slow: polled'))
    await reading.begun
    reading.leave()
    let text = ''
    let after = 0
    let isRead = false
    while (!isRead) {
      const path = `/api/v1/turns/${reading.turn}/events?after=${after}`
      const response = await fetch(stage.server.url + path, { headers: { cookie: visitor.cookie } })
      // Retries temporary rejections, as the page does.
      if (!response.ok) continue
      const { events, status } = (await response.json()) as TurnEvents
      for (const { chunk } of events) text = chunk.type === 'start' ? '' : text + (chunk.type === 'text-delta' ? chunk.delta : '')
      after = events.at(-1)?.seq ?? after
      isRead = status !== 'running' && events.length === 0
    }
    expect(text).toBe(WHOLE)
  })

  test('F29: receives something while the model is silent', async ({ expect }) => {
    const heard = Promise.withResolvers<void>()
    const visitor = await stage.visitor()
    stage.model.script(({ prompt }) =>
      prompt === 'silent for long' ? [{ text: 'One ' }, { until: heard.promise }, { text: 'two.' }] : undefined,
    )
    const reading = expectReading(await visitor.send('silent for long'))
    await reading.firstText
    const socket = await openStream(stage.server.url, visitor, reading.turn)
    // The model may be silent for thirty seconds.
    let read = ''
    socket.setEncoding('utf8').on('data', (text: string) => {
      read += text
      if (read.includes(HEARTBEAT)) heard.resolve()
    })
    await once(socket, 'end')
    expect(await reading.ended).toBe(true)
    expect(reading.text).toBe('One two.')
  })
})
