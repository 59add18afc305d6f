import { isUtf8 } from 'node:buffer'
import { extname } from 'node:path'
import { ExtractedDocument } from '../document.ts'
import { readMarkdown } from '../markdown.ts'
import type { OcrLimits } from './pdf/ocr-programs.ts'

const MEGABYTE = 1024 * 1024

/** How files of one kind are read; a parser is loaded with the first such file. */
interface Format {
  maxBytes: number
  /** Needs a parser that may take long or much memory, so it runs in a child process. */
  isHeavy: boolean
  /** The options are for PDF. */
  read: (bytes: Buffer, options?: { maxPages?: number; ocr?: OcrLimits | null }) => Promise<ExtractedDocument>
}

const markdown: Format = {
  maxBytes: 16 * MEGABYTE,
  isHeavy: false,
  read: async (bytes) => {
    const text = decodeText(bytes)
    return readMarkdown(text, /^ {0,3}<[a-z]/im.test(text) ? (await import('./html.ts')).readFragment : undefined)
  },
}
const html: Format = {
  maxBytes: 16 * MEGABYTE,
  isHeavy: true,
  read: async (bytes) => (await import('./html.ts')).readHtml(htmlTextOf(bytes)),
}

const office = (read: Format['read']): Format => ({ maxBytes: 32 * MEGABYTE, isHeavy: true, read })
const readOpenDocument = async (bytes: Buffer) => (await import('./office/odf.ts')).readOdf(bytes)

const FORMATS: Readonly<Record<string, Format>> = {
  '.md': markdown,
  '.txt': markdown,
  '.html': html,
  '.htm': html,
  '.csv': { maxBytes: 64 * MEGABYTE, isHeavy: false, read: async (bytes) => (await import('./csv.ts')).readCsv(decodeText(bytes)) },
  '.pdf': {
    maxBytes: 64 * MEGABYTE,
    isHeavy: true,
    read: async (bytes, options) => (await import('./pdf/pdf.ts')).readPdf(bytes, options),
  },
  // Of a website; extracted when it was read.
  '.page': { maxBytes: 16 * MEGABYTE, isHeavy: false, read: async (bytes) => ExtractedDocument.parse(JSON.parse(bytes.toString('utf8'))) },
  '.docx': office(async (bytes) => (await import('./office/docx.ts')).readDocx(bytes)),
  '.pptx': office(async (bytes) => (await import('./office/pptx.ts')).readPptx(bytes)),
  '.xlsx': office(async (bytes) => (await import('./office/xlsx.ts')).readSpreadsheet(bytes)),
  '.odt': office(readOpenDocument),
  '.ods': office(readOpenDocument),
  '.odp': office(readOpenDocument),
  '.rtf': office(async (bytes) => (await import('./office/rtf.ts')).readRtf(bytes)),
  '.epub': office(async (bytes) => (await import('./office/epub.ts')).readEpub(bytes)),
}

export const READABLE_ENDINGS = Object.keys(FORMATS).filter((ending) => ending !== '.page')

export function formatOf(file: string): Format | undefined {
  const ending = extname(file).toLowerCase()
  return Object.hasOwn(FORMATS, ending) ? FORMATS[ending] : undefined
}

/** A text that was put together from several files may have a few bytes in another encoding. */
const MAX_BROKEN_SHARE = 0.05
const SAMPLE_BYTES = 64 * 1024
const OTHER_SCRIPTS = ['windows-1251', 'koi8-r', 'windows-1253']
/** Signs beside letters, and capitals after small letters, as the wrong encoding shows them. */
const MISREAD =
  /\p{L}(?=[\u00a1-\u00b4\u00b6-\u00b9\u00bb-\u00bf])|[\u00a2-\u00a6\u00ac-\u00b4\u00b8\u00b9\u00bc-\u00bf](?=\p{L})|\p{Ll}(?=\p{Lu})|\ufffd/gu

/** The text in UTF-8; undefined if it is in another encoding. */
function utf8In(bytes: Buffer): string | undefined {
  if (isUtf8(bytes)) return new TextDecoder().decode(bytes)
  const sample = new TextDecoder().decode(bytes.subarray(0, SAMPLE_BYTES), { stream: true })
  const broken = sample.match(/\ufffd/g)?.length ?? 0
  const isMostly = broken < (sample.match(/[^\p{ASCII}]/gu)?.length ?? 0) * MAX_BROKEN_SHARE
  return isMostly ? new TextDecoder().decode(bytes) : undefined
}

/** The text of a file in UTF-8, in UTF-16 with a byte order mark, or in the encoding that Excel and old editors saved it in. Throws for others. */
function decodeText(bytes: Buffer): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  const text = utf8In(bytes)
  if (text !== undefined) return text
  const encoding = bytes.includes(0) ? null : eightBitEncodingOf(bytes)
  if (encoding === null) throw new Error('It is not written in UTF-8.')
  return new TextDecoder(encoding).decode(bytes)
}

/** The text of a reply from the web: by its header, then as `htmlTextOf` reads it: https://html.spec.whatwg.org/#determining-the-character-encoding */
export function webTextOf(bytes: Buffer, contentType: string): string {
  const stated = /charset\s*=\s*["']?([\w-]{1,40})/i.exec(contentType)?.[1]
  try {
    if (stated !== undefined) return new TextDecoder(stated, { fatal: /^utf-?8$/i.test(stated) }).decode(bytes)
  } catch {
    // Unknown, or not true.
  }
  return htmlTextOf(bytes)
}

/** The text of a page, which may state another encoding than UTF-8. Throws if it is in none that is known. */
function htmlTextOf(bytes: Buffer): string {
  const stated = /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]{1,40})/i.exec(bytes.toString('latin1', 0, 2_048))?.[1]
  try {
    return stated === undefined || /^utf-?8$/i.test(stated) ? decodeText(bytes) : new TextDecoder(stated).decode(bytes)
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    return decodeText(bytes)
  }
}

/** The encoding of a text that is not in Unicode: of Latin, Cyrillic or Greek letters; null for others. */
function eightBitEncodingOf(bytes: Buffer): string | null {
  const sample = bytes.subarray(0, SAMPLE_BYTES)
  const read = (encoding: string) => new TextDecoder(encoding).decode(sample)
  const misreadIn = (encoding: string) => read(encoding).match(MISREAD)?.length ?? 0
  const high = sample.reduce((sum, byte) => sum + (byte >= 0x80 ? 1 : 0), 0)
  const latin = read('windows-1252').match(/[a-z]/gi)?.length ?? 0
  if (high > latin) {
    const [best = ''] = OTHER_SCRIPTS.toSorted((one, other) => misreadIn(one) - misreadIn(other))
    // Scripts without capitals are in none of them.
    return misreadIn(best) < high / 50 && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(read(best).match(/\p{Lu}/u)?.[0] ?? '')
      ? best
      : null
  }
  if (misreadIn('windows-1250') < misreadIn('windows-1252') / 2) return 'windows-1250'
  const western = read('windows-1252')
  // These are letters of Turkish, or of Icelandic, which has the others too.
  return /[\u00f0\u00fd\u00fe\u00d0\u00dd\u00de]/.test(western) && !/[\u00e1\u00e6\u00ed\u00f3\u00fa]/.test(western)
    ? 'windows-1254'
    : 'windows-1252'
}
