import { afterEach, expect, test } from 'vitest'
import { useLanguage } from './language.ts'
import { t } from './translate.ts'

const INITIAL = useLanguage.getState()
afterEach(() => useLanguage.setState(INITIAL, true))

const speak = (language: 'ar' | 'de' | 'ru', translations: object) =>
  useLanguage.setState({ language, locale: language, translations: { ...translations } })

test('falls back to English, with its values', () => {
  speak('de', {})
  expect(t('Saved until {day}', { day: 'Monday' })).toBe('Saved until Monday')
  expect(t.plural(1, '{count} chat', '{count} chats')).toBe('1 chat')
  expect(t.plural(2_000, '{count} chat', '{count} chats')).toBe('2.000 chats')
})

test('translates, with values in the language’s order', () => {
  speak('de', { '{done} of {total}': 'von {total}: {done}' })
  expect(t('{done} of {total}', { done: 1, total: 12_345 })).toBe('von 12.345: 1')
})

test('uses the language’s plural form for a number', () => {
  speak('ru', { '{count} chats': { one: '{count} чат', few: '{count} чата', many: '{count} чатов', other: '{count} чата' } })
  expect([1, 3, 5, 21].map((count) => t.plural(count, '{count} chat', '{count} chats'))).toEqual(['1 чат', '3 чата', '5 чатов', '21 чат'])
})

test('isolates inserted text from the direction of the sentence', () => {
  speak('ar', { 'Delete “{title}”': 'حذف «{title}»' })
  expect(t('Delete “{title}”', { title: 'C++ (2)' })).toBe('حذف «\u2068C++ (2)\u2069»')
})

test('a wrong value or a concatenated message does not compile', () => {
  const day = String(new Date(0).getTime())
  // @ts-expect-error -- there is no such value in the sentence
  expect(t('Saved until {day}', { date: day })).toBe('Saved until ')
  // @ts-expect-error -- only a literal can be translated
  expect(t(`Kept ${day}`)).toBe('Kept 0')
})
