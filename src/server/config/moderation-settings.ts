import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { z } from 'zod'
import type { ModerationSettings } from '../safety/moderation/moderator.ts'
import { oneOf, text, url } from './setting-schemas.ts'

export const MODERATION_ENVIRONMENT = {
  MODERATION_URL: url(/^https?$/, 'https://api.openai.com/v1/moderations')
    .optional()
    .describe('OpenAI-compatible moderation endpoint. It receives prompts and answers, and flags those to block.'),
  MODERATION_API_KEY: text.optional().describe('API key for `MODERATION_URL`.'),
  MODERATION_MODEL: text.max(200).optional().describe('Moderation model. The endpoint’s default if unset.'),
  MODERATION_WORDS: text.optional().describe('File of words and phrases to block in prompts and answers, one per line.'),
  MODERATION_AWAY: oneOf('closed', 'open')
    .default('closed')
    .describe(
      'Behaviour while the moderation endpoint is unavailable: `closed` rejects prompts and ends answers, `open` lets them through.',
    ),
}

type ModerationEnvironment = z.infer<z.ZodObject<typeof MODERATION_ENVIRONMENT>>

export function moderationMistakes({ MODERATION_URL, MODERATION_API_KEY, MODERATION_WORDS }: ModerationEnvironment): string[] {
  const mistakes: string[] = []
  if (MODERATION_API_KEY && !MODERATION_URL) mistakes.push('MODERATION_API_KEY needs MODERATION_URL')
  if (MODERATION_WORDS && !existsSync(MODERATION_WORDS)) mistakes.push('MODERATION_WORDS names no file')
  return mistakes
}

/** `null` if moderation is off. */
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
