import { expect, test } from 'vitest'
import type { SessionSummary } from '../../contract/chat/sessions.ts'
import { type LoadedList, withFirstPage, withNextPage, withSession } from './session-list.ts'

const session = (key: string, updatedAt: string) => ({ key, updatedAt }) as SessionSummary
const list = (next: string | null, ...sessions: SessionSummary[]): LoadedList => ({ sessions, next })
const keysOf = ({ sessions }: LoadedList) => sessions.map(({ key }) => key).join(' ')

const [top, a, b, c, d] = [session('top', '999'), session('a', '9'), session('b', '8'), session('c', '7'), session('d', '6')]

test('keeps later pages when the first page is reloaded', () => {
  const again = withFirstPage(list('after d', top, a, b, c, d), list('after b', top, session('new', '99'), b))
  expect(keysOf(again)).toBe('top new b c d')
  expect(again.next).toBe('after d')
})

test('lists a session once that has moved from a later page to the first', () => {
  const again = withFirstPage(list('after c', a, b, c), list('after a', session('c', '99'), a))
  expect(keysOf(again)).toBe('c a b')
})

test('keeps only the first page if it is the whole list, or no more was loaded', () => {
  expect(withFirstPage(list('x', a, b, c), list(null, a))).toEqual(list(null, a))
  expect(withFirstPage(list('x', a, b), list('y', a, b))).toEqual(list('y', a, b))
})

test('appends a page without duplicates', () => {
  expect(withNextPage(list('x', a, b), list(null, b, c))).toEqual(list(null, a, b, c))
})

test('inserts a session in order of activity', () => {
  expect(keysOf(withSession(list(null, top, a, b, c), session('b', '91')))).toBe('top b a c')
  expect(keysOf(withSession(list(null, top, a, b), session('top', '1')))).toBe('a b top')
})

test('leaves out a session that belongs on a page not loaded yet', () => {
  expect(keysOf(withSession(list('more', top, a, b), session('top', '1')))).toBe('a b')
  expect(keysOf(withSession(list('more', a, b), session('old', '2')))).toBe('a b')
})
