import { expect, test } from 'vitest'
import { readCsv } from './csv.ts'

test('rows are joined as far as they fit', () => {
  // With the mark of the item and the name of the column, 600 characters.
  const row = 'x'.repeat(595)
  const places = (rows: string[]) => readCsv(['a', ...rows].join('\n')).sections.map(({ place }) => place)
  expect(places([row, row, row, row])).toEqual(['rows 2–3', 'rows 4–5'])
  expect(places([row, `${row}x`, row])).toEqual(['row 2', 'rows 3–4'].toSpliced(1, 1, 'row 3', 'row 4'))
})

test('empty cells are left out, and a column without a name has its number', () => {
  expect(readCsv('name,,price\nlid,blue,\n,,3\n\n').sections.flatMap(({ blocks }) => blocks.map(({ text }) => text))).toEqual([
    '- name: lid; 2: blue\n- price: 3',
  ])
})
