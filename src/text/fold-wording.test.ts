import { expect, test } from 'vitest'
import { foldWording } from './fold-wording.ts'

test.each([
  ['  Où est-ce ?! ', 'ou est ce'],
  ['STRASSE', 'Straße'],
  ['１２ ｋｍ', '12 km'],
  ['ё', 'е'],
  ['مَدْرَسَة', 'مدرسة'],
  ['落とし物は、どこですか。', '落とし物は どこですか'],
  ['어디예요?', '어디예요'],
])('%j and %j are one wording', (one, other) => {
  expect(foldWording(one)).toBe(foldWording(other))
})

test.each([
  ['फल', 'फूल'],
  ['C++', 'C'],
  ['5 km', '6 km'],
  ['がか', 'かか'],
])('%j and %j are two wordings', (one, other) => {
  expect(foldWording(one)).not.toBe(foldWording(other))
})
