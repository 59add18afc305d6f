import { afterEach, expect, test, vi } from 'vitest'
import { notificationFault } from './notification-rules.ts'
import { notify } from './notification.tsx'

afterEach(() => vi.restoreAllMocks())

test.each<[string, object]>([
  ['position', { position: 'middle' }],
  ['timeout', { timeout: -1 }],
  ['timeout', { timeout: Number.NaN }],
  ['timeout', { timeout: '5000' }],
  ['badge position', { badgePosition: 'bottom' }],
])('rejects an invalid %s with a console error', (what, options) => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  notify({ message: 'Hello', ...options })
  expect(error).toHaveBeenCalledExactlyOnceWith(expect.stringContaining(`invalid ${what}`))
})

test('accepts every documented setting, and has the documented defaults', () => {
  expect(notificationFault({ message: 'Hello' })).toBeNull()
  expect(notificationFault({ message: 'Hello', position: 'top', timeout: 0, badgePosition: 'bottom-left', actions: [] })).toBeNull()
})
