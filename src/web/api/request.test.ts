import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type PageGlobals, stubPageGlobals } from '../../../test/support/page-globals.ts'
import { failureSentence, isFinal } from './failure.ts'
import { limitedForS, request, requestJson } from './request.ts'

let page: PageGlobals
beforeEach(() => {
  page = stubPageGlobals()
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** A server that never replies. */
const silent = ({ signal }: RequestInit) =>
  new Promise<Response>((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason as Error)))

test('returns the body of a successful reply', async () => {
  page.respond(() => Response.json({ id: 'v' }))
  expect(await requestJson('/me')).toEqual({ ok: true, value: { id: 'v' } })
})

test('returns the code of a problem, its fields, and when to retry', async () => {
  page.respond(() => Response.json({ code: 'session_busy', turn: 't' }, { status: 409, headers: { 'retry-after': '7' } }))
  expect(await requestJson('/me')).toEqual({ ok: false, code: 'session_busy', turn: 't', retryAfterS: 7 })
  page.respond(() => new Response('<html>', { status: 502 }))
  expect(await request('/me')).toEqual({ ok: false, code: 'internal', retryAfterS: undefined })
})

test('a problem with a download tells its progress', async () => {
  page.respond(() => Response.json({ code: 'model_loading', percent: 42 }, { status: 503 }))
  await request('/me')
  expect(failureSentence('model_loading')).toContain('42')
})

test('a reply that is not JSON and a failed connection are network failures', async () => {
  page.respond(() => new Response('<html>'))
  expect(await requestJson('/me')).toEqual({ ok: false, code: 'network' })
  page.respond(() => Promise.reject(new TypeError('fetch failed')))
  expect(await requestJson('/me')).toEqual({ ok: false, code: 'network' })
  stubPageGlobals({ onLine: false })
  expect(await requestJson('/me')).toEqual({ ok: false, code: 'offline' })
})

test('waits 30 seconds for the response head', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  page.respond(silent)
  const outcomes: unknown[] = []
  const asked = request('/me').then((outcome) => outcomes.push(outcome))
  await vi.advanceTimersByTimeAsync(29_999)
  expect(outcomes).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  await asked
  expect(outcomes).toEqual([{ ok: false, code: 'no_reply' }])
  expect(vi.getTimerCount()).toBe(0)
})

test('leaves no timer after the head, so that the body may take longer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  page.respond(() => Response.json({}))
  await request('/me')
  expect(vi.getTimerCount()).toBe(0)
})

test('throws the abort reason of the caller’s signal, and reports nothing', async () => {
  page.respond(silent)
  const leaving = new AbortController()
  const asked = request('/me', { signal: leaving.signal })
  leaving.abort(new Error('left'))
  await expect(asked).rejects.toThrow('left')
  expect(console.error).not.toHaveBeenCalled()
})

test('reports the time of a rate limit only when it was the client’s', () => {
  expect(limitedForS({ code: 'too_many_requests', retryAfterS: 3 })).toBe(3)
  expect(limitedForS({ code: 'server_busy', retryAfterS: 3 })).toBeUndefined()
})

test('reports how much of a model has been downloaded', async () => {
  page.respond(() => Response.json({ code: 'model_loading', percent: 42 }, { status: 503 }))
  await request('/me')
  expect(failureSentence('model_loading')).toContain('42')
  page.respond(() => Response.json({ code: 'internal' }, { status: 500 }))
  await request('/me')
  expect(failureSentence('model_loading')).toContain('42')
})

test('has a sentence for every code, a general one for those of a newer server', () => {
  expect(failureSentence('not_found')).not.toBe(failureSentence('from the future'))
  expect(failureSentence('from the future')).toBe(failureSentence(undefined))
})

test('retrying is pointless only if the resource is gone or not the visitor’s', () => {
  const codes = ['not_found', 'unauthorized', 'invalid_id', 'invalid_request', 'internal', 'network', 'server_busy'] as const
  expect(codes.filter(isFinal)).toEqual(['not_found', 'unauthorized', 'invalid_id', 'invalid_request'])
})
