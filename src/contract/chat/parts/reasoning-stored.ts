import { z } from 'zod'
import { MessageText, ShortText } from './export-fields.ts'
import type { StoredPartDefinition } from './stored-part-definition.ts'
import { blockQuote } from './markdown-blocks.ts'
import type { ReasoningPart } from './reasoning.ts'

const schema = z.object({ type: z.literal('reasoning'), id: ShortText.optional(), text: MessageText })

export const storedReasoning: StoredPartDefinition<ReasoningPart, typeof schema> = {
  toChunks: ({ id: ownId, text, providerMetadata }, index) => {
    const id = ownId ?? index
    return [
      { type: 'reasoning-start', id, ...(providerMetadata && { providerMetadata }) },
      { type: 'reasoning-delta', id, delta: text },
      { type: 'reasoning-end', id },
    ]
  },
  schema,
  toMarkdown: ({ text }) => (text === '' ? [] : [blockQuote(`Thinking: ${text}`)]),
  toShared: () => null,
}
