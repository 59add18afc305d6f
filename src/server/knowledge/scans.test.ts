import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { pdfOf, placedPdfOf } from '../../../test/support/pdf.ts'
import { scanOf } from '../../../test/support/scans.ts'
import { isMissing } from '../../../test/support/services.ts'
import { readDocumentAttachment } from '../answering/attachments/read-attachment.ts'
import { extractFile } from './ingestion/extract-file.ts'
import { readPdf } from './ingestion/extract/pdf/pdf.ts'
import { KnowledgeBase } from './knowledge-base.ts'
import { readUpload } from './uploads/read-upload.ts'

describe.skipIf(isMissing('tesseract'))('a scanned PDF', () => {
  let directory: string
  let dataDirectory: string
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'scans-'))
    dataDirectory = await mkdtemp(join(tmpdir(), 'scans-data-'))
  })
  afterEach(async () => {
    await rm(directory, { recursive: true })
    await rm(dataDirectory, { recursive: true })
  })

  /** The problems of the folder, and where a search finds the query. */
  async function found(query: string, usesOcr: boolean) {
    const base = await KnowledgeBase.open({ directory, dataDirectory, usesOcr, onWarning: () => {} })
    await base.ready
    const { passages } = await base.search(query, { folders: ['.'], caller: 'model' })
    await base.close()
    return { problems: base.problems, places: passages.map(({ file, place }) => `${file}, ${place}`) }
  }
  const write = (file: string, content: Buffer) => writeFile(join(directory, file), content)

  test('is found with the number of its page once OCR is on, and listed as scanned before', async () => {
    await write('letter.pdf', scanOf(pdfOf(['The cellar was painted.', 'The harbour closes in winter.']), 2))
    expect(await found('When does the harbour close?', false)).toEqual({
      problems: ['letter.pdf: skipped. It is scanned: no text.'],
      places: [],
    })
    expect(await found('When does the harbour close?', true)).toEqual({ problems: [], places: ['letter.pdf, page 2'] })
  })

  test('has its headings by their size, and its columns one after the other', async () => {
    const lines = (x: number, words: string[]) => words.map((text, index): [number, number, string] => [x, 640 - index * 16, text])
    const page = placedPdfOf([
      [
        [72, 700, 'Opening hours', 26],
        ...lines(72, ['The pool opens at seven', 'in the morning, and the', 'sauna two hours later']),
        ...lines(340, ['on every working day.', 'Tickets are sold at the', 'door until eight.']),
      ],
    ])
    const path = join(directory, 'pool.pdf')
    await writeFile(path, scanOf(page, 1))
    expect(await extractFile({ path, file: 'pool.pdf', knownHash: null, usesOcr: true })).toMatchObject({
      warning: null,
      passages: [
        {
          title: 'Opening hours',
          place: 'page 1',
          text: expect.stringMatching(/seven in the morning, and the sauna two hours later\s+on every working day\. Tickets/),
        },
      ],
    })
  })

  test('is read as an upload, up to its limits, and named as scanned without OCR', async () => {
    const content = scanOf(pdfOf(['The harbour closes in winter.']), 1)
    expect(await readUpload({ name: 'letter.pdf', content, usesOcr: true }, 0)).toMatchObject({
      kind: 'read',
      version: { document: expect.stringMatching(/harbour closes in winter/) },
    })
    expect(await readUpload({ name: 'letter.pdf', content, usesOcr: false }, 0)).toEqual({
      kind: 'unreadable',
      reason: 'It is scanned: no text.',
    })
    const limits = { pages: 1, timeMs: 600_000 }
    const two = scanOf(pdfOf(['The cellar was painted.', 'The harbour closes in winter.']), 2)
    expect(await readPdf(two, { ocr: limits })).toMatchObject({
      sections: [{ place: 'page 1', blocks: [{ text: 'The cellar was painted.' }] }],
      warning: 'Scanned, and no text recognised: page 2.',
    })
    await expect(readPdf(two, { ocr: { pages: 2, timeMs: 0 } })).resolves.toMatchObject({
      sections: [],
      warning: 'Scanned, and no text recognised: pages 1, 2.',
    })
  })

  test('is read as an attachment of a visitor', async () => {
    const scan = scanOf(pdfOf(['The harbour closes in winter.']), 1)
    expect(await readDocumentAttachment(scan, 'application/pdf', undefined, true)).toMatchObject({
      text: expect.stringMatching(/harbour closes in winter/),
    })
    expect(await readDocumentAttachment(scan, 'application/pdf')).toBe('unreadable')
  })

  test('without a word is named', async () => {
    await write('white.pdf', scanOf(pdfOf([' ']), 1))
    expect(await found('pool', true)).toEqual({
      problems: ['white.pdf: partly read. Scanned, and no text recognised: page 1.'],
      places: [],
    })
  })
})
