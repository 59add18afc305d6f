import { beforeEach, expect, test } from 'vitest'
import {
  addWaiting,
  changeDraft,
  clearMessageBox,
  draftOf,
  dropDraft,
  forgetDrafts,
  MAX_WAITING,
  moveDraft,
  prependDraft,
  removeWaiting,
  useDrafts,
} from './drafts.ts'

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

const waitingIn = (key: string) => draftOf(key).waiting?.map(({ text }) => text)

test('prompts wait in their order, move with their chat, and stay when the message box is cleared', () => {
  for (const text of ['first', 'second', 'third']) addWaiting('a', { id: text, text, files: [] })
  removeWaiting('a', 'second')
  changeDraft('a', { text: 'typed' })
  clearMessageBox('a')
  moveDraft('a', 'b')
  expect([textOf('b'), waitingIn('b'), waitingIn('a')]).toEqual(['', ['first', 'third'], undefined])
  dropDraft('b')
  expect([...useDrafts.getState().drafts.keys()]).toEqual([])
})

test('a bounded number of prompts waits', () => {
  for (let count = 0; count <= MAX_WAITING; count += 1) addWaiting('a', { id: String(count), text: 'more', files: [] })
  expect(waitingIn('a')).toHaveLength(MAX_WAITING)
})
