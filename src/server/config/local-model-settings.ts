import type { z } from 'zod'
import type { ModelSettings } from '../answering/agents/agent.ts'
import { checksum, ggufFile, localFileMistakes, localSource } from './local-file-settings.ts'

const DEFAULT_CONTEXT_TOKENS = 8_192

/** The settings of `MODEL=local`. */
export const LOCAL_MODEL_ENVIRONMENT = {
  LOCAL_MODEL_URL: ggufFile
    .optional()
    .describe(
      'GGUF file for `MODEL=local`: its download address, or its path on this machine. By default, Qwen3-0.6B (640 MB) is downloaded to `DATA_DIR`.',
    ),
  LOCAL_MODEL_SHA256: checksum
    .optional()
    .describe('SHA-256 checksum of the GGUF file for `MODEL=local`. Required with a download address.'),
}
type LocalModelEnvironment = z.infer<z.ZodObject<typeof LOCAL_MODEL_ENVIRONMENT>>

/** Mistakes in the combination of these settings. */
export function localModelMistakes({ LOCAL_MODEL_URL, LOCAL_MODEL_SHA256 }: LocalModelEnvironment): string[] {
  return localFileMistakes('LOCAL_MODEL', LOCAL_MODEL_URL, LOCAL_MODEL_SHA256)
}

/** @param contextTokens Context window that the operator chose, if any. */
export function localModelOf(
  { LOCAL_MODEL_URL: file, LOCAL_MODEL_SHA256: sha256 }: LocalModelEnvironment,
  contextTokens: number = DEFAULT_CONTEXT_TOKENS,
): ModelSettings {
  return { kind: 'local', source: file ? localSource(file, sha256) : null, contextTokens }
}
