import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import type { ModelSettings } from '../agent/agent.ts'
import { text, url } from './setting-schemas.ts'

/** The settings of `MODEL=local`. */
export const LOCAL_MODEL_ENVIRONMENT = {
  LOCAL_MODEL_FILE: text
    .optional()
    .describe('Local GGUF file for `MODEL=local`. Without a file or `LOCAL_MODEL_URL`, Qwen3-0.6B (640 MB) is downloaded to `DATA_DIR`.'),
  LOCAL_MODEL_URL: url(/^https?$/, 'https://example.org/model.gguf')
    .optional()
    .describe('Download URL of the GGUF file for `MODEL=local`. Requires `LOCAL_MODEL_SHA256`.'),
  LOCAL_MODEL_SHA256: text
    .regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits in lower case')
    .optional()
    .describe('SHA-256 checksum of the GGUF file for `MODEL=local`. Required with `LOCAL_MODEL_URL`.'),
  LOCAL_MODEL_CONTEXT: z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(512, 'must be at least 512').max(262_144, 'must be at most 262144'))
    .default(8192)
    .describe('Context window of `MODEL=local` in tokens. A larger window needs more memory.'),
}
type LocalModelEnvironment = z.infer<z.ZodObject<typeof LOCAL_MODEL_ENVIRONMENT>>

/** Mistakes in the combination of these settings. */
export function localModelMistakes({ LOCAL_MODEL_FILE, LOCAL_MODEL_URL, LOCAL_MODEL_SHA256 }: LocalModelEnvironment): string[] {
  const mistakes: string[] = []
  if (LOCAL_MODEL_FILE && LOCAL_MODEL_URL) mistakes.push('LOCAL_MODEL_FILE and LOCAL_MODEL_URL are both set, keep one')
  if (LOCAL_MODEL_FILE && !existsSync(LOCAL_MODEL_FILE)) mistakes.push('LOCAL_MODEL_FILE names no file')
  if (LOCAL_MODEL_URL && !LOCAL_MODEL_SHA256) mistakes.push('LOCAL_MODEL_SHA256 is missing, LOCAL_MODEL_URL needs it')
  if (LOCAL_MODEL_SHA256 && !LOCAL_MODEL_FILE && !LOCAL_MODEL_URL)
    mistakes.push('LOCAL_MODEL_SHA256 needs LOCAL_MODEL_FILE or LOCAL_MODEL_URL')
  return mistakes
}

export function localModelOf(environment: LocalModelEnvironment): ModelSettings {
  const { LOCAL_MODEL_FILE: file, LOCAL_MODEL_URL: address, LOCAL_MODEL_SHA256: sha256, LOCAL_MODEL_CONTEXT: contextTokens } = environment
  if (file) return { kind: 'local', source: { kind: 'file', path: resolve(file), sha256: sha256 ?? null }, contextTokens }
  return { kind: 'local', source: address && sha256 ? { kind: 'fetched', url: address, sha256 } : null, contextTokens }
}
