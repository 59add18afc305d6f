import type { z } from 'zod'
import type { EmbeddingSettings } from './agent/agent.ts'
import { text, url } from './setting-forms.ts'

/** The settings by which the knowledge is searched by meaning too. */
export const EMBEDDING_ENVIRONMENT = {
  EMBEDDING_MODEL: text
    .max(200)
    .optional()
    .describe('Model that tells how near texts are in meaning; the knowledge is searched by words alone without it.'),
  EMBEDDING_BASE_URL: url(/^https?$/, 'http://localhost:11434/v1')
    .optional()
    .describe('Endpoint of EMBEDDING_MODEL, which speaks the OpenAI protocol. It is sent the knowledge, and what agents search in it.'),
  EMBEDDING_API_KEY: text.optional().describe('Key for that.'),
}
type EmbeddingEnvironment = z.infer<z.ZodObject<typeof EMBEDDING_ENVIRONMENT>>

/** What is wrong with them together. */
export function embeddingMistakes({ EMBEDDING_MODEL, EMBEDDING_BASE_URL, EMBEDDING_API_KEY }: EmbeddingEnvironment): string[] {
  if (EMBEDDING_MODEL && !EMBEDDING_BASE_URL) return ['EMBEDDING_BASE_URL is missing, EMBEDDING_MODEL needs it']
  if (EMBEDDING_MODEL) return []
  return EMBEDDING_BASE_URL || EMBEDDING_API_KEY ? ['EMBEDDING_MODEL is missing, name the model of EMBEDDING_BASE_URL'] : []
}

/** Null where the knowledge is searched by words alone. */
export function embeddingOf({ EMBEDDING_MODEL, EMBEDDING_BASE_URL, EMBEDDING_API_KEY }: EmbeddingEnvironment): EmbeddingSettings | null {
  if (!EMBEDDING_MODEL || !EMBEDDING_BASE_URL) return null
  return { model: EMBEDDING_MODEL, baseUrl: EMBEDDING_BASE_URL, apiKey: EMBEDDING_API_KEY ?? null }
}
