import { expect, test } from 'vitest'
import { readCsv } from './csv.ts'

test('rows are joined as far as they fit', () => {
  // With the mark of the item and the name of the column, 600 characters.
  const row = 'x'.repeat(595)
  const places = (rows: string[]) => readCsv(['a', ...rows].join('\n')).sections.map(({ place }) => place)
  expect(places([row, row, row, row])).toEqual(['rows 2–3', 'rows 4–5'])
  expect(places([row, `${row}x`, row])).toEqual(['row 2', 'rows 3–4'].toSpliced(1, 1, 'row 3', 'row 4'))
})

test('empty cells are said, and a column without a name has its values alone', () => {
  expect(readCsv('name,,price\nlid,blue,\n,,3\n\n').sections.flatMap(({ blocks }) => blocks.map(({ text }) => text))).toEqual([
    '- name: lid; blue; price: –\n- name: –; price: 3',
  ])
})

test('without names of columns, rows are their values', () => {
  expect(readCsv('Monday;9,00;12,00\nTuesday;10,00;12,00\n').sections[0]).toMatchObject({
    place: 'rows 1–2',
    blocks: [{ text: '- Monday; 9,00; 12,00\n- Tuesday; 10,00; 12,00' }],
  })
})

test('a stray quote does not swallow the rows after it', () => {
  const rows = Array.from({ length: 100 }, (_, row) => `"Nut, ${row}";"4 ""x"" EUR"`)
  const { sections, warning } = readCsv(`Part;Price\nLid;2 EUR\n"Screw 5" long;3,5 EUR\n${rows.join('\n')}\n`)
  const lines = sections.flatMap(({ blocks }) => blocks.flatMap(({ text }) => text.split('\n')))
  expect(lines).toHaveLength(102)
  expect(lines.slice(1, 3)).toEqual(['- Part: "Screw 5" long; Price: 3,5 EUR', '- Part: Nut, 0; Price: 4 "x" EUR'])
  expect(warning).toBe('A quote in row 3 is not closed: each line is read as a row.')
  expect(readCsv('Part,Note\nLid,"two\nlines"\n').warning).toBeUndefined()
})
