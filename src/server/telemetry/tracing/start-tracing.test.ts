import { AsyncResource } from 'node:async_hooks'
import { afterEach, expect, test } from 'vitest'
import { startTraceReceiver, type TraceReceiver } from '../../../../test/support/trace-receiver.ts'
import { inSpan, isInSpan, isTracing, openSpan, pseudonymOf, traceHeaders } from './spans.ts'
import { startTracing } from './start-tracing.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function tracingTo(receiver: TraceReceiver, { ratio = 1 } = {}) {
  const changes: boolean[] = []
  const stop = startTracing({
    endpoint: receiver.url,
    headers: {},
    serviceName: 'parley',
    ratio,
    release: '1.2.3',
    onChange: (isDelivered) => changes.push(isDelivered),
    exportIntervalMs: 5,
  })
  closing.push(stop, () => receiver.close())
  return { changes, stop }
}

const act = (name: string) => inSpan(name, { headers: {} }, async () => undefined)

test('a collector that refuses is reported once when it begins and once when it ends', async () => {
  const receiver = await startTraceReceiver()
  const { changes } = await tracingTo(receiver)
  receiver.refuse(true)
  await act('first')
  await expect.poll(() => receiver.refused()).toBe(1)
  await expect.poll(() => changes).toEqual([false])
  await act('second')
  await expect.poll(() => receiver.refused()).toBe(2)
  receiver.refuse(false)
  await act('third')
  await expect.poll(() => receiver.spans().map(({ name }) => name)).toEqual(['third'])
  await expect.poll(() => changes).toEqual([false, true])
})

test('a task that fails marks its span with the error’s code, and not its message', async () => {
  const receiver = await startTraceReceiver()
  const { stop } = await tracingTo(receiver)
  const failure = Object.assign(new Error('a quotation'), { code: 'model_failed' })
  await expect(inSpan('outer', { headers: {} }, () => inSpan('inner', {}, () => Promise.reject(failure)))).rejects.toBe(failure)
  await stop()
  const [inner, outer] = receiver.spans()
  expect(inner).toMatchObject({
    name: 'inner',
    parentSpanId: outer?.spanId,
    attributes: { 'error.type': 'model_failed' },
    status: { code: 2 },
  })
  expect(receiver.text()).not.toContain('quotation')
})

test.each([
  ['with a ratio of 0, no request is traced, even if its client wants it', 0, []],
  ['with a ratio of 1, a request is traced, even if its client does not want it', 1, ['request']],
])('%s', async (_, ratio, names) => {
  const receiver = await startTraceReceiver()
  const { stop } = await tracingTo(receiver, { ratio })
  const flag = ratio === 0 ? '01' : '00'
  const span = openSpan('request', { headers: { traceparent: `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-${flag}` } })
  span.end()
  await stop()
  expect(receiver.spans().map(({ name }) => name)).toEqual(names)
})

test('what a request has begun is part of it until it has ended', async () => {
  const receiver = await startTraceReceiver()
  await tracingTo(receiver)
  expect(isInSpan()).toBe(false)
  let later = () => false
  await inSpan('request', { headers: {} }, async () => {
    expect(isInSpan()).toBe(true)
    later = AsyncResource.bind(isInSpan)
  })
  expect(later()).toBe(false)
})

test('headers name the current span, and there are none without tracing', async () => {
  expect(isTracing()).toBe(false)
  expect(traceHeaders()).toEqual({})
  const receiver = await startTraceReceiver()
  const { stop } = await tracingTo(receiver)
  const headers = await inSpan('request', { headers: {} }, async () => traceHeaders())
  await stop()
  const [span] = receiver.spans()
  expect(headers).toEqual({ traceparent: `00-${span?.traceId}-${span?.spanId}-01` })
  expect(traceHeaders()).toEqual({})
})

test('a pseudonym is stable, and is not the id', () => {
  expect(pseudonymOf('a')).toBe(pseudonymOf('a'))
  expect(pseudonymOf('a')).not.toBe(pseudonymOf('b'))
  expect(pseudonymOf('session')).toMatch(/^[0-9a-f]{16}$/)
})
