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

const format = (megabytes: number, isHeavy: boolean, read: Format['read']): Format => ({ maxBytes: megabytes * MEGABYTE, isHeavy, read })
const written = (isPlain: boolean) =>
  format(16, false, async (bytes) => {
    const text = decodeText(bytes)
    return readMarkdown(text, /^ {0,3}<[a-z]/im.test(text) ? (await import('./html.ts')).readFragment : undefined, isPlain)
  })
const separated = (delimiter?: string) =>
  format(64, false, async (bytes) => (await import('./csv.ts')).readCsv(decodeText(bytes), delimiter))
const html = format(16, true, async (bytes) => (await import('./html.ts')).readHtml(webTextOf(bytes)))
const openDocument = format(32, true, async (bytes) => (await import('./office/odf.ts')).readOdf(bytes))

const FORMATS: Readonly<Record<string, Format>> = {
  '.md': written(false),
  '.markdown': written(false),
  '.mdx': written(false),
  '.txt': written(true),
  '.html': html,
  '.htm': html,
  '.xhtml': html,
  '.csv': separated(),
  '.tsv': separated('\t'),
  '.pdf': format(64, true, async (bytes, options) => (await import('./pdf/pdf.ts')).readPdf(bytes, options)),
  // Of a website; extracted when it was read.
  '.page': format(16, false, async (bytes) => ExtractedDocument.parse(JSON.parse(bytes.toString('utf8')))),
  '.docx': format(32, true, async (bytes) => (await import('./office/docx.ts')).readDocx(bytes)),
  '.pptx': format(32, true, async (bytes) => (await import('./office/pptx.ts')).readPptx(bytes)),
  '.xlsx': format(32, true, async (bytes) => (await import('./office/xlsx.ts')).readSpreadsheet(bytes)),
  '.odt': openDocument,
  '.ods': openDocument,
  '.odp': openDocument,
  '.rtf': format(32, true, async (bytes) => (await import('./office/rtf.ts')).readRtf(bytes)),
  '.epub': format(32, true, async (bytes) => (await import('./office/epub.ts')).readEpub(bytes)),
}

export const READABLE_ENDINGS = Object.keys(FORMATS).filter((ending) => ending !== '.page')

export function formatOf(file: string): Format | undefined {
  const ending = extname(file).toLowerCase()
  return Object.hasOwn(FORMATS, ending) ? FORMATS[ending] : undefined
}

/** A text that was put together from several files may have a few bytes in another encoding. */
const MAX_BROKEN_SHARE = 0.05
const SAMPLE_BYTES = 64 * 1024
const MULTIBYTE = ['shift_jis', 'euc-jp', 'gb18030', 'big5', 'euc-kr']
const EASTERN_WORD = /^[\p{Script=Han}\p{Script=Hangul}\u3041-\u30ff]{2,}$/u
const OTHER_SCRIPTS = ['windows-1251', 'koi8-r', 'windows-1253']
/** Signs beside letters, capitals after small letters, and parts of frames, as the wrong encoding shows them. */
const MISREAD =
  /\p{L}(?=[\u00a1-\u00b4\u00b6-\u00b9\u00bb-\u00bf])|[\u00a2-\u00a6\u00ac-\u00b4\u00b8\u00b9\u00bc-\u00bf](?=\p{L})|\p{Ll}(?=\p{Lu})|[\u2500-\u259f\ufffd]/gu

/** The text in UTF-8; undefined if it is in another encoding. */
function utf8In(bytes: Buffer): string | undefined {
  if (isUtf8(bytes)) return new TextDecoder().decode(bytes)
  const sample = new TextDecoder().decode(bytes.subarray(0, SAMPLE_BYTES), { stream: true })
  const broken = sample.match(/\ufffd/g)?.length ?? 0
  const isMostly = broken < (sample.match(/[^\p{ASCII}]/gu)?.length ?? 0) * MAX_BROKEN_SHARE
  return isMostly ? new TextDecoder().decode(bytes) : undefined
}

/** UTF-16 by its byte order mark, or by the zeros beside its spaces, digits and line ends; undefined for other texts. */
function utf16Of(bytes: Buffer): string | undefined {
  const sample = bytes.subarray(0, SAMPLE_BYTES)
  const [even = 0, odd = 0] = [0, 1].map((place) => sample.filter((byte, index) => byte === 0 && index % 2 === place).length)
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (even === 0 && odd > sample.length / 40)) return 'utf-16le'
  return (bytes[0] === 0xfe && bytes[1] === 0xff) || (odd === 0 && even > sample.length / 40) ? 'utf-16be' : undefined
}

