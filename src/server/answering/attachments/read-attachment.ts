import { isUtf8 } from 'node:buffer'
import { DOCUMENT_TYPES, type DocumentType, type FileType } from '../../../contract/chat/files.ts'
import { MAX_FILE_TEXT_CHARACTERS } from '../../../contract/size-limits.ts'
import { ATTACHMENT_OCR } from '../../knowledge/ingestion/extract/pdf/ocr-programs.ts'
import type { ParserProgram } from '../../parsing/parser-process.ts'
import type { DocumentText } from './parse-document.ts'

/** Content of a file; `text` for the model, `null` for an image. */
export interface ReadAttachment {
  mediaType: FileType
  text: string | null
  isCut: boolean
}

export const DOCUMENT_PARSER: ParserProgram = {
  url: new URL('./parse-document.ts', import.meta.url),
  timeMs: 10_000,
  residentBytes: 256 * 1024 * 1024,
}

const ascii = (text: string) => Buffer.from(text, 'latin1')
/** Their archives begin with their type. */
const OPEN_FORMATS = [
  'application/vnd.oasis.opendocument.text',
  'application/vnd.oasis.opendocument.spreadsheet',
  'application/vnd.oasis.opendocument.presentation',
  'application/epub+zip',
] as const
/** The part that each archive of Office has. */
const PARTS = [
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'word/document.xml'],
  ['application/vnd.openxmlformats-officedocument.presentationml.presentation', 'ppt/presentation.xml'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xl/workbook.xml'],
] as const
const isZip = (bytes: Buffer): boolean => begins(bytes, ascii('PK\x03\x04'))
/** File signatures: https://www.iana.org/assignments/media-types and the formats that it names. */
const BEGINNINGS: [FileType, (bytes: Buffer) => boolean][] = [
  ['image/png', (bytes) => begins(bytes, ascii('\x89PNG\r\n\x1a\n'))],
  ['image/jpeg', (bytes) => begins(bytes, ascii('\xff\xd8\xff'))],
  ['image/gif', (bytes) => begins(bytes, ascii('GIF87a')) || begins(bytes, ascii('GIF89a'))],
  ['image/webp', (bytes) => begins(bytes, ascii('RIFF')) && bytes.subarray(8, 12).equals(ascii('WEBP'))],
  ['application/pdf', (bytes) => begins(bytes, ascii('%PDF-'))],
  ['application/rtf', (bytes) => begins(bytes, ascii('{\\rtf'))],
  ...OPEN_FORMATS.map((type): [FileType, (bytes: Buffer) => boolean] => [
    type,
    (bytes) => isZip(bytes) && bytes.indexOf(`mimetype${type}`) === 30,
  ]),
  ...PARTS.map(([type, part]): [FileType, (bytes: Buffer) => boolean] => [type, (bytes) => isZip(bytes) && bytes.includes(part)]),
]

/** `unreadable`: an unsupported file, or a document without text. `too-complex`: reading it exceeds a limit. */
export type AttachmentFailure = 'unreadable' | 'too-complex'

/** Whether a file has to be read by a parser, in a process of its own. */
export function isDocument(type: FileType | undefined): type is DocumentType {
  return type !== undefined && Object.hasOwn(DOCUMENT_TYPES, type)
}

/** Reads any file but a document by its content. */
export function readAttachment(bytes: Buffer): ReadAttachment | AttachmentFailure {
  const mediaType = fileTypeOf(bytes)
  if (mediaType === undefined) return 'unreadable'
  return mediaType.startsWith('image/') ? { mediaType, text: null, isCut: false } : withText(mediaType, bytes.toString('utf8'))
}

/** Reads a document in a process of its own. Rejects when the signal aborts, or the process ends without exceeding a limit. */
export async function readDocumentAttachment(
  bytes: Buffer,
  mediaType: DocumentType,
  signal?: AbortSignal,
  usesOcr = false,
): Promise<ReadAttachment | AttachmentFailure> {
  // Loaded on first use, for the memory of an idle server.
  const { parseApart } = await import('../../parsing/parser-process.ts')
  const program = usesOcr ? { ...DOCUMENT_PARSER, timeMs: DOCUMENT_PARSER.timeMs + ATTACHMENT_OCR.timeMs } : DOCUMENT_PARSER
  const outcome = await parseApart<DocumentText>(program, { ending: `file${DOCUMENT_TYPES[mediaType]}`, content: bytes, usesOcr }, signal)
  if (outcome.kind === 'failed' && outcome.reason === 'ended') throw new Error('The process that parses a file ended')
  if (outcome.kind === 'failed') return outcome.reason === 'threw' ? 'unreadable' : 'too-complex'
  return outcome.value.kind === 'text' ? withText(mediaType, outcome.value.text) : 'too-complex'
}

function withText(mediaType: FileType, untidy: string): ReadAttachment | 'unreadable' {
  const text = tidy(untidy)
  if (text === '') return 'unreadable'
  return { mediaType, text: text.slice(0, MAX_FILE_TEXT_CHARACTERS).toWellFormed(), isCut: text.length > MAX_FILE_TEXT_CHARACTERS }
}

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
