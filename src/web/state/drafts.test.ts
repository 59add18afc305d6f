import { beforeEach, expect, test } from 'vitest'
import { changeDraft, draftOf, forgetDrafts, moveDraft, prependDraft, useDrafts } from './drafts.ts'

beforeEach(forgetDrafts)

const draft = (text: string) => ({ text, files: [] })
const textOf = (key: string) => draftOf(key).text

test('each chat has its own draft, and an empty one is none', () => {
  changeDraft('a', { text: 'for a' })
  changeDraft('b', { text: 'for b' })
  changeDraft('b', { text: '' })
  expect([...useDrafts.getState().drafts]).toEqual([['a', draft('for a')]])
})

test('returned text is put before text typed meanwhile', () => {
  changeDraft('a', { text: 'later' })
  prependDraft('a', draft('earlier'))
  expect(textOf('a')).toBe('earlier\nlater')
})

test('a draft moves with its chat to another key', () => {
  changeDraft('own', { text: 'more' })
  moveDraft('own', 'of the server')
  expect([textOf('own'), textOf('of the server')]).toEqual(['', 'more'])
})

test('keeps the drafts changed last', () => {
  changeDraft('first', { text: 'x' })
  changeDraft('second', { text: 'x' })
  for (let chat = 0; chat < 48; chat += 1) changeDraft(`chat ${chat}`, { text: 'x' })
  changeDraft('first', { text: 'changed' })
  changeDraft('one more', { text: 'x' })
  expect([textOf('first'), textOf('second')]).toEqual(['changed', ''])
  expect(useDrafts.getState().drafts.size).toBe(50)
})
