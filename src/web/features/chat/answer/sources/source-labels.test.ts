import { expect, test } from 'vitest'
import { sourceLabels } from './source-labels.ts'

const source = (title: string, shortSections = '', place = '', origin = '') => ({ title, shortSections, place, origin })

test.each([
  ['titles that differ stay', [source('A', 'x'), source('B', 'x')], ['A', 'B']],
  ['the section tells apart', [source('A', 'x'), source('A', 'y'), source('B')], ['A – x', 'A – y', 'B']],
  ['one without a section keeps its title', [source('A', 'x'), source('A')], ['A – x', 'A']],
  ['then the place', [source('A', 'x', 'page 1'), source('A', 'x', 'page 2')], ['A – x – page 1', 'A – x – page 2']],
  ['then the origin', [source('A', '', '', 'a.md'), source('A', '', '', 'b.md')], ['A – a.md', 'A – b.md']],
  ['then a number', [source('A'), source('A'), source('A (2)'), source('A')], ['A', 'A (2)', 'A (2) (2)', 'A (3)']],
  ['no title is replaced', [source('', 'x'), source('')], ['x', '']],
  ['white space does not tell apart', [source('A  b'), source('A\nb')], ['A b', 'A b (2)']],
])('%s', (_, sources, labels) => {
  expect(sourceLabels(sources)).toEqual(labels)
})

test('long titles are shortened and stay distinct', () => {
  const labels = sourceLabels([source('a'.repeat(5_000)), source('a'.repeat(5_000))])
  expect(new Set(labels).size).toBe(2)
  expect(Math.max(...labels.map(({ length }) => length))).toBeLessThan(210)
})

test('two hundred sources with one title are labelled quickly', () => {
  expect(new Set(sourceLabels(Array.from({ length: 200 }, () => source('A', 'x', 'y', 'z')))).size).toBe(200)
})
