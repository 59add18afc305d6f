import { expect, test } from 'vitest'
import type { Piece } from '../../../contract/chat/search.ts'
import { SearchTerms } from './search-terms.ts'

const shown = (pieces: Piece[]) => pieces.map(({ text, marked }) => (marked ? `[${text}]` : text)).join('')
const marks = (query: string, text: string) => shown(new SearchTerms(query).highlight(text))

test.each<[query: string, text: string, marked: string]>([
  ['cafe', 'Le Café, un CAFÉ', 'Le [Café], un [CAFÉ]'],
  ['café', 'a cafe\u0301 and cafes', 'a [cafe\u0301] and [cafe]s'],
  ['mona li', 'Li, Mona Lisa', '[Li], [Mona] [Li]sa'],
  ['strasse', 'Große Straße 1', 'Große [Straße] 1'],
  ['東京', '来年は東京都へ行く', '来年は[東京]都へ行く'],
  ['京', '東京都', '東[京]都'],
  ['カタカナ', 'ｶﾀｶﾅ', '[ｶﾀｶﾅ]'],
  ['कि', 'कि की', '[कि] की'],
  ['محمد', 'قال مُحَمَّد', 'قال [مُحَمَّد]'],
  ['서울', '서울에서', '[서울]에서'],
  ['йога', 'Йога и ёжик', '[Йога] и ёжик'],
  ['2026', '😀 in 2026!', '😀 in [2026]!'],
  ['a.b', 'b or a', '[b] or [a]'],
  ['ore', 'Øre, Ære', '[Øre], Ære'],
  ['need needle', 'a needle', 'a [needle]'],
])('%s is found in “%s”', (query, text, marked) => {
  expect(new SearchTerms(query).matches(text)).toBe(true)
  expect(marks(query, text)).toBe(marked)
})

test.each([
  ['art', 'start'],
  ['one three', 'one two'],
  ['東京', '京東'],
  ['…', 'anything … at all'],
])('%s is not found in “%s”', (query, text) => {
  expect(new SearchTerms(query).matches(text)).toBe(false)
})

test('a snippet shows where most of the words are close together, and where it was cut', () => {
  const text = `${'early alpha '.repeat(30)}\n\n${'and so on '.repeat(30)}here alpha meets\n beta ${'and goes on '.repeat(30)}`
  const snippet = shown(new SearchTerms('alpha bet').snippet(text))
  expect(snippet).toMatch(/^…(so on and )+so on here \[alpha\] meets \[bet\]a .*…$/)
  expect(snippet.length).toBeLessThan(220)
  expect(shown(new SearchTerms('x').snippet('only x'))).toBe('only [x]')
})

test('a snippet begins where the words are close enough to fit into it', () => {
  const filler = 'and so on '
  const text = `alpha ${filler.repeat(30)}alpha far ${filler.repeat(14)}beta ${filler.repeat(14)}alpha near beta`
  expect(shown(new SearchTerms('alpha beta').snippet(text))).toMatch(/\[alpha\] near \[beta\]$/)
})

test('a snippet of one long line is 160 characters long, and ends with a whole word', () => {
  const text = 'needle '.repeat(100)
  const length = new SearchTerms('needle').snippet(text).reduce((sum, piece) => sum + piece.text.length, 0)
  // Ends at the end of the word in which the 160th character is: 23 words, and the ellipsis.
  expect(length).toBe(23 * 7 - 1 + 1)
})

test('keeps positions correct if folding changes the length of letters', () => {
  const text = `${'ß ﬃ e\u0301 한 '.repeat(500)}needle`
  expect(shown(new SearchTerms('needle').snippet(text))).toMatch(/\[needle\]$/)
})

test('finds a letter of two code units wherever it stands in a long text', () => {
  const text = `${'x'.repeat(510)} 𝐀pple`
  expect(new SearchTerms('apple').highlight(text).at(-1)).toEqual({ text: '𝐀pple', marked: true })
})

test('a snippet begins some forty characters before the match, with a whole word', () => {
  const text = `${'a'.repeat(30)} ${'b'.repeat(30)} ${'c '.repeat(20)}needle`
  expect(shown(new SearchTerms('needle').snippet(text))).toBe(`…${'c '.repeat(20)}[needle]`)
})

test('treats the query as words, not as a pattern', () => {
  expect(marks('(a|b)*', 'a b ab')).toBe('[a] [b] [a]b')
})
