import { expect, test, vi } from 'vitest'

test.each([
  { search: '?embed', headers: { embedded: 'true' } },
  { search: '', headers: {} },
])('a page opened with "$search" sends the headers $headers', async ({ search, headers }) => {
  vi.resetModules()
  vi.stubGlobal('location', { search })
  try {
    expect((await import('./embedded.ts')).EMBEDDED_HEADERS).toEqual(headers)
  } finally {
    vi.unstubAllGlobals()
  }
})
