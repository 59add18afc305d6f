import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { readDocx } from './ingestion/extract/office/docx.ts'
import { formatOf } from './ingestion/extract/extract.ts'
import { markdownOf } from './ingestion/extract/html.ts'
import { readPdf } from './ingestion/extract/pdf/pdf.ts'
import { passagesOf } from './ingestion/passages.ts'
import { readLeftOut } from './files/left-out.ts'
import { KnowledgeBase } from './knowledge-base.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { pdfBombOf, pdfOf } from '../../../test/support/pdf.ts'

const EVERYTHING = { folders: ['.'], caller: 'model' } as const

const read = async (file: string, content: string | Buffer) =>
  passagesOf(file, (await formatOf(file)?.read(Buffer.from(content))) ?? expect.fail(file))

/** Ids of the processes that extract files for this one. */
function extractionProcesses(): number[] {
  const children = readdirSync('/proc/self/task').flatMap((task) => readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' '))
  return children.filter((pid) => pid !== '' && /run-extraction/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))).map(Number)
}

/** A Word document; a paragraph that begins with # is a heading. */
async function docxOf(paragraphs: string[]): Promise<Buffer> {
  const W = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
  const body = paragraphs.map((text) => {
    const style = text.startsWith('# ') ? '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>' : ''
    return `<w:p>${style}<w:r><w:t>${text.replace(/^# /, '')}</w:t></w:r></w:p>`
  })
  const zip = new ZipFile()
  const add = (name: string, text: string) => zip.addBuffer(Buffer.from(`<?xml version="1.0"?>${text}`), name)
  add(
    '[Content_Types].xml',
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
  )
  add(
    '_rels/.rels',
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
  )
  add('word/document.xml', `<w:document xmlns:w="${W}"><w:body>${body.join('')}</w:body></w:document>`)
  add(
    'word/styles.xml',
    `<w:styles xmlns:w="${W}"><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style></w:styles>`,
  )
  add(
    'word/_rels/document.xml.rels',
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="s" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>',
  )
  zip.end()
  return buffer(zip.outputStream)
}

describe('formats', () => {
  test('a web page is read without scripts and navigation, and its short sections are joined', async () => {
    const passages = await read(
      'a.html',
      '<html><head><title>Shop &amp; more</title><style>p{}</style></head><body><nav>Menu</nav><p>Welcome.<script>alert(1)</script></p>' +
        '<h2>Opening <b>hours</b></h2><p>Monday<br>to Friday</p><ul><li>9 to 17</ul><table><tr><td>a<td>b</table></body>',
    )
    expect(passages.map(({ title, heading, text }) => [title, heading, text])).toEqual([
      ['Shop & more', 'Shop & more', 'Welcome.\n\n## Opening hours\n\nMonday\nto Friday\n\n- 9 to 17\n\n- a: b'],
    ])
    expect(markdownOf('<p># no heading</p>')).toBe('\\# no heading')
  })

  test('a table is split between rows, with its column names and row numbers', async () => {
    const rows = Array.from({ length: 100 }, (_, index) => `"Thing, ${index}",${index} euros`)
    const passages = await read('prices.csv', `name,price\n${rows.join('\r\n')}\n`)
    expect(passages[0]).toMatchObject({ title: 'prices', text: expect.stringContaining('- name: Thing, 0; price: 0 euros\n') })
    const places = passages.map(({ place }) => place ?? '')
    expect(places[0]).toMatch(/^rows 2–\d+$/)
    expect(places.at(-1)).toMatch(/–101$/)
    expect(passages.flatMap(({ text }) => text.split('\n'))).toHaveLength(100)
  })

  test('a PDF is split at its pages, and names them', async () => {
    const passages = await read('manual.pdf', pdfOf(['The lid is blue.', 'The box is red.']))
    expect(passages.map(({ title, place, text }) => [title, place, text])).toEqual([
      ['manual', 'page 1', 'The lid is blue.'],
      ['manual', 'page 2', 'The box is red.'],
    ])
    expect((await read('manual.pdf', pdfOf(['The lid is blue.'], ' Lids ')))[0]).toMatchObject({ title: 'Lids' })
  })

  test('a Word document is split at its headings', async () => {
    const passages = await read('guide.docx', await docxOf(['# Guide', 'First.', '# Lids', 'They are blue.']))
    expect(passages.map(({ title, heading, text }) => [title, heading, text])).toEqual([
      ['Guide', 'Guide', 'First.'],
      ['Guide', 'Lids', 'They are blue.'],
    ])
  })

  test('a document that is too large when decompressed is rejected', async () => {
    await expect(readDocx(await docxOf(['x'.repeat(100_000)]), 100_000)).rejects.toThrow('It is too large when unpacked.')
    await expect(readPdf(pdfBombOf(3), { maxInflatedBytes: 2_000_000 })).rejects.toThrow('It is too large when unpacked.')
  })
})

