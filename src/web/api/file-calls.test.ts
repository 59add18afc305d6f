import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type PageGlobals, stubPageGlobals } from '../../../test/support/page-globals.ts'
import { sendFile } from './file-calls.ts'

let page: PageGlobals
beforeEach(() => {
  page = stubPageGlobals()
  page.respond(() => Response.json({ id: 'f' }))
})
afterEach(() => vi.unstubAllGlobals())

const body = new Blob(['text'])
const { signal } = new AbortController()

test('sends a file under its name, as it is', async () => {
  expect(await sendFile('a b.txt', body, { isShared: false, signal })).toEqual({ ok: true, value: { id: 'f' } })
  expect(page.requests).toMatchObject([
    { path: '/api/v1/files?name=a+b.txt', init: { method: 'POST', body, headers: { 'Content-Type': 'application/octet-stream' } } },
  ])
})

test('states that the computer is shared', async () => {
  await sendFile('a b.txt', body, { isShared: true, signal })
  expect(page.requests[0]?.path).toBe('/api/v1/files?name=a+b.txt&device=shared')
})
