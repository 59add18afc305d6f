import type { z } from 'zod'
import type { EmbeddingSettings } from './knowledge/embeddings/embed.ts'
import type { RerankSettings } from './knowledge/retrieval/rerank.ts'
import { text, url } from './setting-forms.ts'

/** Longer, and visitors would notice. */
const RERANK_LIMIT_MS = 300

/** How language models search the knowledge beyond words. */
export const KNOWLEDGE_ENVIRONMENT = {
  EMBEDDING_MODEL: text
    .max(200)
    .optional()
    .describe('Embedding model with which the knowledge is searched by meaning; without it, by words alone.'),
  EMBEDDING_BASE_URL: url(/^https?$/, 'http://localhost:11434/v1')
    .optional()
    .describe('OpenAI-compatible endpoint of EMBEDDING_MODEL. It receives the knowledge, and what agents search in it.'),
  EMBEDDING_API_KEY: text.optional().describe('Key for EMBEDDING_BASE_URL.'),
  RERANK_MODEL: text
    .max(200)
    .optional()
    .describe('Reranking model that orders the best 30 passages of a search; when it takes more than 300 ms, the order stays.'),
  RERANK_BASE_URL: url(/^https?$/, 'http://localhost:8080/v1')
    .optional()
    .describe(
      'Endpoint of RERANK_MODEL with `POST /rerank`, as Jina, Cohere, vLLM and llama.cpp have it. It receives queries and passages.',
    ),
  RERANK_API_KEY: text.optional().describe('Key for RERANK_BASE_URL.'),
}
type KnowledgeEnvironment = z.infer<z.ZodObject<typeof KNOWLEDGE_ENVIRONMENT>>

/** What is wrong with them together. */
export function knowledgeMistakes(environment: KnowledgeEnvironment): string[] {
  return [...serviceMistakes(environment, 'EMBEDDING'), ...serviceMistakes(environment, 'RERANK')]
}

function serviceMistakes(environment: KnowledgeEnvironment, service: 'EMBEDDING' | 'RERANK'): string[] {
  const [model, baseUrl, key] = ([`${service}_MODEL`, `${service}_BASE_URL`, `${service}_API_KEY`] as const).map(
    (name) => environment[name],
  )
  if (model && !baseUrl) return [`${service}_BASE_URL is missing, ${service}_MODEL needs it`]
  if (model) return []
  return baseUrl || key ? [`${service}_MODEL is missing, name the model of ${service}_BASE_URL`] : []
}

/** Null where the knowledge is searched by words alone. */
export function embeddingOf({ EMBEDDING_MODEL, EMBEDDING_BASE_URL, EMBEDDING_API_KEY }: KnowledgeEnvironment): EmbeddingSettings | null {
  if (!EMBEDDING_MODEL || !EMBEDDING_BASE_URL) return null
  return { model: EMBEDDING_MODEL, baseUrl: EMBEDDING_BASE_URL, apiKey: EMBEDDING_API_KEY ?? null }
}

/** Null where nothing reranks. */
export function rerankOf({ RERANK_MODEL, RERANK_BASE_URL, RERANK_API_KEY }: KnowledgeEnvironment): RerankSettings | null {
  if (!RERANK_MODEL || !RERANK_BASE_URL) return null
  return { model: RERANK_MODEL, baseUrl: RERANK_BASE_URL, apiKey: RERANK_API_KEY ?? null, limitMs: RERANK_LIMIT_MS }
}
