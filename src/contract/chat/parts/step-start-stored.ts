import { z } from 'zod'
import type { StoredPartDefinition } from './stored-part-definition.ts'
import type { StepStartPart } from './step-start.ts'

const schema = z.object({ type: z.literal('step-start') })

export const storedStepStart: StoredPartDefinition<StepStartPart, typeof schema> = {
  toChunks: () => [{ type: 'start-step' }],
  schema,
  toMarkdown: () => [],
  toShared: () => null,
}
