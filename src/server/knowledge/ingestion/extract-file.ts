import { createHash } from 'node:crypto'
import type { ParserFailure, ParserOutcome } from '../../parsing/parser-process.ts'
import { readRegularFile } from '../files/read-regular-file.ts'
import { formatOf } from './extract/extract.ts'
import { FOLDER_OCR } from './extract/pdf/ocr-programs.ts'
import { fillIn, PLACEHOLDERS } from './placeholders.ts'
import { type Passage, passagesOf } from './passages.ts'

export interface ExtractionRequest {
  path: string
  /** Path inside the knowledge folder. */
  file: string
  knownHash: string | null
  usesOcr?: boolean
}

export type ExtractedFile =
  | { kind: 'unchanged' }
  | { kind: 'changed'; hash: string; passages: Passage[]; unknownPlaceholders: string[]; warning: string | null }
  /** A sentence for the operator. */
  | { kind: 'unreadable'; reason: string }

export type ExtractFile = (request: ExtractionRequest) => Promise<ExtractedFile>

const PLACEHOLDER_NAMES = Object.fromEntries(PLACEHOLDERS.map((name) => [name, '']))

/** Reads a file and cuts it into passages. Never rejects. */
export async function extractFile({ path, file, knownHash, usesOcr = false }: ExtractionRequest): Promise<ExtractedFile> {
  // An uploaded document keeps its name, but not its format.
  const format = formatOf(path)
  if (!format) return { kind: 'unreadable', reason: 'It is of no format that can be read.' }
  try {
    const bytes = await readRegularFile(path, format.maxBytes)
    const hash = createHash('sha256').update(bytes).digest('hex')
    if (hash === knownHash) return { kind: 'unchanged' }
    const document = await format.read(bytes, { ocr: usesOcr ? FOLDER_OCR : null })
    const passages = passagesOf(file, document)
    if (passages.length === 0 && bytes.length > 0 && format.isHeavy && document.warning === undefined)
      return { kind: 'unreadable', reason: 'It is without any text.' }
    const unknown = new Set<string>()
    for (const { text } of passages) fillIn(text, PLACEHOLDER_NAMES, (name) => unknown.add(name))
    return { kind: 'changed', hash, passages, unknownPlaceholders: [...unknown].slice(0, 10), warning: document.warning ?? null }
  } catch (cause) {
    return { kind: 'unreadable', reason: reasonOf(cause) }
  }
}

/** The result of a parser process, or why it has none, for the operator. */
export function readableOf<Result>(outcome: ParserOutcome<Result>): Result | { kind: 'unreadable'; reason: string } {
  return outcome.kind === 'parsed' ? outcome.value : { kind: 'unreadable', reason: PARSER_FAILURES[outcome.reason] }
}

const PARSER_FAILURES: Record<ParserFailure, string> = {
  threw: 'It cannot be read.',
  time: 'It takes too long to read.',
  memory: 'It takes too much memory to read.',
  ended: 'It ends the process that reads it.',
}

/** Passes on only the project's own sentences: a library's may quote the file. */
export function reasonOf(cause: unknown): string {
  return cause instanceof Error && /^It is [\w ,:-]+\.$/.test(cause.message) ? cause.message : 'It cannot be read.'
}
