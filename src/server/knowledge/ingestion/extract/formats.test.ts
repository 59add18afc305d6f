import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { docxOf, epubOf, odfOf, pptxOf, wordParagraph, xlsxOf, zipOf } from '../../../../../test/support/office-files.ts'
import { placedPdfOf } from '../../../../../test/support/pdf.ts'
import type { ExtractedDocument } from '../document.ts'
import { formatOf, READABLE_ENDINGS } from './extract.ts'
import { readDocx } from './office/docx.ts'
import { readEpub } from './office/epub.ts'
import { readOdf } from './office/odf.ts'
import { readPptx } from './office/pptx.ts'
import { readSpreadsheet } from './office/xlsx.ts'

const MEGABYTE = 1024 * 1024

async function read(ending: string, content: string | Buffer): Promise<ExtractedDocument> {
  const document = await formatOf(`a${ending}`)?.read(Buffer.from(content))
  if (!document) throw new Error(ending)
  return document
}

const linesOf = ({ sections }: ExtractedDocument): string[] =>
  sections.flatMap(({ heading, blocks }) => [heading, ...blocks.flatMap(({ text }) => text.split('\n'))]).filter((line) => line !== '')

const table = (rows: string[][], tags: [table: string, row: string, cell: string], wrap: (text: string) => string): string => {
  const [whole, row, cell] = tags
  return `<${whole}>${rows.map((cells) => `<${row}>${cells.map((text) => `<${cell}>${wrap(text)}</${cell}>`).join('')}</${row}>`).join('')}</${whole}>`
}
const FEES = [
  ['Zone', 'Single', 'Return'],
  ['A', '', '3 €'],
]
const slideText = (text: string, properties = '') => `<a:p><a:r><a:rPr ${properties}/><a:t>${text}</a:t></a:r></a:p>`
const shape = (type: string, content: string) =>
  `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${type}"/></p:nvPr></p:nvSpPr><p:txBody>${content}</p:txBody></p:sp>`

/** A file of each format in which READ is to be read, and STRUCK and HIDDEN are not. */
const SAMPLES: Record<string, () => string | Promise<Buffer> | Buffer> = {
  '.md': () => '---\nauthor: HIDDEN\n---\n# READ\n\n<!-- HIDDEN\n\nHIDDEN -->\n\n~~STRUCK~~ READ',
  '.markdown': () => '# READ\n\n~~STRUCK~~',
  '.mdx': () => '{/* HIDDEN */}\n\n# READ\n\n~~STRUCK~~',
  '.txt': () => 'READ <!-- HIDDEN -->',
  '.html': () => '<h1>READ</h1><p>READ<script>HIDDEN</script><!-- HIDDEN --></p>',
  '.htm': () => '<p>READ</p>',
  '.xhtml': () => '<p>READ</p><script>HIDDEN</script>',
  '.tsv': () => 'READ\tFee\na; b\t1\nc; d\t2\n',
  '.csv': () => 'sep=;\nREAD;Fee\na;1\n',
  '.pdf': () =>
    placedPdfOf(
      [
        [
          [60, 700, 'READ'],
          [60, 670, 'STRUCK'],
          [700, 640, 'HIDDEN'],
        ],
      ],
      { title: 'Microsoft Word - HIDDEN', drawing: '60 673 51 1 re f' },
    ),
  '.docx': () =>
    docxOf(
      wordParagraph('READ', 'Heading1') +
        wordParagraph('STRUCK', '', '<w:strike/>') +
        wordParagraph('HIDDEN', '', '<w:vanish/>') +
        '<w:p><w:del><w:r><w:delText>HIDDEN</w:delText></w:r></w:del></w:p>',
    ),
  '.pptx': () =>
    pptxOf([
      {
        shapes:
          shape('title', slideText('READ')) + shape('body', slideText('STRUCK', 'strike="sngStrike"')) + shape('ftr', slideText('HIDDEN')),
      },
      { shapes: shape('body', slideText('HIDDEN')), attributes: 'show="0"' },
    ]),
  '.xlsx': async () => xlsxOf(),
  '.odt': () =>
    odfOf(
      'text',
      '<text:h text:outline-level="1">READ</text:h><text:p><text:span text:style-name="Struck">STRUCK</text:span><text:span text:style-name="Hidden">HIDDEN</text:span><office:annotation><text:p>HIDDEN</text:p></office:annotation></text:p>',
    ),
  '.ods': () =>
    odfOf(
      'spreadsheet',
      '<table:table table:name="Fees"><table:table-row><table:table-cell><text:p>READ</text:p></table:table-cell></table:table-row><table:table-row table:visibility="collapse"><table:table-cell><text:p>HIDDEN</text:p></table:table-cell></table:table-row></table:table>',
    ),
  '.odp': () =>
    odfOf(
      'presentation',
      '<draw:page><draw:frame presentation:class="title"><draw:text-box><text:p>READ</text:p></draw:text-box></draw:frame><presentation:notes><text:p>HIDDEN</text:p></presentation:notes></draw:page>',
    ),
  '.rtf': () => '{\\rtf1\\ansi{\\info{\\author HIDDEN}}READ {\\strike STRUCK}{\\v HIDDEN}{\\header HIDDEN}\\par}',
  '.epub': () => epubOf('READ', '<h1>READ</h1><p>READ</p>'),
}

