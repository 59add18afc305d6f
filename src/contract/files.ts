import { z } from 'zod'
import { MAX_FILE_NAME_CHARACTERS, SESSION_ID_LENGTH } from './size-limits.ts'

export const FileId = z.string().regex(new RegExp(`^f_[A-Za-z0-9]{${SESSION_ID_LENGTH}}$`))

export const FILE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'application/pdf', 'text/plain'] as const
/** What a file is, by its content: its name and what its sender calls it count for nothing. */
export const FileType = z.enum(FILE_TYPES)
export type FileType = z.infer<typeof FileType>

/** What a file is called: one line that is no path. */
export const FileName = z
  .string()
  .transform((name) =>
    name
      .replaceAll(/[\p{Cc}\p{Cf}/\\]+/gu, ' ')
      .toWellFormed()
      .trim(),
  )
  .pipe(z.string().min(1).max(MAX_FILE_NAME_CHARACTERS))

/** A file that was sent; in a message it is the AI SDK's `file` part, whose `url` is `/api/v1/files/{id}`. */
export const StoredFile = z.object({
  id: FileId.describe('For `attachments` of a prompt, within an hour.'),
  name: z.string(),
  mediaType: FileType,
  bytes: z.number().int(),
  isCut: z.boolean().describe('Whether only its first 16,000 characters are read.'),
})
export type StoredFile = z.infer<typeof StoredFile>

/** What an agent takes beside words: nothing, texts (and PDFs, of which it reads the text), or pictures too. */
export const Takes = z.enum(['nothing', 'texts', 'pictures'])
export type Takes = z.infer<typeof Takes>

export const filePath = (id: string): string => `/api/v1/files/${id}`

/** The id in the `url` of a `file` part; undefined for anything else. */
export function fileIdOf(url: string): string | undefined {
  return FileId.safeParse(/^\/api\/v1\/files\/(.+)$/.exec(url)?.[1]).data
}
