import type { z } from 'zod'
import type { EmbeddingSettings } from '../knowledge/embeddings/embed.ts'
import { prefixesOf } from '../knowledge/embeddings/prefixes.ts'
import { nameOfSource } from '../local-runtime/model-source.ts'
import { checksum, ggufFile, localFileMistakes, localSource } from './local-file-settings.ts'
import { text, url } from './setting-schemas.ts'

/** Value of `EMBEDDING_MODEL` that runs a model on this server. */
const LOCAL = 'local'

export const KNOWLEDGE_ENVIRONMENT = {
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
}

type KnowledgeEnvironment = z.infer<z.ZodObject<typeof KNOWLEDGE_ENVIRONMENT>>

/** Mistakes in the combination of these settings. */
export function knowledgeMistakes(environment: KnowledgeEnvironment): string[] {
  return environment.EMBEDDING_MODEL === LOCAL ? localMistakes(environment) : endpointMistakes(environment)
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
  const { EMBEDDING_MODEL: model, EMBEDDING_BASE_URL: baseUrl, EMBEDDING_API_KEY: key } = environment
  const mistakes: string[] = []
  if (model && !baseUrl) mistakes.push('EMBEDDING_BASE_URL is missing: EMBEDDING_MODEL needs it')
  if (!model && (baseUrl || key)) mistakes.push('EMBEDDING_MODEL is missing: name the model of EMBEDDING_BASE_URL')
  for (const name of ['LOCAL_EMBEDDING_URL', 'LOCAL_EMBEDDING_SHA256'] as const)
    if (environment[name]) mistakes.push(`${name} needs EMBEDDING_MODEL=local`)
  return mistakes
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