describe('a knowledge base', () => {
  let directory: string
  let dataDirectory: string
  const bases: KnowledgeBase[] = []
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'knowledge-'))
    dataDirectory = await mkdtemp(join(tmpdir(), 'knowledge-data-'))
  })
  afterEach(async () => {
    // An open knowledge base writes into the folder.
    await Promise.all(bases.splice(0).map((base) => base.close()))
    await rm(directory, { recursive: true })
    await rm(dataDirectory, { recursive: true })
  })

  async function open(): Promise<KnowledgeBase> {
    const base = await KnowledgeBase.open({ directory, dataDirectory, onWarning: () => {} })
    bases.push(base)
    await base.ready
    return base
  }
  const write = (file: string, content: string | Buffer) => writeFile(join(directory, file), content)
  const filesFor = async (base: KnowledgeBase, query: string) => (await base.search(query, EVERYTHING)).passages.map(({ file }) => file)

  test('reports a broken document as a problem, and reads the others', async () => {
    await write('manual.pdf', pdfOf(['The lid is blue.']))
    await write('broken.pdf', '%PDF-1.4 but nothing more')
    await write('broken.docx', 'no archive')
    await write('a.md', '# Boxes\n\nThe box is red.')
    const base = await open()
    expect(base.isInThread).toBe(true)
    expect(base.problems.toSorted()).toEqual([
      'broken.docx: skipped. It is broken or cut off.',
      'broken.pdf: skipped. It is broken or cut off.',
    ])
    // As `parley knowledge status` shows them.
    await eventually(async () => expect((await readLeftOut(dataDirectory)).toSorted()).toEqual(base.problems.toSorted()))
    expect(await base.search('blue lid', EVERYTHING)).toMatchObject({ passages: [{ file: 'manual.pdf', place: 'page 1' }] })
    expect(await filesFor(base, 'red box')).toEqual(['a.md'])
  })

  test('is stored across restarts, and updated file by file', async () => {
    await write('kept.pdf', pdfOf(['The lid is blue.']))
    await write('changed.md', '# Boxes\n\nThe box is red.')
    await write('gone.md', '# Bags\n\nThe bag is green.')
    await (await open()).close()
    await write('changed.md', '# Boxes\n\nThe box is yellow now.')
    await rm(join(directory, 'gone.md'))
    await write('new.md', '# Cups\n\nThe cup is white.')
    const base = await open()
    expect(await filesFor(base, 'blue lid')).toEqual(['kept.pdf'])
    expect(await filesFor(base, 'yellow box')).toEqual(['changed.md'])
    expect(await filesFor(base, 'green bag')).toEqual([])
    expect(await filesFor(base, 'white cup')).toEqual(['new.md'])
  })

  test('ends a parser that hangs when it is closed', async () => {
    // Enough of them that it still runs when it is looked for.
    for (let file = 0; file < 50; file += 1) await write(`manual-${file}.pdf`, pdfOf([`Lid ${file} is blue.`]))
    const base = await KnowledgeBase.open({ directory, dataDirectory, onWarning: () => {} })
    bases.push(base)
    await eventually(() => expect(extractionProcesses()).toHaveLength(1))
    // A stopped process ends for SIGKILL alone, as one that hangs.
    for (const parser of extractionProcesses()) process.kill(parser, 'SIGSTOP')
    // Its thread has told of it by the time it answers.
    await base.version(['.'])
    await base.close()
    await eventually(() => expect(extractionProcesses()).toEqual([]))
  })

  test('finds the operator’s synonyms', async () => {
    await write('a.md', '# Refunds\n\nRefunds take two weeks.')
    expect(await filesFor(await open(), 'reimbursement')).toEqual([])
    await write('synonyms.txt', '# what customers say\nrefund, reimbursement, repayment\n')
    expect(await filesFor(await open(), 'reimbursements')).toEqual(['a.md'])
  })

  test('finds inflected forms in the languages of the documents', async () => {
    await write('a.md', '# Öffnungszeiten\n\nDie Häuser sind montags geöffnet.')
    expect(await filesFor(await open(), 'Welches Haus ist montags geöffnet?')).toEqual(['a.md'])
  })
})
