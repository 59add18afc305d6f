import { parentPort, workerData } from 'node:worker_threads'
import { getDocumentProxy } from 'unpdf'
import { MAX_FILE_TEXT_CHARACTERS } from '../../../contract/size-limits.ts'

// Reading a PDF takes seconds at worst, in which the server's own loop would stand still.

/** The library would write its warnings to the console. */
const SILENT = 0

/** The text of a PDF, page by page, somewhat more than is used of it. */
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
