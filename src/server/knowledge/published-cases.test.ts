import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { KnowledgeBase } from './knowledge-base.ts'

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
  ['decimal commas', 'Office;Fee, net\nStandesamt;12,50\nPool;3,00\n', '- Office: Standesamt; Fee, net: 12,50\n- Office: Pool; Fee, net: 3,00'],
])('a table that Excel saved is read as Excel shows it: %s', async (_, content, text) => {
  expect((await search('fees.csv', content, 'Standesamt'))[0]?.text).toBe(text)
})

test('lines above a table are its title and text, and rows are counted as Excel counts them', async () => {
  const csv = 'Fees of the market\nAs of May, 2 pages;;\n;;\nStall;Day;Week\nFruit;"25\n€";\n;;\nFish;30 €;100 €\n'
  expect(await search('fees.csv', csv, 'fish day')).toMatchObject([
    { title: 'Fees of the market', place: 'rows 5–7', text: '- Stall: Fruit; Day: 25 €; Week: –\n- Stall: Fish; Day: 30 €; Week: 100 €' },
  ])
})
