import { z } from 'zod'
import type { EmbeddingSettings } from '../knowledge/embeddings/embed.ts'
import { prefixesOf } from '../knowledge/embeddings/prefixes.ts'
import type { RerankSettings } from '../knowledge/retrieval/rerank.ts'
import { nameOfSource } from '../local-runtime/model-source.ts'
import { checksum, ggufFile, localFileMistakes, localSource } from './local-file-settings.ts'
import { text, url } from './setting-schemas.ts'

/** Value of `EMBEDDING_MODEL` that runs a model on this server. */
const LOCAL = 'local'
// Visitors would notice a longer delay.
const RERANK_LIMIT_MS = 300

export const KNOWLEDGE_ENVIRONMENT = {
  KNOWLEDGE_INDEX: z
    .enum(['process', 'database'], 'must be process or database')
    .default('process')
    .describe(
      'Location of the knowledge index: `process` builds one in each process, `database` shares one in the PostgreSQL of `DATABASE_URL`. With `EMBEDDING_MODEL`, `database` requires pgvector.',
    ),
  EMBEDDING_MODEL: text
    .max(200)
    .optional()
    .describe(
      'Embedding model for semantic search of the knowledge. `local` runs one on this server. Without it, search uses keywords only.',
    ),
  EMBEDDING_BASE_URL: url(/^https?$/, 'http://localhost:11434/v1')
    .optional()
    .describe('OpenAI-compatible endpoint of `EMBEDDING_MODEL`. It receives the knowledge and agents’ search queries.'),
  EMBEDDING_API_KEY: text.optional().describe('API key for `EMBEDDING_BASE_URL`.'),
  LOCAL_EMBEDDING_URL: ggufFile
    .optional()
    .describe('GGUF file for `EMBEDDING_MODEL=local`: its download address, or its path on this machine. Downloaded once to `DATA_DIR`.'),
  LOCAL_EMBEDDING_SHA256: checksum
    .optional()
    .describe('SHA-256 checksum of the GGUF file for `EMBEDDING_MODEL=local`. Required with a download address.'),
  RERANK_MODEL: text
    .max(200)
    .optional()
    .describe('Reranking model for the top 30 passages of a search. If it takes more than 300 ms, the original order is used.'),
  RERANK_BASE_URL: url(/^https?$/, 'http://localhost:8080/v1')
    .optional()
    .describe(
      'Base URL of `RERANK_MODEL`, with a `POST /rerank` endpoint as in Jina, Cohere, vLLM and llama.cpp. It receives queries and passages.',
    ),
  RERANK_API_KEY: text.optional().describe('API key for `RERANK_BASE_URL`.'),
}

type KnowledgeEnvironment = z.infer<z.ZodObject<typeof KNOWLEDGE_ENVIRONMENT>>

/** Mistakes in the combination of these settings. */
export function knowledgeMistakes(environment: KnowledgeEnvironment & { DATABASE_URL?: string | undefined }): string[] {
  const lacksDatabase = environment.KNOWLEDGE_INDEX === 'database' && !environment.DATABASE_URL
  const ofIndex = lacksDatabase ? ['KNOWLEDGE_INDEX=database needs DATABASE_URL'] : []
  const ofEmbedding = environment.EMBEDDING_MODEL === LOCAL ? localMistakes(environment) : endpointMistakes(environment)
  return [...ofIndex, ...ofEmbedding, ...serviceMistakes(environment, 'RERANK')]
}

function localMistakes(environment: KnowledgeEnvironment): string[] {
  const { LOCAL_EMBEDDING_URL: file, LOCAL_EMBEDDING_SHA256: sha256 } = environment
  const mistakes = localFileMistakes('LOCAL_EMBEDDING', file, sha256)
  if (environment.EMBEDDING_BASE_URL || environment.EMBEDDING_API_KEY)
    mistakes.push('EMBEDDING_MODEL=local needs no EMBEDDING_BASE_URL and no EMBEDDING_API_KEY, take them away')
  if (!file) mistakes.push('EMBEDDING_MODEL=local needs LOCAL_EMBEDDING_URL')
  return mistakes
}

function endpointMistakes(environment: KnowledgeEnvironment): string[] {
  const mistakes = serviceMistakes(environment, 'EMBEDDING')
  for (const name of ['LOCAL_EMBEDDING_URL', 'LOCAL_EMBEDDING_SHA256'] as const)
    if (environment[name]) mistakes.push(`${name} needs EMBEDDING_MODEL=local`)
  return mistakes
}

function serviceMistakes(environment: KnowledgeEnvironment, service: 'EMBEDDING' | 'RERANK'): string[] {
  const [model, baseUrl, key] = ([`${service}_MODEL`, `${service}_BASE_URL`, `${service}_API_KEY`] as const).map(
    (name) => environment[name],
  )
  if (model && !baseUrl) return [`${service}_BASE_URL is missing: ${service}_MODEL needs it`]
  if (model) return []
  return baseUrl || key ? [`${service}_MODEL is missing: name the model of ${service}_BASE_URL`] : []
}

/** `null` for keyword search only. */
export function embeddingOf(environment: KnowledgeEnvironment): EmbeddingSettings | null {
  const { EMBEDDING_MODEL: model, EMBEDDING_BASE_URL: baseUrl, EMBEDDING_API_KEY: apiKey, LOCAL_EMBEDDING_URL: file } = environment
  if (model === LOCAL && file) {
    const source = localSource(file, environment.LOCAL_EMBEDDING_SHA256)
    return { kind: 'local', source, prefixes: prefixesOf(nameOfSource(source)) }
  }
  return model && baseUrl ? { kind: 'endpoint', model, baseUrl, apiKey: apiKey ?? null, prefixes: prefixesOf(model) } : null
}

/** `null` if there is no reranker. */
export function rerankOf({ RERANK_MODEL, RERANK_BASE_URL, RERANK_API_KEY }: KnowledgeEnvironment): RerankSettings | null {
  if (!RERANK_MODEL || !RERANK_BASE_URL) return null
  return { model: RERANK_MODEL, baseUrl: RERANK_BASE_URL, apiKey: RERANK_API_KEY ?? null, limitMs: RERANK_LIMIT_MS }
}
