import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import type { EmbeddingSettings } from '../knowledge/embeddings/embed.ts'
import { type Prefixes, prefixesOf } from '../knowledge/embeddings/prefixes.ts'
import type { RerankSettings } from '../knowledge/retrieval/rerank.ts'
import { type ModelSource, nameOfSource } from '../local-runtime/model-source.ts'
import { text, url } from './setting-schemas.ts'

/** EMBEDDING_MODEL for a model of this machine. */
const LOCAL = 'local'
/** Longer, and visitors would notice. */
const RERANK_LIMIT_MS = 300

/** How the knowledge is searched. */
export const KNOWLEDGE_ENVIRONMENT = {
  KNOWLEDGE_INDEX: z
    .enum(['process', 'database'], 'must be process or database')
    .default('process')
    .describe(
      'Where the index of the knowledge is: in each process, or in the PostgreSQL of DATABASE_URL, for all processes. With EMBEDDING_MODEL, `database` needs pgvector.',
    ),
  EMBEDDING_MODEL: text
    .max(200)
    .optional()
    .describe('Embedding model with which the knowledge is searched by meaning; without it, by words alone. `local` runs one here.'),
  EMBEDDING_BASE_URL: url(/^https?$/, 'http://localhost:11434/v1')
    .optional()
    .describe('OpenAI-compatible endpoint of EMBEDDING_MODEL. It receives the knowledge, and what agents search in it.'),
  EMBEDDING_API_KEY: text.optional().describe('Key for EMBEDDING_BASE_URL.'),
  EMBEDDING_QUERY_PREFIX: text
    .max(200)
    .optional()
    .describe(
      'What the embedding model needs before a query; by default what the models e5, nomic-embed and arctic-embed need, by name. `none` for nothing.',
    ),
  EMBEDDING_PASSAGE_PREFIX: text.max(200).optional().describe('The same before a passage.'),
  LOCAL_EMBEDDING_FILE: text.optional().describe('GGUF file of EMBEDDING_MODEL=local, of this machine.'),
  LOCAL_EMBEDDING_URL: url(/^https?$/, 'https://example.org/model.gguf')
    .optional()
    .describe('Where it is fetched from instead, once, into DATA_DIR.'),
  LOCAL_EMBEDDING_SHA256: text
    .regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits in lower case')
    .optional()
    .describe('Checksum of either file; LOCAL_EMBEDDING_URL needs it.'),
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
export function knowledgeMistakes(environment: KnowledgeEnvironment & { DATABASE_URL?: string | undefined }): string[] {
  const lacksDatabase = environment.KNOWLEDGE_INDEX === 'database' && !environment.DATABASE_URL
  const ofIndex = lacksDatabase ? ['KNOWLEDGE_INDEX=database needs DATABASE_URL'] : []
  const ofEmbedding = environment.EMBEDDING_MODEL === LOCAL ? localMistakes(environment) : endpointMistakes(environment)
  return [...ofIndex, ...ofEmbedding, ...serviceMistakes(environment, 'RERANK')]
}

function localMistakes(environment: KnowledgeEnvironment): string[] {
  const { LOCAL_EMBEDDING_FILE: file, LOCAL_EMBEDDING_URL: address, LOCAL_EMBEDDING_SHA256: sha256 } = environment
  const mistakes: string[] = []
  if (environment.EMBEDDING_BASE_URL || environment.EMBEDDING_API_KEY)
    mistakes.push('EMBEDDING_MODEL=local needs no EMBEDDING_BASE_URL and no EMBEDDING_API_KEY, take them away')
  if (!file && !address)
    mistakes.push('EMBEDDING_MODEL=local needs LOCAL_EMBEDDING_FILE, or LOCAL_EMBEDDING_URL with LOCAL_EMBEDDING_SHA256')
  if (file && address) mistakes.push('LOCAL_EMBEDDING_FILE and LOCAL_EMBEDDING_URL are both set, keep one')
  if (file && !existsSync(file)) mistakes.push('LOCAL_EMBEDDING_FILE names no file')
  if (address && !sha256) mistakes.push('LOCAL_EMBEDDING_SHA256 is missing, LOCAL_EMBEDDING_URL needs it')
  return mistakes
}

function endpointMistakes(environment: KnowledgeEnvironment): string[] {
  const mistakes = serviceMistakes(environment, 'EMBEDDING')
  for (const name of ['LOCAL_EMBEDDING_FILE', 'LOCAL_EMBEDDING_URL', 'LOCAL_EMBEDDING_SHA256'] as const)
    if (environment[name]) mistakes.push(`${name} needs EMBEDDING_MODEL=local`)
  return mistakes
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
export function embeddingOf(environment: KnowledgeEnvironment): EmbeddingSettings | null {
  const { EMBEDDING_MODEL: model, EMBEDDING_BASE_URL: baseUrl, EMBEDDING_API_KEY: apiKey } = environment
  const source = model === LOCAL ? sourceOf(environment) : null
  if (source) return { kind: 'local', source, prefixes: chosenPrefixes(environment, nameOfSource(source)) }
  if (!model || !baseUrl) return null
  return { kind: 'endpoint', model, baseUrl, apiKey: apiKey ?? null, prefixes: chosenPrefixes(environment, model) }
}

function sourceOf(environment: KnowledgeEnvironment): ModelSource | null {
  const { LOCAL_EMBEDDING_FILE: file, LOCAL_EMBEDDING_URL: address, LOCAL_EMBEDDING_SHA256: sha256 } = environment
  if (file) return { kind: 'file', path: resolve(file), sha256: sha256 ?? null }
  return address && sha256 ? { kind: 'fetched', url: address, sha256 } : null
}

function chosenPrefixes(
  { EMBEDDING_QUERY_PREFIX: query, EMBEDDING_PASSAGE_PREFIX: passage }: KnowledgeEnvironment,
  model: string,
): Prefixes {
  const known = prefixesOf(model)
  return { query: chosenPrefix(query, known.query), passage: chosenPrefix(passage, known.passage) }
}

/** The environment cannot hold a space at the end reliably, and models want one there. */
function chosenPrefix(set: string | undefined, known: string): string {
  if (set === undefined) return known
  return set === 'none' ? '' : `${set.trimEnd()} `
}

/** Null where nothing reranks. */
export function rerankOf({ RERANK_MODEL, RERANK_BASE_URL, RERANK_API_KEY }: KnowledgeEnvironment): RerankSettings | null {
  if (!RERANK_MODEL || !RERANK_BASE_URL) return null
  return { model: RERANK_MODEL, baseUrl: RERANK_BASE_URL, apiKey: RERANK_API_KEY ?? null, limitMs: RERANK_LIMIT_MS }
}
