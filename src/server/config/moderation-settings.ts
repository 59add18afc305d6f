import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import type { ModerationSettings } from '../agent/moderation/moderator.ts'
import { text, url } from './setting-schemas.ts'

/** What checks prompts and answers. */
export const MODERATION_ENVIRONMENT = {
  MODERATION_URL: url(/^https?$/, 'https://api.openai.com/v1/moderations')
    .optional()
    .describe('Endpoint of the form of OpenAI’s moderations, which is sent what is written and answered, and says what may not be.'),
  MODERATION_API_KEY: text.optional().describe('Key for it.'),
  MODERATION_MODEL: text.max(200).optional().describe('Model that it is to use; its own choice when unset.'),
  MODERATION_WORDS: text.optional().describe('File of words and phrases that may be neither written nor answered, one a line.'),
  MODERATION_AWAY: z
    .enum(['closed', 'open'], 'must be closed or open')
    .default('closed')
    .describe('While the endpoint does not answer: `closed` rejects prompts and ends answers, `open` lets them pass.'),
}

type ModerationEnvironment = z.infer<z.ZodObject<typeof MODERATION_ENVIRONMENT>>

export function moderationMistakes({ MODERATION_URL, MODERATION_API_KEY, MODERATION_WORDS }: ModerationEnvironment): string[] {
  const mistakes: string[] = []
  if (MODERATION_API_KEY && !MODERATION_URL) mistakes.push('MODERATION_API_KEY needs MODERATION_URL')
  if (MODERATION_WORDS && !existsSync(MODERATION_WORDS)) mistakes.push('MODERATION_WORDS names no file')
  return mistakes
}

/** Null where nothing is checked. */
export function moderationSettings(environment: ModerationEnvironment): ModerationSettings | null {
  const { MODERATION_URL, MODERATION_API_KEY, MODERATION_MODEL, MODERATION_WORDS, MODERATION_AWAY: whenAway } = environment
  if (!MODERATION_URL && !MODERATION_WORDS) return null
  return {
    endpoint: MODERATION_URL ? { url: MODERATION_URL, apiKey: MODERATION_API_KEY ?? null, model: MODERATION_MODEL ?? null } : null,
    checkedBy: MODERATION_URL ? new URL(MODERATION_URL).host : null,
    wordsFile: MODERATION_WORDS ? resolve(MODERATION_WORDS) : null,
    whenAway,
  }
}
