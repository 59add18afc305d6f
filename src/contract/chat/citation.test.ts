import { describe, expect, test } from 'vitest'
import { exportPart } from './parts/stored-parts.ts'
import {
  type Citation,
  citationMetadata,
  citationOf,
  citedNumbers,
  escapeMarkdown,
  usesSource,
  type SourcePart,
  sourceNumber,
  splitCitations,
  withoutCitations,
} from './citation.ts'

const CITATION: Citation = {
  breadcrumb: 'Returns › Time limits',
  quote: 'You have **30 days**.',
  asOf: '2026-11-22',
  address: 'https://example.org/returns',
  place: 'page 3',
}
const part = (parley: unknown, sourceId = '1') =>
  ({ type: 'source-document', sourceId, mediaType: 'text/html', title: 'Returns', providerMetadata: { parley } }) as SourcePart

describe('a citation', () => {
  test('is read from a source as the source was written', () => {
    expect(citationOf(part(citationMetadata(CITATION).parley))).toEqual(CITATION)
  })

  test.each([undefined, null, 'text', 5])('is undefined for %j', (parley) => {
    expect(citationOf(part(parley))).toBeUndefined()
  })

  test('has only fields of the right type', () => {
    const empty = { breadcrumb: '', quote: '', asOf: null, address: null }
    expect(citationOf(part({}))).toEqual(empty)
    expect(citationOf(part({ breadcrumb: 1, quote: ['a'], asOf: 5, address: {}, place: null, other: 'x' }))).toEqual(empty)
  })

  test.each([
    ['javascript:alert(1)', null],
    ['JaVaScript:alert(1)', null],
    ['data:text/html,x', null],
    ['//example.org', null],
    ['/relative', null],
    ['mailto:a@example.org', null],
    ['https://', null],
    [`https://example.org/${'x'.repeat(2_000)}`, null],
    [' https://example.org/a b', 'https://example.org/a%20b'],
    ['http://example.org', 'http://example.org/'],
  ])('turns the address %j into %j', (address, expected) => {
    expect(citationOf(part({ ...CITATION, address }))?.address).toBe(expected)
  })

  test.each(['yesterday', '2026-13-01', '2026-11-22T10:00:00Z', '<b>'])('has no date in %j', (asOf) => {
    expect(citationOf(part({ ...CITATION, asOf }))?.asOf).toBeNull()
  })

  test('is bounded, and does not split characters', () => {
    const { breadcrumb, quote, place } = citationOf(
      part({ ...CITATION, breadcrumb: 'b'.repeat(9_999), quote: `${'q'.repeat(999)}😀`, place: 'p'.repeat(9_999) }),
    )!
    expect([breadcrumb.length, quote, place?.length]).toEqual([500, `${'q'.repeat(999)}\ufffd`, 200])
  })
})

test('an export bounds a citation as the page does', () => {
  const hostile = { ...CITATION, quote: 'q'.repeat(9_999), address: 'javascript:alert(1)', asOf: 'never', extra: '<script>' }
  expect(exportPart({ ...part(hostile), providerMetadata: { parley: hostile, other: {} } })).toEqual(part(citationOf(part(hostile))))
})

test.each([
  ['1', 1],
  ['100', 100],
  ['0', undefined],
  ['01', undefined],
  ['1000', undefined],
  ['file.md', undefined],
])('the source id %j is the number %j', (sourceId, number) => {
  expect(sourceNumber(part(undefined, sourceId))).toBe(number)
})

test.each([
  ['Yes [1].', ['Yes ', [1], '.']],
  ['[1][2] [3, 4;5]', [[1], [2], ' ', [3, 4, 5]]],
  ['到【12】。', ['到', [12], '。']],
  ['[1](https://example.org) a[0] [x] [1000] [2026] [1, ] []', ['[1](https://example.org) a[0] [x] [1000] [2026] [1, ] []']],
])('%s is split at its citations', (text, pieces) => {
  expect(splitCitations(text).map((piece) => (typeof piece === 'string' ? piece : piece.numbers))).toEqual(pieces)
})

test.each([
  ['It is so [2], and `list[3]` [1][2].', [2, 1]],
  ['```js\nlist[4]\n```\nSo [5].', [5]],
  ['`` a ` [1] `` [2]', [2]],
  ['an open ` [1]', [1]],
])('%j cites %j', (markdown, numbers) => {
  expect([...citedNumbers(markdown)]).toEqual(numbers)
})

test.each(['`', '`a', '`a``b```c', '[1', '[1,', '[1] ', '[1,   '])('finds the end of a long text of %j', (piece) => {
  expect(citedNumbers(piece.repeat(200_000 / piece.length)).size).toBeLessThanOrEqual(1)
})

test('removes citations and keeps the rest of the text', () => {
  expect(withoutCitations('It is so [1], and so [2][3].\n[4] [x] [5](https://a.example)')).toBe(
    'It is so, and so.\n [x] [5](https://a.example)',
  )
})

test('text in a line of Markdown creates no link, picture, code or HTML', () => {
  expect(escapeMarkdown(' ![a](b)\n<img> `c` \\ ')).toBe('!\\[a\\](b) \\<img\\> \\`c\\` \\\\')
})

test.each([
  ['It is so [2].', ['1', '2', 'page.md'], ['2', 'page.md']],
  ['It is so.', ['1', '2'], []],
  ['It is so.', ['1'], ['1']],
  ['It is so [7].', ['1'], ['1']],
])('%j with the sources %j rests on %j', (text, ids, expected) => {
  const sources = ids.map((id) => part(undefined, id))
  expect(sources.filter(usesSource(text, sources)).map(({ sourceId }) => sourceId)).toEqual(expected)
})
