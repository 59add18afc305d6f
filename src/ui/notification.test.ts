import { afterEach, expect, test, vi } from 'vitest'
import { notificationFault, withNotification } from './notification.tsx'
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

test('counts repeats, shows one notification for a cause, and at most four', () => {
  const one = (message: string, cause?: string) => ({ message, cause, position: 'bottom' as const, count: 1 })
  const shown = [one('a'), one('Chat deleted', 'x'), one('Chat deleted by hand', 'y')].reduce(
    withNotification,
    [] as ReturnType<typeof one>[],
  )
  expect(withNotification(shown, one('a'))).toEqual([shown[1], shown[2], { ...one('a'), count: 2 }])
  expect(withNotification(shown, one('Permanently deleted', 'x'))).toEqual([shown[0], shown[2], one('Permanently deleted', 'x')])
  const many = ['b', 'c', 'd', 'e'].map((message) => one(message)).reduce(withNotification, shown)
  expect(many.map(({ message }) => message)).toEqual(['b', 'c', 'd', 'e'])
})
