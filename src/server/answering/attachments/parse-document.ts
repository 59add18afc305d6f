import { MAX_FILE_TEXT_CHARACTERS } from '../../../contract/size-limits.ts'
import { markdownOfSections } from '../../knowledge/ingestion/document.ts'
import { formatOf } from '../../knowledge/ingestion/extract/extract.ts'
import { ATTACHMENT_OCR } from '../../knowledge/ingestion/extract/pdf/ocr-programs.ts'
import { TooLargeUnpacked } from '../../parsing/inflated-size.ts'
import { serveParser } from '../../parsing/serve-parser.ts'

/** Pages of a PDF: more than the model gets. */
const MAX_PAGES = 100

/** A file and the end of a name, by which it is read. */
export interface DocumentToParse {
  ending: string
  content: Uint8Array
  /** Whether scanned pages of a PDF are recognised. */
  usesOcr: boolean
}
/** The text of a document, or that it is too large when unpacked. */
export type DocumentText = { kind: 'text'; text: string } | { kind: 'too-large' }

// Entry point of the process that reads one document, as the knowledge reads it.
serveParser(async ({ ending, content, usesOcr }: DocumentToParse): Promise<DocumentText> => {
  try {
    const document = await formatOf(ending)?.read(Buffer.from(content), { maxPages: MAX_PAGES, ocr: usesOcr ? ATTACHMENT_OCR : null })
    return { kind: 'text', text: markdownOfSections(document?.sections ?? []).slice(0, MAX_FILE_TEXT_CHARACTERS + 1_000) }
  } catch (cause) {
    if (cause instanceof TooLargeUnpacked) return { kind: 'too-large' }
    throw cause
  }
})
