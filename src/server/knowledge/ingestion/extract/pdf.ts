import { extractText, getDocumentProxy, getMeta } from 'unpdf'
import { checkInflatedPdf } from '../../../parsing/inflated-size.ts'
import type { ExtractedDocument } from '../document.ts'

/** Keeps the library's warnings off the console. */
const SILENT = 0
/** More pages than this are left out. */
const MAX_PAGES = 5_000
/** Most bytes that a PDF's streams may inflate to, its images included. */
const MAX_INFLATED_BYTES = 512 * 1024 * 1024

/** The text of a PDF, page by page. A page that is an image has none. */
export async function readPdf(bytes: Uint8Array, maxInflatedBytes = MAX_INFLATED_BYTES): Promise<ExtractedDocument> {
  await checkInflatedPdf(bytes, maxInflatedBytes)
  const document = await getDocumentProxy(new Uint8Array(bytes), { verbosity: SILENT })
  try {
    const { info } = await getMeta(document)
    const given: unknown = info['Title']
    const title = typeof given === 'string' && given.trim() !== '' ? given.trim() : null
    const { text } = await extractText(document, { mergePages: false })
    const sections = text.slice(0, MAX_PAGES).map((page, index) => ({
      level: 0,
      heading: '',
      keywords: '',
      place: `page ${index + 1}`,
      blocks: page
        .split(/\n\s*\n/)
        .filter((paragraph) => paragraph.trim() !== '')
        .map((paragraph) => ({ kind: 'paragraph' as const, text: paragraph.trim() })),
    }))
    return { title, address: null, asOf: null, sections }
  } finally {
    await document.loadingTask.destroy()
  }
}
