import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { KnowledgeBase } from './knowledge-base.ts'
import { type PlacedText, placedPdfOf } from '../../../test/support/pdf.ts'

let directory: string
let base: KnowledgeBase | undefined
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'knowledge-'))
})
afterEach(async () => {
  await base?.close()
  base = undefined
  await rm(directory, { recursive: true })
})

/** The passages that a search in a folder of one file returns. */
async function search(file: string, content: string | Buffer, query: string) {
  await writeFile(join(directory, file), content)
  base = await KnowledgeBase.open({ directory, dataDirectory: null, onWarning: () => {} })
  await base.ready
  return (await base.search(query, { folders: ['.'], caller: 'model' })).passages
}

test('each passage of a long table says what its numbers are', async () => {
  const rows = Array.from({ length: 60 }, (_, index) => `| Street ${index} | ${(index % 5) + 1} | ${100 + index} | ${5 + (index % 50)} |`)
  const table = `# Parking permits\n\n| Street | Zone | Residents per year | Visitors per week |\n|---|---|---|---|\n${rows.join('\n')}\n`
  const passages = await search('permits.md', table, 'residents street 59')
  for (const { text } of passages)
    for (const line of text.split('\n')) expect(line).toMatch(/^- Street: .*; Residents per year: \d+; Visitors/)
  expect(passages[0]?.text).toContain('- Street: Street 59; Zone: 5; Residents per year: 159; Visitors per week: 14')
})

test('no word of a comment is found or shown', async () => {
  const markdown =
    '# Fees\n\n<!-- internal: the fee will rise to 99 euros in May,\ndo not publish.\n\nAsk Ms Example. -->\n\nThe fee is 40 euros. <!-- secret 1 -->\n\n[//]: # (secret 2)\n\n%% secret 3 %%\n\n{/* secret 4 */}\n\nMore. <!-- begins\nsecret 5 ends --> after.\n'
  const passages = await search('fees.md', markdown, 'secret fee internal council example')
  expect(passages.map(({ text }) => text.replace(/\s+/g, ' '))).toEqual(['The fee is 40 euros. More. after.'])
})

test('front matter titles a page, and a draft is left out by name', async () => {
  expect(
    await search('pool.md', '---\ntitle: Opening hours of the pool\nauthor: intern@town.example\n---\n\nIt opens at 9.\n', 'pool'),
  ).toMatchObject([{ title: 'Opening hours of the pool', text: 'It opens at 9.' }])
  await base?.close()
  expect(await search('pool.md', '---\ntitle: Pool\ndraft: true\n---\n\nIt opens at 9.\n', 'pool')).toEqual([])
  expect(base?.problems).toEqual(['pool.md: skipped. It is a draft.'])
})

test('underlined headings are headings', async () => {
  const markdown = 'Opening hours\n=============\n\nMonday 9 to 12.\n\nHow do I pay?\n-------------\n\nBy card only.\n'
  expect((await search('a.md', markdown, 'how do I pay'))[0]).toMatchObject({
    title: 'Opening hours',
    heading: 'How do I pay?',
    text: 'By card only.',
  })
})

test.each([
  ['windows-1252', Buffer.from('B\xfcro;Geb\xfchr\r\nStandesamt;12,50 \x80\r\n', 'latin1'), '- Büro: Standesamt; Gebühr: 12,50 €'],
  ['UTF-16', Buffer.from('\uFEFFBüro\tGebühr\r\nStandesamt\t12,50 €\r\n', 'utf16le'), '- Büro: Standesamt; Gebühr: 12,50 €'],
  ['a line for its separator', 'sep=;\nOffice;Phone;Fee\nStandesamt;555-0101;12,50\n', '- Office: Standesamt; Phone: 555-0101; Fee: 12,50'],
  [
    'decimal commas',
    'Office;Fee, net\nStandesamt;12,50\nPool;3,00\n',
    '- Office: Standesamt; Fee, net: 12,50\n- Office: Pool; Fee, net: 3,00',
  ],
])('a table that Excel saved is read as Excel shows it: %s', async (_, content, text) => {
  expect((await search('fees.csv', content, 'Standesamt'))[0]?.text).toBe(text)
})

