import { expect, test } from 'vitest'
import { pdfBombOf, pdfOf } from '../../../../test/support/pdf.ts'
import { parseApart } from '../../parsing/parser-process.ts'
import { DOCUMENT_PARSER, readDocumentAttachment } from './read-attachment.ts'

test('reads the text of a PDF', async () => {
  expect(await readDocumentAttachment(pdfOf(['The lid is blue.']), 'application/pdf')).toEqual({
    mediaType: 'application/pdf',
    text: 'The lid is blue.',
    isCut: false,
  })
})

test('ends the process of a PDF that takes too much memory, although its size shows nothing', async () => {
  // On a busy machine, the time would be over first. A process that reads a small file takes 90 to 120 MB, half of them pages of Node's file.
  const program = { ...DOCUMENT_PARSER, residentBytes: 200 * 1024 * 1024, timeMs: 600_000 }
  expect(await parseApart(program, { ending: 'a.pdf', content: pdfBombOf(1024, { hidden: true }) })).toEqual({
    kind: 'failed',
    reason: 'memory',
  })
  expect(await parseApart(program, { ending: 'a.pdf', content: pdfOf(['Hello']) })).toMatchObject({ kind: 'parsed' })
})

test('stops reading when the client disconnects', async () => {
  const gone = new AbortController()
  const reading = readDocumentAttachment(pdfOf(['Hello']), 'application/pdf', gone.signal)
  const reason = new Error('gone')
  gone.abort(reason)
  await expect(reading).rejects.toBe(reason)
})

test('leaves no process behind, neither of a PDF that was read nor of one whose client disconnected', async () => {
  await readDocumentAttachment(pdfOf(['Hello']), 'application/pdf')
  await readDocumentAttachment(pdfOf(['Hello']), 'application/pdf', AbortSignal.timeout(1)).catch(() => undefined)
  await expect.poll(() => process.getActiveResourcesInfo()).not.toContain('ProcessWrap')
})
