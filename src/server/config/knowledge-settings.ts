import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import type { EmbeddingSettings } from '../knowledge/embeddings/embed.ts'
import { prefixesOf } from '../knowledge/embeddings/prefixes.ts'
import { nameOfSource } from '../local-runtime/model-source.ts'
import { checksum, ggufFile, localFileMistakes, localSource } from './local-file-settings.ts'
import { text, url } from './setting-schemas.ts'

const LOCAL = 'local'
/** Value of `EMBEDDING_MODEL` that searches by words alone, whatever the server finds. */
const NONE = 'none'
/** Where `npm run embedding-model` puts the model, and its checksum (`scripts/embedding-model`). */
const DEFAULT_FILE = resolve('models/multilingual-e5-small-q4_0.gguf')
const DEFAULT_SHA256 = '9bdbb79436a67d0c8996f3a6b73fb69aa8c8a44d754ff41f40694f22188208e2'

export const KNOWLEDGE_ENVIRONMENT = {
  EMBEDDING_MODEL: text
    .max(200)
    .optional()
    .describe(
      'Embedding model for semantic search of the knowledge. `local` runs one on this server, `none` searches by keywords only. Without it, the server runs the model of `npm run embedding-model` if that is there and the knowledge has at most 20,000 passages.',
    ),
  EMBEDDING_BASE_URL: url(/^https?$/, 'http://localhost:11434/v1')
    .optional()
    .describe(
      'OpenAI-compatible endpoint of `EMBEDDING_MODEL`. It receives the knowledge, the wordings of approved answers, prompts and agents’ search queries.',
    ),
  EMBEDDING_API_KEY: text.optional().describe('API key for `EMBEDDING_BASE_URL`.'),
  LOCAL_EMBEDDING_URL: ggufFile
    .optional()
    .describe(
      'GGUF file for `EMBEDDING_MODEL=local`: its download address, or its path on this machine. Downloaded once to `DATA_DIR`. Without it, the file that `npm run embedding-model` makes.',
    ),
  LOCAL_EMBEDDING_SHA256: checksum
    .optional()
    .describe('SHA-256 checksum of the GGUF file for `EMBEDDING_MODEL=local`. Required with a download address.'),
  BROWSER_URL: url(/^(?:https?|wss?)$/, 'http://localhost:9222')
    .optional()
    .describe(
      'DevTools address of a Chromium that you run, which draws pages of websites whose text is made by scripts. Without it, such pages are listed and not read.',
    ),
  OCR: z
    .literal('tesseract', 'must be tesseract')
    .optional()
    .describe(
      '`tesseract` reads scanned PDFs (files, uploads, attachments) with the installed programs `tesseract` and `pdftoppm`. Without it, they are listed and not read. See [Scans](knowledge.md#scans).',
    ),
}

type KnowledgeEnvironment = z.infer<z.ZodObject<typeof KNOWLEDGE_ENVIRONMENT>>

export function knowledgeMistakes(environment: KnowledgeEnvironment, defaultFile = DEFAULT_FILE): string[] {
  return environment.EMBEDDING_MODEL === LOCAL ? localMistakes(environment, defaultFile) : endpointMistakes(environment)
}

function localMistakes(environment: KnowledgeEnvironment, defaultFile: string): string[] {
  const { LOCAL_EMBEDDING_URL: file, LOCAL_EMBEDDING_SHA256: sha256 } = environment
  const mistakes = localFileMistakes('LOCAL_EMBEDDING', file, sha256)
  if (environment.EMBEDDING_BASE_URL || environment.EMBEDDING_API_KEY)
    mistakes.push('EMBEDDING_MODEL=local needs no EMBEDDING_BASE_URL and no EMBEDDING_API_KEY, take them away')
  if (!file && !existsSync(defaultFile))
    mistakes.push('EMBEDDING_MODEL=local needs LOCAL_EMBEDDING_URL, or the model that npm run embedding-model makes')
  return mistakes
}

function endpointMistakes(environment: KnowledgeEnvironment): string[] {
  const { EMBEDDING_MODEL: model, EMBEDDING_BASE_URL: baseUrl, EMBEDDING_API_KEY: key } = environment
  const mistakes: string[] = []
  if (model === NONE && (baseUrl || key)) mistakes.push('EMBEDDING_MODEL=none needs no EMBEDDING_BASE_URL and no EMBEDDING_API_KEY')
  if (model && model !== NONE && !baseUrl) mistakes.push('EMBEDDING_BASE_URL is missing: EMBEDDING_MODEL needs it')
  if (!model && (baseUrl || key)) mistakes.push('EMBEDDING_MODEL is missing: name the model of EMBEDDING_BASE_URL')
  for (const name of ['LOCAL_EMBEDDING_URL', 'LOCAL_EMBEDDING_SHA256'] as const)
    if (environment[name]) mistakes.push(`${name} needs EMBEDDING_MODEL=local`)
  return mistakes
}

/** `null` for keyword search only. */
export function embeddingOf(environment: KnowledgeEnvironment, defaultFile = DEFAULT_FILE): EmbeddingSettings | null {
  const { EMBEDDING_MODEL: model, EMBEDDING_BASE_URL: baseUrl, EMBEDDING_API_KEY: apiKey, LOCAL_EMBEDDING_URL: file } = environment
  if (model === LOCAL && file) {
    const source = localSource(file, environment.LOCAL_EMBEDDING_SHA256)
    return { kind: 'local', source, prefixes: prefixesOf(nameOfSource(source)), isDefault: false }
  }
  if (model && baseUrl) return { kind: 'endpoint', model, baseUrl, apiKey: apiKey ?? null, prefixes: prefixesOf(model) }
  const isDefault = model === undefined
  if (!(isDefault || model === LOCAL) || !existsSync(defaultFile)) return null
  return { kind: 'local', source: localSource(defaultFile, DEFAULT_SHA256), prefixes: prefixesOf(defaultFile), isDefault }
}

export function lacksDefaultModel(environment: KnowledgeEnvironment): boolean {
  return environment.EMBEDDING_MODEL === undefined && !existsSync(DEFAULT_FILE)
}
