import { z } from 'zod'
import { EmbedName } from '../../config.ts'
import { MAX_EMBED_PROMPTS } from '../../size-limits.ts'

export const PromptsPerDay = z.int().min(1).max(MAX_EMBED_PROMPTS).describe('Prompts of all its visitors together per day (UTC).')

/** An embed as `embeds.yaml` has it, without its texts in other languages. */
export const EmbedText = z.strictObject({
  agent: z.string().max(64).optional().describe('The only agent that the chat offers; the default agent without it.'),
  origins: z.array(z.string().max(300)).max(50).optional().describe('Sites that may embed it, instead of those in `FRAME_ANCESTORS`.'),
  label: z.string().max(200).optional().describe('Label of the button.'),
  greeting: z.string().max(2_000).optional(),
  starters: z.array(z.string().max(300)).max(6).optional(),
  color: z.string().max(40).optional().describe('A colour like `#14634b`, or one for each theme.'),
  theme: z.enum(['light', 'dark']).optional(),
  promptsPerDay: PromptsPerDay.optional(),
})
export type EmbedText = z.infer<typeof EmbedText>

export const EmbedList = z.object({
  embeds: z.array(
    z.object({
      name: z.string(),
      embed: EmbedText,
      revision: z.int().nullable().describe('Counts the saves; `null` for an embed of `embeds.yaml`, which is only read.'),
    }),
  ),
})
export type EmbedList = z.infer<typeof EmbedList>

export const EmbedToSave = z.strictObject({
  embed: EmbedText,
  basedOn: z.int().min(0).describe('The revision that was changed; 0 for a new embed.'),
})

export const EmbedParams = z.object({ name: EmbedName })
