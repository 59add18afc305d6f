import { z } from 'zod'
import { ShortText, textUpTo } from './export-fields.ts'
import type { StoredPartDefinition } from './stored-part-definition.ts'
import type { FilePart } from './file.ts'
import { singleLine } from './markdown-blocks.ts'

const schema = z.object({
  type: z.literal('file'),
  mediaType: ShortText,
  filename: textUpTo(200).optional(),
  url: z.string().max(200).optional().describe('Ends with the id that begins the file’s name in `files/`.'),
})

export const storedFile: StoredPartDefinition<FilePart, typeof schema> = {
  toChunks: (part) => [part],
  schema,
  // `parley.json` holds no contents of files, so an import can only store the name.
  fromExport: ({ filename, mediaType }) => ({ type: 'text', text: `[${filename ?? mediaType}]\n` }),
  toMarkdown: ({ filename, mediaType }) => [`- File: ${singleLine(filename ?? mediaType)}`],
  toShared: () => null,
}
