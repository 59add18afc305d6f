import { charactersIn } from '../ingestion/document.ts'
import { formatOf } from '../ingestion/extract/extract.ts'
import { UPLOAD_OCR } from '../ingestion/extract/pdf/ocr-programs.ts'
import { reasonOf } from '../ingestion/extract-file.ts'

const MAX_DOCUMENT_CHARACTERS = 4_000_000

export interface UploadToParse {
  name: string
  content: Uint8Array
  /** Whether scanned pages of a PDF are recognised. */
  usesOcr: boolean
}

export type ParsedUpload =
  | {
      kind: 'read'
      /** `ExtractedDocument`, JSON. */
      document: string
      characters: number
      /** ISO date that the document states. */
      asOf: string | null
    }
  /** A sentence for staff. */
  | { kind: 'unreadable'; reason: string }

/** Reads an uploaded file by the end of its name. Never rejects. */
export async function parseUpload({ name, content, usesOcr }: UploadToParse): Promise<ParsedUpload> {
  try {
    const document = await formatOf(name)?.read(Buffer.from(content), { ocr: usesOcr ? UPLOAD_OCR : null })
    if (!document) return { kind: 'unreadable', reason: 'It is of no format that can be read.' }
    const characters = document.sections.reduce((sum, { heading }) => sum + heading.length, charactersIn(document.sections))
    if (characters === 0)
      return {
        kind: 'unreadable',
        reason: document.warning === undefined ? 'It is without any text.' : 'It is scanned: no text recognised.',
      }
    const json = JSON.stringify(document)
    if (json.length > MAX_DOCUMENT_CHARACTERS) return { kind: 'unreadable', reason: 'It is too long.' }
    return { kind: 'read', document: json, characters, asOf: document.asOf }
  } catch (cause) {
    return { kind: 'unreadable', reason: reasonOf(cause) }
  }
}
