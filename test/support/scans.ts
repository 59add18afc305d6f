import { execFileSync } from 'node:child_process'
import { picturePdfOf } from './pdf.ts'

/** Dots per inch of an office scanner. */
const RESOLUTION = 200

/** The pages of a PDF as a scanner makes them: one picture each. Needs the service tesseract. */
export function scanOf(pdf: Buffer, pages: number): Buffer {
  const args = (page: number) => ['-r', `${RESOLUTION}`, '-jpeg', '-singlefile', '-f', `${page}`, '-l', `${page}`, '-']
  const width = (RESOLUTION * 612) / 72
  const height = (RESOLUTION * 792) / 72
  return picturePdfOf(
    Array.from({ length: pages }, (_, index) => ({ jpeg: execFileSync('pdftoppm', args(index + 1), { input: pdf }), width, height })),
  )
}
