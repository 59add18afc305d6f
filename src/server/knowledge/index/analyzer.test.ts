import { expect, test } from 'vitest'
import { STEMMER_LANGUAGES } from '../../../contract/stemmer-languages.ts'
import { fold } from '../../../text/fold.ts'
import { Analyzer, partsOf, tokensOf } from './analyzer.ts'

const WORDS = {
  german: ['Häuser', 'Haus', 'und'],
  french: ['maisons', 'maison', 'et'],
  spanish: ['casas', 'casa', 'y'],
  italian: ['gatti', 'gatto', 'e'],
  portuguese: ['casas', 'casa', 'e'],
  dutch: ['boeken', 'boek', 'en'],
  swedish: ['husen', 'hus', 'och'],
  norwegian: ['husene', 'hus', 'og'],
  danish: ['husene', 'hus', 'og'],
  finnish: ['talossa', 'talot', 'ja'],
  russian: ['книги', 'книга', 'и'],
  turkish: ['evler', 'ev', 've'],
  english: ['houses', 'house', 'and'],
} as const

test.each(STEMMER_LANGUAGES)('knows forms and function words of the language %s', async (language) => {
  const analyzer = await Analyzer.of([language])
  const [form, other, functionWord] = WORDS[language]
  const common = analyzer.stemsOf(form).filter((stem) => analyzer.stemsOf(other).includes(stem))
  expect(common).not.toEqual([])
  expect([analyzer.isStopWord(functionWord), analyzer.isStopWord(form)]).toEqual([true, false])
})

test('an identifier has the terms of its parts', async () => {
  const analyzer = await Analyzer.of([])
  expect(analyzer.termsOf('max_connections')).toEqual(['max_connections', 'max', ...analyzer.stemsOf('connections')])
  expect(analyzer.termsOf('DocumentRoot')).toEqual(['documentroot', 'document', 'root'])
  expect([partsOf('pumps'), partsOf('_pumps'), partsOf('Pumps')]).toEqual([[], ['pumps'], []])
})

test('a long token counts by its beginning', async () => {
  const analyzer = await Analyzer.of([])
  expect(analyzer.stemsOf('q'.repeat(500))).toEqual(analyzer.stemsOf('q'.repeat(64)))
  expect(analyzer.stemsOf('q'.repeat(500))).not.toEqual(analyzer.stemsOf('q'.repeat(63)))
})

test('numbers and identifiers have no other forms', async () => {
  expect((await Analyzer.of([])).stemsOf('Pumps_2s')).toEqual(['pumps_2s'])
  expect(new Analyzer().stemsOf('Pumps')).toEqual(['pumps'])
  expect((await Analyzer.of([])).stemsOf('Pumps')).toEqual(['pump'])
})

test('tokens of Chinese and Japanese are pairs of characters', () => {
  expect(tokensOf('図書館は open 月')).toEqual(['図書', '書館', '館は', 'open', '月'])
})

test('accents and case make no difference', () => {
  expect(['Élan', 'STRAßE', 'ｗｉｄｅ'].map(fold)).toEqual(['elan', 'strasse', 'wide'])
})
