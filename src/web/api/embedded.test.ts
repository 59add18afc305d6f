import { afterEach, beforeEach, expect, test, vi } from 'vitest'

beforeEach(() => {
  vi.resetModules()
})
afterEach(() => {
  vi.unstubAllGlobals()
})

test.each([
  { search: '?embed', headers: { embedded: 'true' } },
  { search: '?embed=&language=de', headers: { embedded: 'true' } },
  { search: '?embed=library', headers: { embedded: 'library' } },
  { search: '?embed=図書館', headers: { embedded: 'true' } },
  { search: '', headers: {} },
])('a page opened with "$search" sends the headers $headers', async ({ search, headers }) => {
  vi.stubGlobal('location', { search })
  expect((await import('./embedded.ts')).EMBEDDED_HEADERS).toEqual(headers)
})

test('writes say which site embeds the page, once it is known, and reads never do', async () => {
  vi.stubGlobal('location', { search: '?embed' })
  const sent: RequestInit[] = []
  vi.stubGlobal('fetch', (_path: string, options: RequestInit) => {
    sent.push(options)
    return Promise.resolve(Response.json({}))
  })
  const { setEmbeddingSite } = await import('./embedded.ts')
  const { request } = await import('./request.ts')
  await request('/api/v1/x', { method: 'POST', body: {} })
  setEmbeddingSite('https://shop.example.org')
  await request('/api/v1/x', { method: 'POST', body: {} })
  await request('/api/v1/x')
  expect(sent.map(({ headers }) => new Headers(headers).get('embedding-site'))).toEqual([null, 'https://shop.example.org', null])
})

test.each([
  ['?embed', 'visit', true],
  ['?embed', 'remember', false],
  ['?embed', undefined, false],
  ['', 'visit', false],
] as const)('the chats of a page opened with "%s" and the setting %s end with the visit: %s', async (search, frameChats, ends) => {
  vi.stubGlobal('location', { search })
  expect((await import('./embedded.ts')).endsWithVisit(frameChats)).toBe(ends)
})
