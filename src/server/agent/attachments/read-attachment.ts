import { isUtf8 } from 'node:buffer'
import { Worker } from 'node:worker_threads'
import type { FileType } from '../../../contract/files.ts'
import { MAX_FILE_TEXT_CHARACTERS } from '../../../contract/size-limits.ts'

/** Content of a file; `text` for the model, `null` for a picture. */
export interface ReadAttachment {
  mediaType: FileType
  text: string | null
  /** Whether the text was cut. */
  isCut: boolean
}

/** Beyond these limits a PDF counts as one without text. */
const PDF_LIMIT_MS = 10_000
const PDF_LIMITS = { maxOldGenerationSizeMb: 256 }

const ascii = (text: string) => Buffer.from(text, 'latin1')
/** File signatures: https://www.iana.org/assignments/media-types and the formats that it names. */
const BEGINNINGS: [FileType, (bytes: Buffer) => boolean][] = [
  ['image/png', (bytes) => begins(bytes, ascii('\x89PNG\r\n\x1a\n'))],
  ['image/jpeg', (bytes) => begins(bytes, ascii('\xff\xd8\xff'))],
  ['image/gif', (bytes) => begins(bytes, ascii('GIF87a')) || begins(bytes, ascii('GIF89a'))],
  ['image/webp', (bytes) => begins(bytes, ascii('RIFF')) && bytes.subarray(8, 12).equals(ascii('WEBP'))],
  ['application/pdf', (bytes) => begins(bytes, ascii('%PDF-'))],
]

/** Reads a file by its content; `undefined` for unsupported files, including PDFs without text. */
export async function readAttachment(bytes: Buffer): Promise<ReadAttachment | undefined> {
  const mediaType = fileTypeOf(bytes)
  if (mediaType === undefined) return undefined
  if (mediaType.startsWith('image/')) return { mediaType, text: null, isCut: false }
  const text = tidy(mediaType === 'application/pdf' ? await pdfText(bytes) : bytes.toString('utf8'))
  if (text === '') return undefined
  return { mediaType, text: text.slice(0, MAX_FILE_TEXT_CHARACTERS).toWellFormed(), isCut: text.length > MAX_FILE_TEXT_CHARACTERS }
}

/** Detects the type by the first bytes. */
export function fileTypeOf(bytes: Buffer): FileType | undefined {
  const known = BEGINNINGS.find(([, isSuch]) => isSuch(bytes))
  if (known) return known[0]
  return isText(bytes) ? 'text/plain' : undefined
}

/** UTF-8 without control characters other than tabs, line ends and form feeds. */
function isText(bytes: Buffer): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  return isUtf8(bytes) && !/[\0-\x08\x0e-\x1f]/.test(bytes.toString('latin1'))
}

function begins(bytes: Buffer, beginning: Buffer): boolean {
  return bytes.subarray(0, beginning.length).equals(beginning)
}

function tidy(text: string): string {
  return text
    .replace(/^\uFEFF/, '')
    .replaceAll('\0', '')
    .trim()
}

/** The text; empty if there is none or the file is unreadable. */
function pdfText(bytes: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), { workerData: bytes, resourceLimits: PDF_LIMITS })
    const finish = (text: string) => {
      clearTimeout(limit)
      worker.terminate().then(() => resolve(text), reject)
    }
    const limit = setTimeout(() => finish(''), PDF_LIMIT_MS)
    worker.once('message', finish)
    // Uploads may be malformed; a failing library is not a fault of the server.
    worker.once('error', () => finish(''))
  })
}
