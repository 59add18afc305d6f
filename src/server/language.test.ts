import { expect, test } from 'vitest'
import { detectLanguage, languageOf } from './language.ts'

test.each([
  ['How much is the fee for a permit?', 'en'],
  ['ما هي رسوم التصريح؟', 'ar'],
  ['Wie hoch ist die Gebühr für den Ausweis?', 'de'],
  ['¿Cuánto cuesta el permiso?', 'es'],
  ['Combien coûte le permis ?', 'fr'],
  ['परमिट का शुल्क क्या है?', 'hi'],
  ['Quanto costa il permesso di sosta?', 'it'],
  ['許可証の料金はいくらですか', 'ja'],
  ['허가 비용은 얼마입니까', 'ko'],
  ['Quanto custa a licença e como posso pagar?', 'pt'],
  ['Сколько стоит разрешение?', 'ru'],
  ['许可证多少钱', 'zh'],
  ['Parley のサーバー', 'ja'],
  ['Hoeveel kost een parkeervergunning voor het centrum?', 'nl'],
  ['hello', null],
  ['12345', null],
  ['', null],
])('"%s" is %s', (text, language) => {
  expect(detectLanguage(text)).toBe(language)
})

test('a reply is in the language of the text, else of the page, else of the browser', () => {
  expect(languageOf('Combien coûte le permis ?', ['de'])).toBe('fr')
  expect(languageOf('ok', ['de-AT', 'fr'])).toBe('de')
  expect(languageOf('Hoeveel kost een parkeervergunning voor het centrum?', ['nl', 'fr'])).toBe('fr')
  expect(languageOf('ok', ['nl'])).toBeNull()
})
