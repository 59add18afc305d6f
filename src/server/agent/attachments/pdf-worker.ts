import { parentPort, workerData } from 'node:worker_threads'
import { getDocumentProxy } from 'unpdf'
import { MAX_FILE_TEXT_CHARACTERS } from '../../../contract/size-limits.ts'

// Reading a PDF can take seconds, which would block the event loop.

/** Keeps the library's warnings off the console. */
const SILENT = 0

/** Reads the text of a PDF page by page, slightly more than is used. */
async function textOf(bytes: Uint8Array): Promise<string> {
  const document = await getDocumentProxy(new Uint8Array(bytes), { verbosity: SILENT })
  let text = ''
  for (let page = 1; page <= document.numPages && text.length <= MAX_FILE_TEXT_CHARACTERS; page += 1) {
    const { items } = await (await document.getPage(page)).getTextContent()
    text += `${items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join('')}\n\n`
  }
  return text
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage(await textOf(workerData as Uint8Array))
