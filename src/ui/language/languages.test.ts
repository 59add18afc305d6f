import { expect, test } from 'vitest'
import { directionOf, LANGUAGES, languageOf, nameOf } from './languages.ts'

test.each([
  ['de-CH', 'de'],
  ['zh-Hans-CN', 'zh'],
  ['PT-br', 'pt'],
  ['nl', undefined],
  ['', undefined],
])('maps %s to %s', (tag, language) => {
  expect(languageOf(tag)).toBe(language)
})

test('each language has a name of its own and a direction', () => {
  expect(new Set(LANGUAGES.map(nameOf)).size).toBe(12)
  expect(nameOf('fr')).toBe('Français')
  expect(LANGUAGES.filter((language) => directionOf(language) === 'rtl')).toEqual(['ar'])
})
