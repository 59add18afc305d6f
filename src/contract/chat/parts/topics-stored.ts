import { z } from 'zod'
import { textUpTo } from './export-fields.ts'
import type { StoredPartDefinition } from './stored-part-definition.ts'
import { topicsChunk, TOPICS_TYPE, type TopicsPart } from './topics.ts'

const schema = z.object({
  type: z.literal(TOPICS_TYPE),
  data: z.object({ topics: z.array(textUpTo(500)).max(50) }),
})

export const storedTopics: StoredPartDefinition<TopicsPart, typeof schema> = {
  toChunks: ({ data }) => [topicsChunk(data.topics)],
  schema,
  toMarkdown: () => [],
  toShared: () => null,
}
