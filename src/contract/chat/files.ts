import { z } from 'zod'
import { MAX_FILE_NAME_CHARACTERS, SESSION_ID_LENGTH } from '../size-limits.ts'

export const FileId = z.string().regex(new RegExp(`^f_[A-Za-z0-9]{${SESSION_ID_LENGTH}}$`))

/** Documents whose text is read, with the usual ends of their names. */
export const DOCUMENT_TYPES = {
  'application/pdf': '.pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': '.docx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': '.pptx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': '.xlsx',
  'application/vnd.oasis.opendocument.text': '.odt',
  'application/vnd.oasis.opendocument.spreadsheet': '.ods',
  'application/vnd.oasis.opendocument.presentation': '.odp',
  'application/rtf': '.rtf',
  'application/epub+zip': '.epub',
} as const
export type DocumentType = keyof typeof DOCUMENT_TYPES
const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const
export const FILE_TYPES = [...IMAGE_TYPES, ...(Object.keys(DOCUMENT_TYPES) as DocumentType[]), 'text/plain'] as const
/** Media type, detected from the content; the name and declared type are ignored. */
export const FileType = z.enum(FILE_TYPES)
export type FileType = z.infer<typeof FileType>

/** Name of a file: one line without path separators. */
export const FileName = z
  .string()
  .transform((name) =>
    name
      .replaceAll(/[\p{Cc}\p{Cf}/\\]+/gu, ' ')
      .toWellFormed()
      .trim(),
  )
  .pipe(z.string().min(1).max(MAX_FILE_NAME_CHARACTERS))

/** An uploaded file. In a message it is an AI SDK `file` part with the `url` `/api/v1/files/{id}`. */
export const StoredFile = z.object({
  id: FileId.describe('Attach it to a prompt within an hour.'),
  name: z.string(),
  mediaType: FileType,
  bytes: z.number().int(),
  isCut: z.boolean().describe('Whether the model reads only its first 16,000 characters.'),
})
export type StoredFile = z.infer<typeof StoredFile>

/** Files that an agent accepts: none, texts (and the text of documents), or pictures too. */
export const AcceptedFiles = z.enum(['none', 'text', 'images'])
export type AcceptedFiles = z.infer<typeof AcceptedFiles>

/** The path of a file's content, as in the `url` of a `file` part. */
export const filePath = (id: string): string => `/api/v1/files/${id}`

/** The id in the `url` of a `file` part; undefined for anything else. */
export function fileIdOf(url: string): string | undefined {
  return FileId.safeParse(/^\/api\/v1\/files\/(.+)$/.exec(url)?.[1]).data
}