/** The text of a file in Unicode, or in the encoding that Excel and old editors saved it in. Throws for others. */
function decodeText(bytes: Buffer): string {
  const wide = utf16Of(bytes)
  const text = wide === undefined ? utf8In(bytes) : undefined
  if (text !== undefined) return text
  const encoding = wide ?? (bytes.includes(0) ? null : (multibyteEncodingOf(bytes) ?? eightBitEncodingOf(bytes)))
  if (encoding === null) throw new Error('It is not written in UTF-8.')
  return new TextDecoder(encoding).decode(bytes)
}

/** The text of a page: by the header of a reply, then as it states itself: https://html.spec.whatwg.org/#determining-the-character-encoding */
export function webTextOf(bytes: Buffer, contentType = ''): string {
  const meta = /<meta[^>]{0,200}charset\s*=\s*["']?[\w-]{1,40}/i.exec(bytes.toString('latin1', 0, 2_048))?.[0] ?? ''
  for (const text of [contentType, meta]) {
    const stated = /charset\s*=\s*["']?([\w-]{1,40})/i.exec(text)?.[1] ?? ''
    try {
      return new TextDecoder(stated, { fatal: /^utf-?8$/i.test(stated) }).decode(bytes)
    } catch {
      // Unknown, or not true.
    }
  }
  return decodeText(bytes)
}

/** The encoding in which most letters of a text make words of Chinese, Japanese or Korean; undefined for other texts. */
function multibyteEncodingOf(bytes: Buffer): string | undefined {
  const segmenter = new Intl.Segmenter('zh', { granularity: 'word' })
  const shareIn = (encoding: string) => {
    const text = new TextDecoder(encoding).decode(bytes.subarray(0, SAMPLE_BYTES), { stream: true }).replace(/\p{ASCII}+/gu, ' ')
    const words = Array.from(segmenter.segment(text), ({ segment }) => (EASTERN_WORD.test(segment) ? segment : ''))
    return text.includes('\ufffd') ? 0 : words.join('').length / (text.match(/\p{L}/gu)?.length ?? 1)
  }
  return MULTIBYTE.filter((encoding) => shareIn(encoding) > 0.5).toSorted((one, other) => shareIn(other) - shareIn(one))[0]
}

/** The encoding of a text that is not in Unicode: of Latin, Cyrillic or Greek letters; null for others. */
function eightBitEncodingOf(bytes: Buffer): string | null {
  const sample = bytes.subarray(0, SAMPLE_BYTES)
  const read = (encoding: string) => new TextDecoder(encoding).decode(sample)
  const misreadIn = (encoding: string) => read(encoding).match(MISREAD)?.length ?? 0
  const western = read('windows-1252')
  const high = sample.reduce((sum, byte) => sum + (byte >= 0x80 ? 1 : 0), 0)
  // Words of other scripts have no letters of ASCII.
  const words = western.match(/\p{L}{2,}/gu)?.filter((word) => /\P{ASCII}/u.test(word)) ?? []
  if (words.filter((word) => !/\p{ASCII}/u.test(word)).length > words.length / 2) {
    const [best = ''] = OTHER_SCRIPTS.toSorted((one, other) => misreadIn(one) - misreadIn(other))
    // Scripts without capitals are in none of them.
    return misreadIn(best) < high / 50 && /(?!\p{ASCII})\p{Lu}/u.test(read(best)) ? best : null
  }
  const isCentral = misreadIn('windows-1250') < misreadIn('windows-1252') / 2
  // These are letters of Turkish, or of Icelandic, which has the others too.
  const isTurkish = /[\u00f0\u00fd\u00fe\u00d0\u00dd\u00de]/.test(western) && !/[\u00e1\u00e6\u00ed\u00f3\u00fa]/.test(western)
  const encoding = isCentral ? 'windows-1250' : isTurkish ? 'windows-1254' : 'windows-1252'
  // Letters of DOS and old Macs would be control characters.
  return /[\u0080-\u009f]/.test(read(encoding)) ? null : encoding
}
