import { z } from 'zod'
import { MessageText } from './export-fields.ts'
import type { StoredPartDefinition } from './stored-part-definition.ts'
import type { TextPart } from './text.ts'

const schema = z.object({ type: z.literal('text'), text: MessageText })

export const storedText: StoredPartDefinition<TextPart, typeof schema> = {
  toChunks: ({ text, providerMetadata }, id) => [
    { type: 'text-start', id, ...(providerMetadata && { providerMetadata }) },
    { type: 'text-delta', id, delta: text },
    { type: 'text-end', id },
  ],
  schema,
  toMarkdown: ({ text }) => (text === '' ? [] : [text]),
  toShared: ({ text }) => (text === '' ? null : { type: 'text', text }),
}
