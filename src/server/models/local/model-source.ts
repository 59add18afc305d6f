import type { ModelSource } from '../../local-runtime/model-source.ts'

export interface LocalModelSettings {
  /** `null` for the default below. */
  source: ModelSource | null
  /** Context size in tokens, for input and output. */
  contextTokens: number
}

/** 639,446,688 bytes. */
const DEFAULT_SOURCE = {
  kind: 'fetched',
  url: 'https://huggingface.co/Qwen/Qwen3-0.6B-GGUF/resolve/main/Qwen3-0.6B-Q8_0.gguf',
  sha256: '9465e63a22add5354d9bb4b99e90117043c7124007664907259bd16d043bb031',
} as const satisfies ModelSource

export function sourceOf({ source }: Pick<LocalModelSettings, 'source'>): ModelSource {
  return source ?? DEFAULT_SOURCE
}
