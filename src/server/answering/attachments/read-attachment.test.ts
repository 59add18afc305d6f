import { expect, test } from 'vitest'
import { pdfBombOf, pdfOf } from '../../../../test/support/pdf.ts'
import { parseApart } from '../../parsing/parser-process.ts'
import { PDF_PARSER, readPdfAttachment } from './read-attachment.ts'

test('reads the text of a PDF', async () => {
  expect(await readPdfAttachment(pdfOf(['The lid is blue.']))).toEqual({
    mediaType: 'application/pdf',
    text: 'The lid is blue.',
    isCut: false,
  })
})

test('ends the process of a PDF that takes too much memory, although its size shows nothing', async () => {
  // On a busy machine, the time would be over first.
  const program = { ...PDF_PARSER, residentBytes: 120 * 1024 * 1024, timeMs: 600_000 }
  expect(await parseApart(program, pdfBombOf(1024, { hidden: true }))).toEqual({ kind: 'failed', reason: 'memory' })
  expect(await parseApart(program, pdfOf(['Hello']))).toMatchObject({ kind: 'parsed' })
})

test('stops reading when the client disconnects', async () => {
  const gone = new AbortController()
  const reading = readPdfAttachment(pdfOf(['Hello']), gone.signal)
  const reason = new Error('gone')
  gone.abort(reason)
  await expect(reading).rejects.toBe(reason)
})

test('leaves no process behind, neither of a PDF that was read nor of one whose client disconnected', async () => {
  await readPdfAttachment(pdfOf(['Hello']))
  await readPdfAttachment(pdfOf(['Hello']), AbortSignal.timeout(1)).catch(() => undefined)
  await expect.poll(() => process.getActiveResourcesInfo()).not.toContain('ProcessWrap')
})
