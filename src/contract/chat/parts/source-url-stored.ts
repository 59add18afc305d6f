import { z } from 'zod'
import { ShortText, textUpTo } from './export-fields.ts'
import type { StoredPartDefinition } from './stored-part-definition.ts'
import type { SourceUrlPart } from './source-url.ts'

const schema = z.object({
  type: z.literal('source-url'),
  sourceId: ShortText,
  url: z.url({ protocol: /^https?$/ }).max(2_000),
  title: textUpTo(500).optional(),
})

export const storedSourceUrl: StoredPartDefinition<SourceUrlPart, typeof schema> = {
  toChunks: (part) => [part],
  schema,
  // Listed below the message.
  toMarkdown: () => [],
  toShared: ({ sourceId, url, title }) => ({ type: 'source-url', sourceId, url, ...(title && { title }) }),
}
