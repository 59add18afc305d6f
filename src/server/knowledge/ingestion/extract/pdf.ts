import { extractText, getDocumentProxy, getMeta } from 'unpdf'
import { cutBetweenParagraphs, type Passage, titleOfFile } from '../passages.ts'

/** The library would write its warnings to the console. */
const SILENT = 0
/** More pages than this are left out. */
const MAX_PAGES = 5_000

/** The text of a PDF, page by page. A page that is a picture has none. */
export async function pdfPassages(file: string, bytes: Uint8Array): Promise<Passage[]> {
  const document = await getDocumentProxy(new Uint8Array(bytes), { verbosity: SILENT })
  try {
    const { info } = await getMeta(document)
    const given: unknown = info['Title']
    const title = typeof given === 'string' && given.trim() !== '' ? given.trim() : titleOfFile(file)
    const { text } = await extractText(document, { mergePages: false })
    return text.slice(0, MAX_PAGES).flatMap((page, index) =>
      cutBetweenParagraphs(page.trim()).map((piece) => ({
        title,
        file,
        heading: title,
        text: piece,
        keywords: '',
        place: `page ${index + 1}`,
      })),
    )
  } finally {
    await document.loadingTask.destroy()
  }
}
