import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { SendPromptReply } from '../../src/contract/chat/chat.ts'
import { cookieOf, sendPrompt } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { startScriptedModel } from '../support/scripted-model.ts'
import { startServer, WITH_DOCUMENTS } from '../support/server.ts'
import { type ReceivedSpan, startTraceReceiver } from '../support/trace-receiver.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const CLIENT_SPAN = '00f067aa0ba902b7'

describe.each(DATABASES)('traces on %s', (database) => {
  let spans: ReceivedSpan[] = []
  let text = ''
  let headers: Record<string, unknown>[] = []
  /** `traceparent` of the model's requests. */
  let sent: (string | undefined)[] = []
  let failedTurnStatus = 0
  let failedTurnOperation: string | null = null
  let output = ''
  const ids: string[] = []

  beforeAll(async () => {
    const receiver = await startTraceReceiver()
    const model = await startScriptedModel()
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collector',
      OTEL_SERVICE_NAME: 'city-chat',
      OPENAI_BASE_URL: model.baseUrl,
      MODEL: 'scripted',
      ...WITH_DOCUMENTS,
    }
    const server = await startServer({ database, env })
    model.script([{ toolCall: { name: 'search_knowledge', arguments: { query: 'confidential query' } } }])
    model.script([{ text: 'A confidential answer.' }])
    const traceparent = `00-${TRACE}-${CLIENT_SPAN}-01`
    const answered = await sendPrompt(server.url, 'me', 'a confidential prompt', { headers: { traceparent } })
    const cookie = cookieOf(answered)
    const { session_id: session } = (await answered.json()) as SendPromptReply
    sent = model.requests.map((request) => request.headers['traceparent'] as string | undefined)
    model.script({ status: 400 })
    const failed = await sendPrompt(server.url, 'me', 'another confidential prompt', { session, headers: { cookie } })
    failedTurnStatus = failed.status
    failedTurnOperation = failed.headers.get('x-request-id')
    await failed.text()
    const { visitor } = (await (await fetch(`${server.url}/api/v1/me`, { headers: { cookie } })).json()) as { visitor: { sub: string } }
    await (await fetch(`${server.url}/api/v1/sessions/${session}`, { headers: { cookie } })).text()
    await (await fetch(`${server.url}/healthz`)).text()
    ids.push(session, visitor.sub, cookie.split('=')[1] as string, ...(await turnsOf(server.url, session, cookie)))
    // Delivers the last spans.
    expect(await server.stop(), server.output()).toBe(0)
    output = server.output()
    spans = receiver.spans()
    text = receiver.text()
    headers = receiver.headers
    await model.close()
    receiver.close()
  })

  const named = (name: string) => spans.find((span) => span.name === name && span.traceId === TRACE) as ReceivedSpan
  const turnsOf = async (url: string, session: string, cookie: string) => {
    const { messages } = (await (await fetch(`${url}/api/v1/sessions/${session}`, { headers: { cookie } })).json()) as {
      messages: { id: string; metadata: { turnId?: string } }[]
    }
    return messages.flatMap(({ id, metadata }) => [id, ...(metadata.turnId ? [metadata.turnId] : [])])
  }

  test('continue the trace of the client, and the model’s request continues them', () => {
    const request = named('POST /api/v1/agent/chat/:id')
    expect(request).toMatchObject({
      kind: 2,
      parentSpanId: CLIENT_SPAN,
      attributes: { 'http.request.method': 'POST', 'http.route': '/api/v1/agent/chat/:id', 'http.response.status_code': 200 },
    })
    const calls = spans.filter(({ name, traceId }) => name === 'chat scripted' && traceId === TRACE)
    expect(calls).toHaveLength(2)
    expect(sent).toEqual(calls.map(({ spanId }) => `00-${TRACE}-${spanId}-01`))
  })

  test('have spans for admission, turn, model call, tool, search and store, each within its cause', () => {
    const request = named('POST /api/v1/agent/chat/:id')
    const turn = named('invoke_agent assistant')
    const tool = named('execute_tool search_knowledge')
    expect(named('parley.admit')).toMatchObject({ parentSpanId: request.spanId, attributes: { 'parley.outcome': 'admitted' } })
    expect(turn).toMatchObject({
      parentSpanId: request.spanId,
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.id': 'assistant',
        'gen_ai.request.model': 'scripted',
        'gen_ai.conversation.id': expect.stringMatching(/^[0-9a-f]{16}$/),
        'parley.turn.status': 'done',
      },
    })
    expect(named('chat scripted')).toMatchObject({
      kind: 3,
      parentSpanId: turn.spanId,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': expect.stringMatching(/^127\.0\.0\.1:\d+$/),
        'gen_ai.request.model': 'scripted',
        'gen_ai.response.finish_reasons': ['tool-calls'],
        'gen_ai.usage.input_tokens': expect.any(Number),
        'gen_ai.usage.output_tokens': expect.any(Number),
      },
    })
    expect(tool).toMatchObject({ parentSpanId: turn.spanId, attributes: { 'gen_ai.tool.name': 'search_knowledge' } })
    const retrievals = spans.filter(({ name, traceId }) => name === 'retrieval knowledge' && traceId === TRACE)
    // For the prompt, and for the model.
    expect(retrievals.map(({ parentSpanId }) => parentSpanId)).toEqual([turn.spanId, tool.spanId])
    expect(named('retrieval knowledge')).toMatchObject({
      attributes: { 'parley.retrieval.passages': expect.any(Number) },
    })
    const system = database === 'sqlite' ? 'sqlite' : 'postgresql'
    expect(named('insert messages')).toMatchObject({
      parentSpanId: request.spanId,
      attributes: { 'db.system.name': system, 'db.operation.name': 'insert', 'db.collection.name': 'messages' },
    })
  })

  test('begin with a request: what the server does by itself sends none', () => {
    const begun = new Set(spans.filter(({ kind }) => kind === 2).map(({ traceId }) => traceId))
    expect(spans.filter(({ traceId }) => !begun.has(traceId)).map(({ name }) => name)).toEqual([])
  })

  test('mark failures by their code', () => {
    expect(failedTurnStatus).toBeGreaterThanOrEqual(500)
    const failed = spans.filter(({ traceId, status }) => traceId !== TRACE && status.code === 2)
    const types = Object.fromEntries(failed.map(({ name, attributes }) => [name, attributes['error.type']]))
    expect(types).toEqual({
      'POST /api/v1/agent/chat/:id': 'model_unavailable',
      'invoke_agent assistant': 'model_unavailable',
      'chat scripted': 'model_unavailable',
    })
  })

  test('share an operation id with the reply and the log', () => {
    expect(failedTurnOperation).toMatch(/^[0-9a-f-]{36}$/)
    const logged = output.split('\n').find((line) => line.includes('A turn ended with model_unavailable')) ?? '{}'
    expect(JSON.parse(logged)).toMatchObject({ operation: failedTurnOperation })
    const marked = spans.filter(({ attributes }) => attributes['parley.operation.id'] === failedTurnOperation)
    expect(marked.map(({ name }) => name).sort()).toEqual(['POST /api/v1/agent/chat/:id', 'invoke_agent assistant'])
  })

  test('group the turns of a chat under a name that is no id', () => {
    const names = spans.flatMap(({ attributes }) => attributes['gen_ai.conversation.id'] ?? [])
    expect(names).toHaveLength(2)
    expect(new Set(names).size).toBe(1)
  })

  test('carry no content, and no id of a visitor, a chat or a turn', () => {
    expect(ids.length).toBeGreaterThan(6)
    for (const secret of ['confidential', ...ids]) expect(text).not.toContain(secret)
    expect(spans.filter(({ events, status }) => (events?.length ?? 0) > 0 || status.message)).toEqual([])
  })

  test('reach the collector with the service’s name and the operator’s headers, without health checks', () => {
    expect(text).toContain('"city-chat"')
    expect(headers.map(({ authorization }) => authorization)).toEqual(headers.map(() => 'Bearer collector'))
    expect(spans.filter(({ name }) => name.includes('healthz'))).toEqual([])
  })
})

test('a server without traces loads nothing of OpenTelemetry', () => {
  const folder = join(import.meta.dirname, '../../dist/server')
  const atStart = readdirSync(folder).filter((name) => /^(?:main|server-[\w-]+)\.js$/.test(name))
  expect(atStart).toHaveLength(2)
  for (const name of atStart) expect(readFileSync(join(folder, name), 'utf8')).not.toContain('AsyncLocalStorageContextManager')
})
