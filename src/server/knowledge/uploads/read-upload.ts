import { createHash } from 'node:crypto'
import { READABLE_ENDINGS } from '../ingestion/extract/extract.ts'
import { UPLOAD_OCR } from '../ingestion/extract/pdf/ocr-programs.ts'
import { readableOf } from '../ingestion/extract-file.ts'
import type { ParserProgram } from '../../parsing/parser-process.ts'
import { Semaphore } from '../../../async/semaphore.ts'
import type { NewVersion } from '../../store/knowledge/managed-documents.ts'
import { type ParsedUpload, parseUpload, type UploadToParse } from './parse-upload.ts'

const MAX_NAME_CHARACTERS = 150
const PARSER: ParserProgram = {
  url: new URL('./run-upload-parser.ts', import.meta.url),
  timeMs: 60_000,
  residentBytes: 512 * 1024 * 1024,
}
/** Short texts are read here, in a few milliseconds: our own parser takes time in proportion to them. */
const LIGHT_ENDINGS = ['.md', '.markdown', '.mdx', '.txt']
const MAX_LIGHT_BYTES = 256 * 1024
/** Files that are read at a time, each in a process of its own. */
const MAX_PARSERS = 2

/** A version to store, or why the file is none: a sentence for staff. */
export type ReadUpload = { kind: 'read'; version: NewVersion } | { kind: 'unreadable'; reason: string }

const parsers = new Semaphore(MAX_PARSERS)

export function isUploadable(name: string): boolean {
  return READABLE_ENDINGS.includes(endingOf(name))
}

export function endingOf(name: string): string {
  return /\.\w+$/.exec(name)?.[0].toLowerCase() ?? ''
}

/** Reads an uploaded file: in a process of its own with limits on time and memory, unless it is a short text. */
export async function readUpload(upload: UploadToParse, now: number): Promise<ReadUpload> {
  const { name, content } = upload
  if (content.length === 0) return { kind: 'unreadable', reason: 'It is empty.' }
  if (name.length > MAX_NAME_CHARACTERS) return { kind: 'unreadable', reason: 'Its name is too long: 150 characters at most.' }
  const isLight = LIGHT_ENDINGS.includes(endingOf(name)) && content.length <= MAX_LIGHT_BYTES
  const parsed = await (isLight ? parseUpload(upload) : parsers.run(() => parseApart(upload)))
  if (parsed.kind === 'unreadable') return parsed
  return {
    kind: 'read',
    version: {
      name,
      hash: createHash('sha256').update(content).digest('hex'),
      size: content.length,
      characters: parsed.characters,
      asOf: parsed.asOf ?? new Date(now).toISOString().slice(0, 10),
      document: parsed.document,
      bytes: content,
    },
  }
}

async function parseApart(upload: UploadToParse): Promise<ParsedUpload> {
  // Loaded on first use, for the memory of an idle server.
  const parsing = await import('../../parsing/parser-process.ts')
  const timeMs = PARSER.timeMs + (upload.usesOcr ? UPLOAD_OCR.timeMs : 0)
  return readableOf(await parsing.parseApart<ParsedUpload>({ ...PARSER, timeMs }, upload))
}