test('lines above a table are its title and text, and rows are counted as Excel counts them', async () => {
  const csv = 'Fees of the market\nAs of May, 2 pages;;\n;;\nStall;Day;Week\nFruit;"25\n€";\n;;\nFish;30 €;100 €\n'
  expect(await search('fees.csv', csv, 'fish day')).toMatchObject([
    { title: 'Fees of the market', place: 'rows 5–7', text: '- Stall: Fruit; Day: 25 €; Week: –\n- Stall: Fish; Day: 30 €; Week: 100 €' },
  ])
})

const column = (x: number, lines: string[]) => lines.map((line, index): PlacedText => [x, 760 - index * 14, line])

test('columns of a PDF are read one after the other', async () => {
  const left = [
    'The cemetery office is open on',
    'Mondays from nine to twelve.',
    'A grave costs 900 euros for',
    'twenty years, on application.',
  ]
  const right = ['An identity card costs 37 euros', 'and takes three weeks. Bring a', 'photograph that is not older', 'than one year.']
  const [passage] = await search(
    'a.pdf',
    placedPdfOf([[...column(60, left), ...column(310, right)]], { title: 'Microsoft Word - Document1' }),
    'grave',
  )
  expect(passage).toMatchObject({ title: 'a', place: 'page 1', text: `${left.join(' ')}\n\n${right.join(' ')}` })
})

test('headings, paragraphs and parted words of a PDF are read, its running heads, page numbers and doubled text are not', async () => {
  const page = (number: number, texts: PlacedText[]): PlacedText[] => [
    [200, 815, 'Town of Elmfield'],
    ...texts,
    [280, 20, `Page ${number} of 2`],
  ]
  const pdf = placedPdfOf(
    [
      page(1, [
        [60, 760, 'Form A', 24],
        [60, 720, 'Send the form within 14 days with the confirma-'],
        [60, 706, 'tion of your landlord to the registration office.'],
        [60, 670, 'Closed on Friday'],
        [60.4, 670, 'Closed on Friday'],
      ]),
      page(2, [
        [60, 760, 'Where do I pay?', 18],
        [60, 720, 'The fee is 25 euros.'],
        [60, 680, 'O P E N'],
      ]),
    ],
    { title: 'about:blank' },
  )
  const passages = await search('a.pdf', pdf, 'form confirmation registration open fee')
  expect(
    passages
      .map(({ title, heading, place, text }) => [title, heading, place, text])
      .toSorted(([, , one], [, , other]) => String(one).localeCompare(String(other))),
  ).toEqual([
    [
      'Form A',
      'Form A',
      'page 1',
      'Send the form within 14 days with the confirmation of your landlord to the registration office.\n\nClosed on Friday',
    ],
    ['Form A', 'Where do I pay?', 'page 2', 'The fee is 25 euros.\n\nOPEN'],
  ])
})

test('a table of a PDF is read as rows with headers', async () => {
  const cells = [
    ['Zone', 'Single', 'Return'],
    ['A', '', '3 euros'],
    ['B', '2 euros', '4 euros'],
  ]
  const texts = cells.flatMap((row, at) => row.map((cell, index): PlacedText => [60 + index * 100, 700 - at * 20, cell]))
  expect((await search('a.pdf', placedPdfOf([texts]), 'zone return'))[0]?.text).toBe(
    '- Zone: A; Single: –; Return: 3 euros\n- Zone: B; Single: 2 euros; Return: 4 euros',
  )
})

test('letters from right to left are read in their order', async () => {
  // As browsers print them: each in its form, from left to right, with numbers as they are.
  const letters = { 0x61: '\uFEDE', 0x62: '\uFEE4', 0x63: '\uFECC', 0x64: '\uFEDF', 0x65: '\u0627', 0x66: '\uFEF3', 0x67: '\uFEE1' }
  const drawn: PlacedText[] = [
    [84, 700, '12'],
    [102, 700, 'g'],
    [109, 700, 'e'],
    [120, 700, 'a'],
    [127, 700, 'b'],
    [134, 700, 'c'],
    [141, 700, 'd'],
    [148, 700, 'e'],
  ]
  expect((await search('a.pdf', placedPdfOf([drawn], { letters }), 'العمل'))[0]?.text).toMatch(/^العمل ام 12$/)
})
