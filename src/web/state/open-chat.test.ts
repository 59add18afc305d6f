import { afterEach, beforeEach, expect, test, vi } from 'vitest'

let cookie: string
beforeEach(() => {
  vi.resetModules()
  cookie = ''
  const page = {
    get cookie() {
      return cookie
    },
    set cookie(set: string) {
      const [pair = ''] = set.split(';')
      cookie = set.includes('Max-Age=0') ? '' : pair
    },
  }
  vi.stubGlobal('document', page)
})
afterEach(() => vi.unstubAllGlobals())

/** The modules of a page with this query. */
async function pageWith(search: string) {
  vi.stubGlobal('location', { search, protocol: 'https:' })
  const [{ storeOpenChat, readOpenChat }, { forgetStoredSession }, { useApplication }] = await Promise.all([
    import('./open-chat.ts'),
    import('./stored-session.ts'),
    import('./application-store.ts'),
  ])
  return { storeOpenChat, readOpenChat, forgetStoredSession, useApplication }
}

test('a frame finds the open chat again, until another is begun or stored data is cleared', async () => {
  const { storeOpenChat, readOpenChat, forgetStoredSession } = await pageWith('?embed')
  expect(readOpenChat()).toBeNull()
  storeOpenChat('a;b=c')
  expect(readOpenChat()).toBe('a;b=c')
  storeOpenChat(null)
  expect([readOpenChat(), cookie]).toEqual([null, ''])
  storeOpenChat('one')
  forgetStoredSession()
  expect([readOpenChat(), cookie]).toEqual([null, ''])
})

test('nothing is stored on a shared computer', async () => {
  const { storeOpenChat, useApplication } = await pageWith('?embed')
  storeOpenChat('one')
  useApplication.setState({ isSharedComputer: true })
  storeOpenChat('two')
  expect(cookie).toBe('')
})

test('nothing is stored outside a frame', async () => {
  const { storeOpenChat, readOpenChat } = await pageWith('')
  storeOpenChat('one')
  expect(cookie).toBe('')
  cookie = 'open-chat=two'
  expect(readOpenChat()).toBeNull()
})
