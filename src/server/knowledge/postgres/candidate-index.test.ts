import { expect, test } from 'vitest'
import { Analyzer } from '../index/analyzer.ts'
import type { Passage } from '../ingestion/passages.ts'
import { CandidateIndex, KnownTerms } from './candidate-index.ts'
import type { FoundRow, SharedState } from './shared-store.ts'

const STATE: SharedState = {
  generation: 1,
  passages: 100,
  totalLength: 2_500,
  synonyms: '',
  vectorIdentity: '',
  vectorDimensions: 0,
}
const passage = (file: string, text: string): Passage => ({
  title: file,
  file,
  heading: file,
  path: [],
  text,
  place: null,
  keywords: '',
  subheadings: [],
  address: null,
  asOf: null,
})
const row = (file: string, ordinal: number): FoundRow => ({ ordinal, passage: passage(file, `${file} ${ordinal}`) })

test('terms that are not known are asked for, and those that are have their frequency', () => {
  const known = new KnownTerms()
  known.learn([
    ['pump', 7],
    ['rare', 0],
  ])
  expect(['pump', 'rare', 'valve'].map((term) => known.frequencyOf(term))).toEqual([7, 0, 0])
  expect([...known.wanted]).toEqual(['valve'])
})

test('terms like one are asked for once, and then given by their frequency, as many as wanted', () => {
  const known = new KnownTerms()
  expect(known.near('pum', 5)).toEqual([])
  expect([...known.wantedNear]).toEqual(['pum'])
  known.wantedNear.clear()
  known.learnNear('pum', [
    ['pumps', 2],
    ['pump', 9],
    ['pumice', 0],
  ])
  expect(known.near('pum', 5).map(({ term }) => term)).toEqual(['pump', 'pumps'])
  expect(known.near('pum', 1)).toEqual([{ term: 'pump', kind: 'prefix' }])
  expect([[...known.wantedNear], known.frequencyOf('pumps'), [...known.wanted]]).toEqual([[], 2, []])
})

test('candidates count as so many and so long as all passages of the shared index', async () => {
  const known = new KnownTerms()
  const index = new CandidateIndex(await Analyzer.of(['english']), STATE, known)
  index.addRows([row('a', 1)])
  expect([index.size, index.averageLength, index.frequencyOf('pump')]).toEqual([100, 25, 0])
  expect([...known.wanted]).toEqual(['pump'])
  const empty = new CandidateIndex(await Analyzer.of(['english']), { ...STATE, passages: 0, totalLength: 0 }, known)
  expect([empty.size, empty.averageLength]).toEqual([0, 1])
})

test('candidates are in the order of files and ordinals, once each, and only those next to each other are neighbours', async () => {
  const index = new CandidateIndex(await Analyzer.of(['english']), STATE, new KnownTerms())
  index.addRows([row('b', 4), row('a', 2), row('b', 2), row('b', 1), row('a', 2)])
  expect(Array.from({ length: 6 }, (_, number) => index.passage(number)?.text)).toEqual(['a 2', 'b 1', 'b 2', '···', 'b 4', undefined])
})
