import { expect, test } from 'vitest'
import { pdfBombOf, pdfOf } from '../../../test/support/pdf.ts'
import { checkInflatedPdf, TooLargeUnpacked } from './inflated-size.ts'

const MEGABYTE = 1024 * 1024

test.each([
  ['without compressed streams', pdfOf(['Hello'])],
  ['at the limit', pdfBombOf(3)],
  ['of bytes that only look compressed', Buffer.from('stream\n\x78\x9cno zlib', 'latin1')],
  ['that is cut off', pdfBombOf(3).subarray(0, 1_000)],
  ['that ends where a stream begins', Buffer.from('stream')],
])('accepts a PDF %s', async (_, pdf) => {
  await expect(checkInflatedPdf(pdf, 3 * MEGABYTE)).resolves.toBeUndefined()
})

test.each([
  ['whose stream inflates to more than the limit', pdfBombOf(1024)],
  ['whose streams together inflate to more', Buffer.concat([pdfBombOf(2), pdfBombOf(2)])],
])('rejects a PDF %s', async (_, pdf) => {
  await expect(checkInflatedPdf(pdf, 3 * MEGABYTE)).rejects.toThrow(TooLargeUnpacked)
})
