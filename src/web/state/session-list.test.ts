import { expect, test } from 'vitest'
import type { SessionSummary } from '../../contract/sessions.ts'
import { type LoadedList, withFirstPage, withNextPage, withSession } from './session-list.ts'

const session = (key: string, updatedAt: string, pinned = false) => ({ key, updatedAt, pinned }) as SessionSummary
const list = (next: string | null, ...sessions: SessionSummary[]): LoadedList => ({ sessions, next })
const keysOf = ({ sessions }: LoadedList) => sessions.map(({ key }) => key).join(' ')

const [top, a, b, c, d] = [session('top', '1', true), session('a', '9'), session('b', '8'), session('c', '7'), session('d', '6')]

test('keeps what was loaded behind the first page when that comes anew', () => {
  const again = withFirstPage(list('after d', top, a, b, c, d), list('after b', top, session('new', '99'), b))
  expect(keysOf(again)).toBe('top new b c d')
  expect(again.next).toBe('after d')
})

test('takes the first page alone when it is all there is, or nothing was loaded behind it', () => {
  expect(withFirstPage(list('x', a, b, c), list(null, a))).toEqual(list(null, a))
  expect(withFirstPage(list('x', a, b), list('y', a, b))).toEqual(list('y', a, b))
})

test('adds a page, and takes nothing in twice', () => {
  expect(withNextPage(list('x', a, b), list(null, b, c))).toEqual(list(null, a, b, c))
})

test('puts a session where it belongs: pinned ones first, then by activity', () => {
  expect(keysOf(withSession(list(null, top, a, b, c), session('b', '91')))).toBe('top b a c')
  expect(keysOf(withSession(list(null, top, a, b), session('b', '8', true)))).toBe('b top a')
  expect(keysOf(withSession(list(null, top, a, b), session('top', '1')))).toBe('a b top')
})

test('leaves a session that belongs behind what is loaded to the page that brings it', () => {
  expect(keysOf(withSession(list('more', top, a, b), session('top', '1')))).toBe('a b')
  expect(keysOf(withSession(list('more', a, b), session('old', '2')))).toBe('a b')
})
