import { getDocumentProxy } from 'unpdf'
import { MAX_FILE_TEXT_CHARACTERS } from '../../../contract/size-limits.ts'
import { checkInflatedPdf, TooLargeUnpacked } from '../../parsing/inflated-size.ts'
import { serveParser } from '../../parsing/serve-parser.ts'

/** Most bytes that a PDF's streams may inflate to, its images included. */
const MAX_INFLATED_BYTES = 256 * 1024 * 1024
/** Keeps the library's warnings off the console. */
const SILENT = 0

/** The text of a PDF, or that it is too large when unpacked. */
export type PdfText = { kind: 'text'; text: string } | { kind: 'too-large' }

// Entry point of the process that reads one PDF.
serveParser(async (bytes: Uint8Array): Promise<PdfText> => {
  try {
    await checkInflatedPdf(bytes, MAX_INFLATED_BYTES)
  } catch (cause) {
    if (cause instanceof TooLargeUnpacked) return { kind: 'too-large' }
    throw cause
  }
  return { kind: 'text', text: await textOf(bytes) }
})

/** Reads the text page by page, slightly more than is used. */
async function textOf(bytes: Uint8Array): Promise<string> {
  const document = await getDocumentProxy(new Uint8Array(bytes), { verbosity: SILENT })
  let text = ''
  for (let page = 1; page <= document.numPages && text.length <= MAX_FILE_TEXT_CHARACTERS; page += 1) {
    const { items } = await (await document.getPage(page)).getTextContent()
    text += `${items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join('')}\n\n`
  }
  return text
}
