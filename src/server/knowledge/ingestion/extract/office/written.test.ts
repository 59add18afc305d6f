import { type Cell, type CellValue, writeXlsx } from 'hucre/xlsx'
import JsZip from 'jszip'
import { expect, test } from 'vitest'
import { docxOf, odfOf, wordParagraph } from '../../../../../../test/support/office-files.ts'
import { passagesOf } from '../../passages.ts'
import { formatOf } from '../extract.ts'

/** All that is read of a document, a line for each of its lines. */
async function linesOf(ending: string, content: string | Buffer): Promise<string[]> {
  const document = await formatOf(`a${ending}`)?.read(Buffer.from(content))
  const passages = document ? passagesOf(`a${ending}`, document) : []
  return passages.flatMap(({ path, text }) => [...path, ...text.split(/\n+/)])
}

const run = (inner: string) => `<w:r>${inner}</w:r>`
const text = (written: string) => run(`<w:t xml:space="preserve">${written}</w:t>`)

test.each([
  [
    'runs in another direction',
    `${text('a ')}<w:dir w:val="rtl">${text('مرحبا')}<w:bdo w:val="ltr">${text(' 12')}</w:bdo></w:dir>`,
    'a مرحبا 12',
  ],
  [
    'characters with their reading',
    run(`<w:ruby><w:rt>${text('かん')}</w:rt><w:rubyBase>${text('漢')}</w:rubyBase></w:ruby>`) + text('字'),
    '漢字',
  ],
  [
    'breaks of every kind',
    text('a') + run('<w:cr/>') + text('b') + run('<w:br w:type="page"/>') + text('c') + run('<w:ptab/>') + text('d'),
    'a|b|c d',
  ],
  [
    'a field without its prompt',
    `${text('Name: ')}<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent>${text('Click here.')}</w:sdtContent></w:sdt>`,
    'Name:',
  ],
  ['a field that is filled in', `${text('Name: ')}<w:sdt><w:sdtPr/><w:sdtContent>${text('Ada')}</w:sdtContent></w:sdt>`, 'Name: Ada'],
  [
    'a box that is stored for old programs too, once',
    run(
      `<mc:AlternateContent><mc:Choice><w:drawing><w:txbxContent>${wordParagraph('boxed')}</w:txbxContent></w:drawing></mc:Choice><mc:Fallback><w:pict><v:oval><v:textbox><w:txbxContent>${wordParagraph('boxed')}</w:txbxContent></v:textbox></v:oval></w:pict></mc:Fallback></mc:AlternateContent>`,
    ),
    'boxed',
  ],
])('reads of a Word document %s', async (_, runs, expected) => {
  expect((await linesOf('.docx', await docxOf(`<w:p>${runs}</w:p>`))).join('|')).toBe(expected)
})

test('leaves hidden text out of a Word document whose main part has another name', async () => {
  const zip = await JsZip.loadAsync(await docxOf(wordParagraph('secret', '', '<w:vanish/>') + wordParagraph('said')))
  for (const [from, to] of [
    ['word/document.xml', 'word/document2.xml'],
    ['word/_rels/document.xml.rels', 'word/_rels/document2.xml.rels'],
  ] as const) {
    zip.file(to, (await zip.file(from)?.async('string')) ?? '')
    zip.remove(from)
  }
  for (const part of ['_rels/.rels', '[Content_Types].xml'])
    zip.file(part, ((await zip.file(part)?.async('string')) ?? '').replace('document.xml', 'document2.xml'))
  expect(await linesOf('.docx', await zip.generateAsync({ type: 'nodebuffer' }))).toEqual(['said'])
})

const level = (element: string, at: number, attributes: string) =>
  `<text:${element} text:level="${at}" style:num-format="1" ${attributes}/>`

test('numbers headings of OpenDocument by their outline, each below the one that it belongs to', async () => {
  const outline = `<text:outline-style>${level('outline-level-style', 1, '')}${level('outline-level-style', 2, 'text:display-levels="2" style:num-suffix=")"')}</text:outline-style>`
  const heading = (at: number, name: string, rest = '') =>
    `<text:h text:outline-level="${at}" ${rest}>${name}</text:h><text:p>${name} text</text:p>`
  const body =
    outline +
    heading(1, 'One') +
    heading(2, 'Sub') +
    heading(1, 'Preface', 'text:is-list-header="true"') +
    heading(1, 'Two') +
    heading(2, 'Other')
  const document = await formatOf('a.odt')?.read(await odfOf('text', body))
  expect(document?.sections.map((section) => section.heading.trim()).filter((name) => name !== '')).toEqual([
    '1 One',
    '1.1) Sub',
    'Preface',
    '2 Two',
    '2.1) Other',
  ])
})

test('numbers lists of OpenDocument as they are shown', async () => {
  const style = `<text:list-style style:name="N">${level('list-level-style-number', 1, 'style:num-prefix="§ " style:num-suffix="."')}${level('list-level-style-number', 2, 'text:display-levels="2" style:num-suffix="."')}</text:list-style>`
  const item = (name: string, rest = '', attributes = '') =>
    `<text:list-item ${attributes}><text:p>${name}</text:p>${rest}</text:list-item>`
  const body = `${style}<text:list text:style-name="N">${item('one', `<text:list>${item('inner')}</text:list>`)}${item('seven', '', 'text:start-value="7"')}</text:list>`
  expect(await linesOf('.odt', await odfOf('text', body))).toEqual(['§ 1. one', '1.1. inner', '§ 7. seven'])
})

