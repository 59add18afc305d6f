import type { ParserProgram } from '../../parsing/parser-process.ts'
import { FOLDER_OCR } from './extract/pdf/ocr-programs.ts'

/** Extracts files of the folder; the limit on time is for each. `usesOcr`: pages that are pictures are read too. */
export const extractionProgram = (usesOcr: boolean): ParserProgram => ({
  url: new URL('./run-extraction.ts', import.meta.url),
  timeMs: 120_000 + (usesOcr ? FOLDER_OCR.timeMs : 0),
  residentBytes: 768 * 1024 * 1024,
})
