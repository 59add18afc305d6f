import { isUtf8 } from 'node:buffer'
import type { FileType } from '../../../contract/chat/files.ts'
import { MAX_FILE_TEXT_CHARACTERS } from '../../../contract/size-limits.ts'
import type { ParserProgram } from '../../parsing/parser-process.ts'
import type { PdfText } from './parse-pdf.ts'

/** Content of a file; `text` for the model, `null` for an image. */
export interface ReadAttachment {
  mediaType: FileType
  text: string | null
  /** Whether the text was cut. */
  isCut: boolean
}

export const PDF_PARSER: ParserProgram = {
  url: new URL('./parse-pdf.ts', import.meta.url),
  timeMs: 10_000,
  residentBytes: 256 * 1024 * 1024,
}

const ascii = (text: string) => Buffer.from(text, 'latin1')
/** File signatures: https://www.iana.org/assignments/media-types and the formats that it names. */
const BEGINNINGS: [FileType, (bytes: Buffer) => boolean][] = [
  ['image/png', (bytes) => begins(bytes, ascii('\x89PNG\r\n\x1a\n'))],
  ['image/jpeg', (bytes) => begins(bytes, ascii('\xff\xd8\xff'))],
  ['image/gif', (bytes) => begins(bytes, ascii('GIF87a')) || begins(bytes, ascii('GIF89a'))],
  ['image/webp', (bytes) => begins(bytes, ascii('RIFF')) && bytes.subarray(8, 12).equals(ascii('WEBP'))],
  ['application/pdf', (bytes) => begins(bytes, ascii('%PDF-'))],
]

/** `unreadable`: an unsupported file, or a PDF without text. `too-complex`: reading it exceeds a limit. */
export type AttachmentFailure = 'unreadable' | 'too-complex'

/** Reads any file but a PDF by its content. */
export function readAttachment(bytes: Buffer): ReadAttachment | AttachmentFailure {
  const mediaType = fileTypeOf(bytes)
  if (mediaType === undefined) return 'unreadable'
  return mediaType.startsWith('image/') ? { mediaType, text: null, isCut: false } : withText(mediaType, bytes.toString('utf8'))
}

/** Reads a PDF in a process of its own. Rejects when the signal aborts. */
export async function readPdfAttachment(bytes: Buffer, signal?: AbortSignal): Promise<ReadAttachment | AttachmentFailure> {
  // Loaded on first use, for the memory of an idle server.
  const { parseApart } = await import('../../parsing/parser-process.ts')
  const outcome = await parseApart<PdfText>(PDF_PARSER, bytes, signal)
  if (outcome.kind === 'failed') return outcome.reason === 'threw' ? 'unreadable' : 'too-complex'
  return outcome.value.kind === 'text' ? withText('application/pdf', outcome.value.text) : 'too-complex'
}

function withText(mediaType: FileType, untidy: string): ReadAttachment | 'unreadable' {
  const text = tidy(untidy)
  if (text === '') return 'unreadable'
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
