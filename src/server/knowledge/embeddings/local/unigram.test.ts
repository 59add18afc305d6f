import { expect, test } from 'vitest'
import { UnigramTokenizer } from './unigram.ts'

const PIECES = { '': 0, '▁': -3, '▁park': -4, '▁parking': -5, ing: -4, a: -6, r: -6 }
const tokenizer = new UnigramTokenizer({ pieces: Object.keys(PIECES), scores: Object.values(PIECES), unknown: 0 })
const cut = (text: string) => tokenizer.tokenize(text).map((id) => Object.keys(PIECES)[id])

test('cuts words into their most likely pieces', () => {
  expect(cut('parking  park')).toEqual(['▁parking', '▁park'])
  expect(cut('parkar')).toEqual(['▁park', 'a', 'r'])
  expect(cut(' ')).toEqual([])
})

test('makes one token of characters that follow each other outside the vocabulary', () => {
  expect(cut('a𝒳𝒴 r')).toEqual(['▁', 'a', '', '▁', 'r'])
})