describe('docs/knowledge.md', () => {
  const rows = readFileSync(new URL('../../../../../docs/knowledge.md', import.meta.url), 'utf8')
    .split('\n')
    .flatMap((line) => /^\| [^|]*`(\.\w+)`.*\| (\d+) MB \|$/.exec(line) ?? [])
    .filter((text) => text.startsWith('|'))
    .map((line) => ({
      endings: [...(line.split('|')[1] ?? '').matchAll(/`(\.\w+)`/g)].map(([, ending]) => ending ?? ''),
      size: Number(/(\d+) MB \|$/.exec(line)?.[1]),
    }))

  test('names each format that is read, with its size', () => {
    expect(rows.flatMap(({ endings }) => endings).toSorted()).toEqual([...READABLE_ENDINGS].toSorted())
    for (const { endings, size } of rows)
      for (const ending of endings) expect(formatOf(`a${ending}`)?.maxBytes, ending).toBe(size * MEGABYTE)
  })

  test.each(Object.keys(SAMPLES))('what it says of %s is so: struck, hidden and commented text is left out', async (ending) => {
    const document = await read(ending, (await SAMPLES[ending]?.()) ?? '')
    const text = [document.title, ...linesOf(document)].join('\n')
    expect(text).toMatch(/READ|Adult/)
    expect(text).not.toMatch(/STRUCK|HIDDEN/)
  })

  test('has a sample of each format', () => {
    expect(Object.keys(SAMPLES).toSorted()).toEqual([...READABLE_ENDINGS].toSorted())
  })
})

test.each([
  ['Word', readDocx],
  ['PowerPoint', readPptx],
  ['Excel', readSpreadsheet],
  ['OpenDocument', readOdf],
  ['EPUB', readEpub],
])('a small archive of %s that unpacks to more than the limit is rejected', async (_, readArchive) => {
  const bomb = await zipOf({ 'content.xml': ' '.repeat(2 * MEGABYTE) })
  expect(bomb.length).toBeLessThan(MEGABYTE / 100)
  await expect(readArchive(bomb, MEGABYTE)).rejects.toThrow('It is too large when unpacked.')
})

test('a Word document: bold lines that act as headings are headings, and links keep their address', async () => {
  const body =
    wordParagraph('Text.') +
    wordParagraph('WHO MAY SELL?', '', '<w:b/>') +
    wordParagraph('Farmers may sell.') +
    '<w:p><w:hyperlink r:id="link"><w:r><w:t>Apply here</w:t></w:r></w:hyperlink></w:p>'
  const { sections } = await read('.docx', await docxOf(body))
  expect(sections.at(-1)).toMatchObject({
    heading: 'WHO MAY SELL?',
    blocks: [{ text: 'Farmers may sell.' }, { text: expect.stringContaining('Apply here') }],
  })
})

test('slides are sections with their numbers', async () => {
  const slides = [
    { shapes: shape('title', slideText('Guide')) },
    { shapes: shape('body', slideText('Open at 9')) + shape('title', slideText('Hours')) },
  ]
  expect((await read('.pptx', await pptxOf(slides))).sections).toMatchObject([
    { level: 1, heading: 'Guide', place: 'slide 1' },
    { level: 2, heading: 'Hours', place: 'slide 2', blocks: [{ text: 'Open at 9' }] },
  ])
})

test('a workbook shows dates and numbers as its cells do', async () => {
  expect(linesOf(await read('.xlsx', await xlsxOf()))).toEqual([
    '- Ticket: Adult; Fee: 4.50 €; From: 01.05.2026',
    '- Ticket: Child; Fee: –; From: –',
  ])
})

test('tables of OpenDocument and RTF keep their cells, and documents their date', async () => {
  const body = table(FEES, ['table:table', 'table:table-row', 'table:table-cell'], (text) => `<text:p>${text}</text:p>`)
  const document = await read('.odt', await odfOf('text', `<text:p>Fees</text:p>${body}`))
  expect(document.asOf).toBe('2026-03-04')
  expect(linesOf(document).join('\n')).toMatch(/A.*3 €/)
  const rtf = await read(
    '.rtf',
    "{\\rtf1\\ansicpg1252 B\\'fcro\\par\\trowd\\intbl Zone\\cell Fee\\cell\\row\\trowd\\intbl A\\cell 3 \\u8364?\\cell\\row}",
  )
  expect(linesOf(rtf).join('\n')).toMatch(/^Büro\n[^]*A.*3 €/)
})

test.each([
  [
    '.docx',
    Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from('EncryptedPackage', 'utf16le')]),
    'It is protected by a password.',
  ],
  ['.docx', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'It is of an old Office format.'],
  ['.xlsx', Buffer.from('no archive'), 'It is broken or cut off.'],
  ['.rtf', Buffer.from('no rtf'), 'It is broken or cut off.'],
  ['.pdf', placedPdfOf([[]]), 'It is without any text.'],
])('%s: says why a file cannot be read', async (ending, content, reason) => {
  await expect(read(ending, content)).rejects.toThrow(reason)
})

test('an encrypted OpenDocument file says so', async () => {
  const file = zipOf({ 'META-INF/manifest.xml': '<m><manifest:encryption-data/></m>', 'content.xml': '' })
  await expect(read('.odt', await file)).rejects.toThrow('It is protected by a password.')
})
