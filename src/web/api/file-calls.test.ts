import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { stubPageGlobals } from '../../../test/support/page-globals.ts'
import { sendFile } from './file-calls.ts'

/** A request that a test replies to. */
class FakeRequest extends EventTarget {
  static last: FakeRequest
  readonly upload = new EventTarget()
  readonly headers: Record<string, string> = {}
  opened = ''
  sent: unknown
  responseType = ''
  timeout = 0
  status = 0
  response: unknown = null

  constructor() {
    super()
    FakeRequest.last = this
  }
  open(method: string, path: string) {
    this.opened = `${method} ${path}`
  }
  setRequestHeader(name: string, value: string) {
    this.headers[name] = value
  }
  send(content: unknown) {
    this.sent = content
  }
  abort() {
    this.dispatchEvent(new Event('abort'))
  }
  end(event: string, reply: { status?: number; response?: unknown } = {}) {
    Object.assign(this, reply)
    this.dispatchEvent(new Event(event))
  }
}

beforeEach(() => {
  stubPageGlobals()
  vi.stubGlobal('XMLHttpRequest', FakeRequest)
})
afterEach(() => vi.unstubAllGlobals())

const content = new Blob(['text'])

function sending({ isShared = false, signal = new AbortController().signal } = {}) {
  const shares: number[] = []
  const sent = sendFile('a b.txt', content, { isShared, onProgress: (share) => shares.push(share), signal })
  return { sent, shares, call: FakeRequest.last }
}

test('sends a file under its name, and reports progress', async () => {
  const { sent, shares, call } = sending()
  expect(call).toMatchObject({
    opened: 'POST /api/v1/files?name=a+b.txt',
    headers: { 'Content-Type': 'application/octet-stream' },
    responseType: 'json',
    timeout: 30_000,
  })
  expect(call.sent).toBe(content)
  for (const [loaded, total] of [
    [1, 4],
    [0, 0],
  ])
    call.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded, total }))
  expect(shares).toEqual([0.25, 0])
  call.end('load', { status: 200, response: { id: 'f' } })
  expect(await sent).toEqual({ ok: true, value: { id: 'f' } })
})

test('states that the computer is shared', () => {
  expect(sending({ isShared: true }).call.opened).toBe('POST /api/v1/files?name=a+b.txt&device=shared')
})

test.each([
  ['load', { status: 413, response: { code: 'too_large' } }, 'too_large'],
  ['load', { status: 502, response: null }, 'internal'],
  ['error', {}, 'network'],
  ['timeout', {}, 'no_reply'],
])('a rejected file (%s %j) fails with its code', async (event, reply, code) => {
  const { sent, call } = sending()
  call.end(event, reply)
  expect(await sent).toEqual({ ok: false, code })
})

test('fails as offline if the browser is', async () => {
  stubPageGlobals({ onLine: false })
  const { sent, call } = sending()
  call.end('error')
  expect(await sent).toEqual({ ok: false, code: 'offline' })
})

test('stops sending when its signal aborts', async () => {
  const leaving = new AbortController()
  const { sent } = sending({ signal: leaving.signal })
  leaving.abort(new Error('taken back'))
  await expect(sent).rejects.toThrow('taken back')
})
