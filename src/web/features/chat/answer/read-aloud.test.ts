import { expect, test } from 'vitest'
import { useLanguage } from '../../../../ui/language/language.ts'
import { languageOf } from './read-aloud.ts'

test.each([
  ['Guten Tag, wie geht es Ihnen?', 'de-CH'],
  ['こんにちは、世界', 'ja'],
  ['你好，世界', 'zh'],
  ['안녕하세요 세계', 'ko'],
  ['مرحبا بالعالم', 'ar'],
  ['नमस्ते दुनिया', 'hi'],
  ['Привет, мир', 'ru'],
  ['The word こ is one letter of Japanese among many others here', 'de-CH'],
  ['6 * 7 = 42', 'de-CH'],
])('“%s” is read aloud in %s', (text, language) => {
  useLanguage.setState({ language: 'de', locale: 'de-CH' })
  expect(languageOf(text)).toBe(language)
})
