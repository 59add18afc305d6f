import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type PageGlobals, stubPageGlobals } from '../../../../test/support/page-globals.ts'
import type * as Deletions from './pending-deletions.ts'

const UNDO_MS = 6_000
const CHAT = { key: 'a', title: 'First chat' }

let page: PageGlobals
const globals = new EventTarget()
let deletions: typeof Deletions

beforeAll(async () => {
  page = stubPageGlobals()
  vi.stubGlobal('addEventListener', globals.addEventListener.bind(globals))
  vi.stubGlobal('Element', Blob)
  // Imported by the first failure otherwise, in time that is not the test's.
  deletions = await import('./pending-deletions.ts')
})
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  page.requests.length = 0
  page.respond(() => Response.json({}))
})
afterEach(async () => {
  await pass(UNDO_MS)
  vi.useRealTimers()
})
afterAll(() => vi.unstubAllGlobals())

async function pass(ms: number) {
  await vi.advanceTimersByTimeAsync(ms)
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

const pending = () => [...deletions.usePendingDeletions.getState().keys()]
const deleted = () => page.requests.map(({ path, init }) => `${init.method} ${path}`)
const press = (key: string, options: object = {}) =>
  globals.dispatchEvent(Object.assign(new Event('keydown', { cancelable: true }), { key, ctrlKey: true, ...options }))

test('a chat is hidden until the time for undo is over, and then deleted', async () => {
  deletions.deleteWithUndo({ ...CHAT }, () => undefined)
  await pass(UNDO_MS - 1)
  expect([pending(), deleted()]).toEqual([['a'], []])
  await pass(1)
  expect([pending(), deleted()]).toEqual([[], ['DELETE /api/v1/sessions/a']])
})

test('closing the page deletes at once, and only once', async () => {
  deletions.deleteWithUndo({ ...CHAT }, () => undefined)
  globals.dispatchEvent(new Event('pagehide'))
  globals.dispatchEvent(new Event('pagehide'))
  await pass(UNDO_MS)
  expect(deleted()).toEqual(['DELETE /api/v1/sessions/a'])
})

test('a keyboard undo restores the newest deletion first, each once', async () => {
  const undone: string[] = []
  deletions.deleteWithUndo({ ...CHAT }, () => undone.push('a'))
  deletions.deleteWithUndo({ key: 'b', title: 'Second chat' }, () => undone.push('b'))
  press('z', { shiftKey: true })
  press('y')
  expect(undone).toEqual([])
  press('z')
  expect([undone, pending()]).toEqual([['b'], ['a']])
  press('Z', { ctrlKey: false, metaKey: true })
  press('z')
  await pass(UNDO_MS)
  expect([undone, pending(), deleted()]).toEqual([['b', 'a'], [], []])
})

test('a chat that could not be deleted is shown again', async () => {
  page.respond(() => Response.json({ code: 'internal' }, { status: 500 }))
  deletions.deleteWithUndo({ ...CHAT }, () => undefined)
  await pass(UNDO_MS)
  await pass(0)
  expect([pending(), deleted()]).toEqual([[], ['DELETE /api/v1/sessions/a']])
})
