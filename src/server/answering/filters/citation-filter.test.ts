import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CitationFilter } from './citation-filter.ts'

const known = (...numbers: number[]) => ({
  cite: (number: number) => (numbers.includes(number) ? number : undefined),
  size: numbers.length,
})
function filtered(pieces: readonly string[], sources = known(1, 2, 3)): string {
  const filter = new CitationFilter(sources)
  return pieces.map((piece) => filter.write(piece)).join('') + filter.end()
}

const CASES: [text: string, expected: string][] = [
  ['It is so [1].', 'It is so [1].'],
  ['It is so [9].', 'It is so.'],
  ['It is so[9] and so[1].', 'It is so and so[1].'],
  ['Both [1, 7] and [7; 2] and [8,9].', 'Both [1] and [2] and.'],
  ['Chained [1][7][2] [9][8].', 'Chained [1][2].'],
  ['Ranges [1-3] [2–9] [7-9].', 'Ranges [1, 2, 3] [2, 3].'],
  ['Footnotes [^1] [^9], wide 【2】 【2†source】 【9】.', 'Footnotes [1], wide [2] [2].'],
  ['Named [Source 1] [source: 9] [Doc 2] and [Ref. #3] [9.] [1.] [[2]] [[9]].', 'Named [1] [2] and [3] [1] [2].'],
  ['[Quelle 2] oder [Источник 1] [Sources 1, 2].', '[2] oder [1] [1, 2].'],
  [
    '[Document 1](https://example.org/1.pdf) [Table 1] [Source] [[1] [[1], [2]].',
    '[Document 1](https://example.org/1.pdf) [Table 1] [Source] [[1] [[1], [2]].',
  ],
  ['A disguise [1](https://evil.example/) [9](https://evil.example/).', 'A disguise [1].'],
  ['[1]: https://evil.example/\n[9]: x', '[1] https://evil.example/\n x'],
  ['A picture ![1](https://example.org/a.png) and \\[9\\] and \\[9].', 'A picture ![1](https://example.org/a.png) and \\[9\\] and \\[9].'],
  ['Text [2024] [x] [ ] [a9] [0] [0, 1] [1 2] [] [1.', 'Text [2024] [x] [ ] [a9] [0] [0, 1] [1 2] [] [1.'],
  ['The first [9] word', 'The first word'],
  ['- [9] item\n- [1] item', '- item\n- [1] item'],
  ['Code `a[9]` and ``b ` [9]`` [9].', 'Code `a[9]` and ``b ` [9]``.'],
  ['```js\nlist[9]\n  ``` not the end\n```\nSo [9].', '```js\nlist[9]\n  ``` not the end\n```\nSo.'],
  ['~~~\n[9]\n```\n[9]\n~~~\n[9]', '~~~\n[9]\n```\n[9]\n~~~\n'],
  ['   ```\n[9]\n   ```\n[9] x', '   ```\n[9]\n   ```\n x'],
  ['```a[9]``` is inline [9].', '```a[9]``` is inline.'],
  ['Open ` code [9]\n\nNext [9].', 'Open ` code [9]\n\nNext.'],
  ['It costs $5 [9] and $6 [1]; $$x[9]$$ [9].', 'It costs $5 and $6 [1]; $$x[9]$$.'],
  ['The end [9', 'The end [9'],
  ['The end [1', 'The end [1'],
  ['The end `', 'The end `'],
  ['The end   ', 'The end   '],
  ['', ''],
]

describe('a text', () => {
  test.each(CASES)('%j becomes %j', (text, expected) => {
    expect(filtered([text])).toBe(expected)
  })

  test.each(CASES)('%j gives the same when it arrives letter by letter', (text, expected) => {
    expect(filtered([...text])).toBe(expected)
  })

  test('gives the same however it is split', () => {
    const alphabet = fc.constantFrom(
      '[',
      ']',
      '【',
      '】',
      '^',
      '1',
      '9',
      ',',
      '-',
      ' ',
      '(',
      ')',
      '`',
      '```',
      '~~~',
      '$',
      '$$',
      '\n',
      '\\',
      '!',
      '.',
      'Source ',
      ':',
      'a',
      'b c',
    )
    fc.assert(
      fc.property(fc.array(alphabet, { maxLength: 60 }), (pieces) => {
        expect(filtered(pieces)).toBe(filtered([pieces.join('')]))
      }),
      { numRuns: 2_000 },
    )
  })

  test('without sources loses single citations and keeps lists of numbers', () => {
    expect(filtered(['Sorted: [1, 2, 3] in [2, 5], as said [1].'], known())).toBe('Sorted: [1, 2, 3] in [2, 5], as said.')
  })

  test('without sources keeps what may name something else', () => {
    expect(filtered(['See [Document 1].'], known())).toBe('See [Document 1].')
  })

  test('without sources keeps footnotes and their notes', () => {
    const text = 'It is so.[^1]\n\nAnd on.\n\n[^1]: *Somebody* said it.'
    expect(filtered([...text], known())).toBe(text)
  })

  test('is emitted as it arrives', () => {
    const filter = new CitationFilter(known(1))
    expect(['Hello', ' wor', 'ld [', '1', ']', '.'].map((piece) => filter.write(piece))).toEqual(['Hello', ' wor', 'ld', '', '', ' [1].'])
  })

  test.each(['[1', '[1,', '`a', '```\n', ' ', '[1](', '$$', '【1†', '[1]'])('of a long run of %j buffers little', (piece) => {
    const filter = new CitationFilter(known(1))
    for (let at = 0; at < 20_000; at += 1) filter.write(piece)
    expect(filter.end().length).toBeLessThan(1_100)
  })
})
