import { beforeEach, expect, test, vi } from 'vitest'
import { tabStorage } from '../../ui/storage/storage.ts'
import { forgetAllValues, forgetValues, moveValues, rememberValues, valuesOf } from './personal-values.ts'

const CARD = { '[card 1]': '4111' }
const stored = () => JSON.parse(tabStorage.getItem('personal-values') ?? 'null') as unknown

beforeEach(() => forgetAllValues())

test('stores values in this tab unless they are for memory alone', () => {
  rememberValues('listed', CARD, true)
  rememberValues('temporary', { '[iban 1]': 'DE89' }, false)
  expect(stored()).toEqual([['listed', CARD]])
  expect(valuesOf('temporary')).toEqual({ '[iban 1]': 'DE89' })
})

test('gives values to the new key of a chat, without replacing its own', () => {
  rememberValues('', { ...CARD, '[card 2]': '5555' }, true)
  rememberValues('key', { '[card 1]': '3782' }, true)
  moveValues('', 'key')
  expect([valuesOf(''), valuesOf('key')]).toEqual([{}, { '[card 1]': '3782', '[card 2]': '5555' }])
})

test('forgets the values of a deleted chat, and of all', () => {
  rememberValues('one', CARD, true)
  rememberValues('two', CARD, true)
  forgetValues('one')
  expect(stored()).toEqual([['two', CARD]])
  forgetAllValues()
  expect([stored(), valuesOf('two')]).toEqual([null, {}])
})

test('remembers the newest chats and values', () => {
  for (let chat = 0; chat < 30; chat++) rememberValues(`chat ${chat}`, CARD, true)
  expect(stored()).toHaveLength(20)
  expect([valuesOf('chat 9'), valuesOf('chat 29')]).toEqual([{}, CARD])
  rememberValues('full', Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`[card ${index + 1}]`, 'x'])), true)
  expect([Object.keys(valuesOf('full')).length, valuesOf('full')['[card 300]']]).toEqual([200, 'x'])
})

test('has the stored values again after a reload, and stores them further', async () => {
  rememberValues('one', CARD, true)
  vi.resetModules()
  const storage = await import('../../ui/storage/storage.ts')
  storage.tabStorage.setItem('personal-values', JSON.stringify([['one', CARD]]))
  const page = await import('./personal-values.ts')
  expect(page.valuesOf('one')).toEqual(CARD)
  page.rememberValues('two', CARD, true)
  expect(JSON.parse(storage.tabStorage.getItem('personal-values') ?? '')).toEqual([
    ['one', CARD],
    ['two', CARD],
  ])
})
