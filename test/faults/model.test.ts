import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { DATABASES } from '../support/databases.ts'
import type { Script } from '../support/scripted-model.ts'
import { forgetPeak, residentBytes } from './kit/memory.ts'
import { startStage, type Stage } from './kit/stage.ts'
import { answerOf, expectBody, expectReading, type Reading } from './kit/visitor.ts'

/** Memory may grow by the size of one answer, not by the bytes sent. */
const FLAT_BYTES = 80 * 1024 * 1024
const DROP_MS = 600_000

/** A model fault and its expected outcome. */
interface Fault {
  does: string
  script: Script
  status: Reading['status']
  code: Reading['code']
  /** Stored text of the answer. */
  text?: string | RegExp
  /** Expected number of model requests. */
  requests?: number
}

const HALF = { text: ['Half ', 'an answer '] }
const event = (content: string) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`

/** Some hundred kilobytes that decompress to 200 MB. */
const BOMB = Buffer.concat(Array<Buffer>(200).fill(gzipSync(Buffer.alloc(1024 * 1024, event('boom')))))

const FAULTS: Record<string, Fault[]> = {
  F10: [
    { does: 'is silent after its headers', script: [{ silence: true }], status: 'failed', code: 'model_timeout', text: '' },
    { does: 'sends only keep-alives', script: [{ keepAlive: { everyMs: 1000 } }], status: 'failed', code: 'model_timeout', text: '' },
    {
      does: 'falls silent in the middle',
      script: [HALF, { silence: true }],
      status: 'failed',
      code: 'model_timeout',
      text: 'Half an answer ',
    },
    {
      does: 'leaves the connection open after [DONE]',
      script: [HALF, { doneLeftOpen: true }],
      status: 'done',
      code: null,
      text: 'Half an answer ',
    },
  ],
  F11: (
    [
      [500, 'model_unavailable'],
      [502, 'model_unavailable'],
      [529, 'model_busy'],
    ] as const
  ).map(
    ([status, code]): Fault => ({
      does: `answers ${status}`,
      script: { status },
      status: 'failed',
      code,
      text: '',
      requests: 3,
    }),
  ),
  F12: [
    {
      does: 'answers 429 with Retry-After 60',
      script: { status: 429, headers: { 'retry-after': '60' } },
      status: 'failed',
      code: 'model_busy',
      text: '',
      requests: 1,
    },
  ],
  F13: [
    {
      does: 'sends broken JSON',
      script: [HALF, { raw: 'data: {"choices": [{\n\n' }],
      status: 'failed',
      code: 'model_failed',
      text: 'Half an answer ',
    },
    {
      does: 'sends bad UTF-8',
      script: [HALF, { raw: Buffer.concat([Buffer.from('data: {"choices": "'), Buffer.from([0xc3, 0x28, 0xff]), Buffer.from('"}\n\n')]) }],
      status: 'failed',
      code: 'model_failed',
      text: /^Half an answer /,
    },
    {
      does: 'answers with an HTML page',
      script: { headers: { 'content-type': 'text/html' }, body: '<html><body>Bad gateway</body></html>' },
      status: 'failed',
      code: 'model_failed',
      text: '',
    },
  ],
  F14: [
    {
      does: 'sends a line of 100 MB',
      script: [HALF, { longLine: 100 * 1024 * 1024 }],
      status: 'failed',
      code: 'model_failed',
      text: 'Half an answer ',
    },
    {
      does: 'writes without end',
      script: [{ endless: 'and on and on '.repeat(20) }],
      status: 'failed',
      code: 'answer_too_long',
      text: /^(and on and on )+/,
    },
    {
      does: 'sends a gzip bomb',
      script: { headers: { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' }, body: BOMB },
      status: 'failed',
      code: 'model_failed',
      text: '',
    },
    { does: 'sends one byte a second', script: [...drip(event('never whole'), 200)], status: 'failed', code: 'model_timeout', text: '' },
  ],
  F15: [
    {
      does: 'splits an emoji over two deltas',
      script: [{ raw: event('\ud83d') }, { raw: event('\ude00!') }],
      status: 'done',
      code: null,
      text: '\u{1f600}!',
    },
    { does: 'sends a NUL', script: [{ raw: event('a\0b') }], status: 'done', code: null, text: 'ab' },
  ],
  F16: [
    {
      does: 'is cut off without a finish',
      script: [HALF, { cut: true }],
      status: 'interrupted',
      code: 'model_interrupted',
      text: 'Half an answer ',
    },
  ],
}

/** The beginning of a text, one byte a second. */
function drip(text: string, bytes: number) {
  return Array.from({ length: Math.min(bytes, text.length - 1) }, (_, index) => [{ raw: text[index] as string }, { pauseMs: 1000 }]).flat()
}

describe.concurrent.each(DATABASES)('a model on %s that', (database) => {
  let stage: Stage
  let atStart: number
  const begun = new Map<string, Promise<{ reading: Reading; answer: ReturnType<typeof answerOf> }>>()
  beforeAll(async () => {
    stage = await startStage({ database, env: { MODEL_FIRST_DATA_SECONDS: '30' } })
    // What a first prompt loads, the detection of languages most of all, is no growth.
    await expectReading(await (await stage.visitor()).send('Wie lange werden meine Chats hier aufgehoben?')).ended
    // Concurrently in one server, because none may affect another.
    forgetPeak(stage.server.pid)
    atStart = residentBytes(stage.server.pid).now
    for (const [name, faults] of Object.entries(FAULTS)) for (const fault of faults) begun.set(fault.does, begin(name, fault))
  })
  afterAll(() => stage.stop())

  async function begin(name: string, { does, script }: Fault) {
    const prompt = `${name}: a model that ${does}`
    stage.model.script((request) => (request.prompt === prompt ? script : undefined))
    const visitor = await stage.visitor()
    const reading = expectReading(await visitor.send(prompt))
    await reading.ended
    return { reading, answer: answerOf(expectBody(await visitor.session(reading.session)), reading.turn) }
  }

  for (const [name, faults] of Object.entries(FAULTS)) {
    test.for(faults)(`${name}: $does`, { timeout: DROP_MS }, async ({ does, status, code, text, requests }, { expect }) => {
      const { reading, answer } = await (begun.get(does) as NonNullable<ReturnType<(typeof begun)['get']>>)
      expect([reading.status, reading.code]).toEqual([status, code])
      expect(answer?.status).toBe(status)
      expect(answer?.text).toBe(reading.text)
      if (text instanceof RegExp) expect(reading.text).toMatch(text)
      else expect(reading.text).toBe(text)
      const asked = stage.model.requests.filter((request) => request.prompt.endsWith(does)).length
      if (requests !== undefined) expect(asked).toBe(requests)
    })
  }

  test('F12: a waiting caller receives the model’s retry time', async ({ expect }) => {
    stage.model.script((request) => (request.prompt === 'Too busy.' ? { status: 429, headers: { 'retry-after': '60' } } : undefined))
    const response = await fetch(`${stage.server.url}/api/v1/agent/chat/me`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: 'Too busy.' }),
    })
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '60'])
  })

  test(
    'F13, F14: do not affect the process or grow its memory',
    async ({ expect }) => {
      await Promise.all(begun.values())
      expect(residentBytes(stage.server.pid).peak - atStart).toBeLessThan(FLAT_BYTES)
      const reading = expectReading(await (await stage.visitor()).send('And now?'))
      await reading.ended
      expect(reading.status).toBe('done')
    },
    DROP_MS,
  )
})
