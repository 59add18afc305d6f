import { expect, test } from 'vitest'
import { promptLanguage } from './prompt-language.ts'

test.each([
  ['How much is the fee for a permit?', 'en'],
  ['ما هي رسوم التصريح؟', 'ar'],
  ['Wie hoch ist die Gebühr?', 'de'],
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
  ['hello', null],
  ['12345', null],
  ['', null],
])('"%s" is %s', (text, language) => {
  expect(promptLanguage(text)).toBe(language)
})
