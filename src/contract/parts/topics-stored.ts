import { z } from 'zod'
import { textUpTo } from './export-fields.ts'
import type { StoredPartDefinition } from './stored-part-definition.ts'
import { TOPICS_KIND, type TopicsPart } from './topics.ts'

const schema = z.object({
  type: z.literal('custom'),
  kind: z.literal(TOPICS_KIND),
  providerMetadata: z.object({ parley: z.object({ topics: z.array(textUpTo(500)).max(50) }) }),
})

export const storedTopics: StoredPartDefinition<TopicsPart, typeof schema> = {
  toChunks: (part) => [part],
  schema,
  toMarkdown: () => [],
  toShared: () => null,
}