test.each([
  ['a letter after a character that nothing stands for', '{\\rtf1 {\\u8226 \\tab}First item\\par}', ['• First item']],
  [
    'the header of a table',
    '{\\rtf1 \\trowd\\trhdr\\cellx1\\cellx2 Zone\\cell Fee\\cell\\row\\trowd\\cellx1\\cellx2 A\\cell 2\\cell\\row}',
    ['- Zone: A; Fee: 2'],
  ],
])('reads of Rich Text Format %s', async (_, content, lines) => {
  expect(await linesOf('.rtf', content)).toEqual(lines)
})

/** A workbook whose first row is `Name`, `Value`, and has a value in this format below. */
async function workbookOf(value: number | Date, numFmt: string): Promise<Buffer> {
  const cells = new Map([['1,1', { style: { numFmt } }]])
  return Buffer.from(
    await writeXlsx({
      sheets: [
        {
          name: 'Sheet',
          rows: [
            ['Name', 'Value', 'Note'],
            ['one', value, 'x'],
          ],
          cells,
        },
      ],
    }),
  )
}

test.each([
  ['#,##0.00\\ [$€-407]', 1234.5, '1.234,50 €'],
  ['[$£-809]#,##0.00', 1234.5, '£1,234.50'],
  ['General', 0.1 + 0.2, '0.3'],
  ['General', 1_234_567_890_123, '1234567890123'],
  ['General" kg"', 5, '5 kg'],
  ['[Blue]General', 5.5, '5.5'],
  ['0%', 0.256, '26%'],
  ['[$-407]d. mmmm yyyy', new Date(Date.UTC(2026, 4, 1)), '1. Mai 2026'],
  ['m/d/yyyy', new Date(Date.UTC(2026, 4, 1)), '2026-05-01'],
  ['hh"h"mm', new Date(Date.UTC(2026, 4, 1, 9, 30)), '09h30'],
])('shows a cell of the format %s as the program does, and a date in any country as the same', async (format, value, shown) => {
  expect(await linesOf('.xlsx', await workbookOf(value, format))).toEqual([`- Name: one; Value: ${shown}; Note: x`])
})

test.each(['media/100%.png', 'media/%ff.png', 'http://[x'])('reads a Word document with a relation to %s', async (target) => {
  const zip = await JsZip.loadAsync(await docxOf(wordParagraph('said')))
  const part = 'word/_rels/document.xml.rels'
  const link = `<Relationship Id="x" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="${target}"/>`
  zip.file(part, ((await zip.file(part)?.async('string')) ?? '').replace('</Relationships>', `${link}</Relationships>`))
  expect(await linesOf('.docx', await zip.generateAsync({ type: 'nodebuffer' }))).toEqual(['said'])
})

test('reads the sheets of a workbook beside one that is a chart', async () => {
  const zip = await JsZip.loadAsync(await workbookOf(1, 'General'))
  const change = async (part: string, from: string, to: string) =>
    zip.file(part, ((await zip.file(part)?.async('string')) ?? '').replace(from, `${to}${from}`))
  await change('xl/workbook.xml', '</sheets>', '<sheet name="Chart" sheetId="9" r:id="chart"/>')
  const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/chartsheet'
  await change(
    'xl/_rels/workbook.xml.rels',
    '</Relationships>',
    `<Relationship Id="chart" Type="${type}" Target="chartsheets/sheet1.xml"/>`,
  )
  expect(await linesOf('.xlsx', await zip.generateAsync({ type: 'nodebuffer' }))).toEqual(['- Name: one; Value: 1; Note: x'])
})

test('says which rows of sheets and results of formulas are not read', async () => {
  const warningOf = async (ending: string, content: Buffer | Uint8Array) =>
    (await formatOf(`a${ending}`)?.read(Buffer.from(content)))?.warning
  const long = Array.from({ length: 100_001 }, (_, row) => [`a${row}`])
  const cells = (cell: Partial<Cell>) => new Map([['1,0', cell]])
  const book = (rows: CellValue[][], cell: Partial<Cell> = {}) => writeXlsx({ sheets: [{ name: 'A', rows, cells: cells(cell) }] })
  expect(await warningOf('.xlsx', await book(long))).toBe('Rows after 100,000 of a sheet are left out.')
  expect(await warningOf('.xlsx', await book(long.slice(1)))).toBeUndefined()
  expect(await warningOf('.xlsx', await book([['Fee'], [null]], { formula: 'SUM(1,2)' }))).toMatch(/^Formulas without a stored result/)
  expect(await warningOf('.xlsx', await book([['Fee'], [3]], { formula: 'SUM(1,2)', formulaResult: 3 }))).toBeUndefined()
  const row = (content: string, times = 1) =>
    `<table:table-row table:number-rows-repeated="${times}"><table:table-cell>${content}</table:table-cell></table:table-row>`
  const ods = (times: number) =>
    odfOf('spreadsheet', `<table:table>${row('<text:p>a</text:p>')}${row('', times)}${row('<text:p>b</text:p>')}</table:table>`)
  expect(await warningOf('.ods', await ods(100_000))).toBe('Rows after 100,000 of a sheet are left out.')
  expect(await warningOf('.ods', await ods(99_998))).toBeUndefined()
})
