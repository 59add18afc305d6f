/** Which GGUF file is the local model: one of this machine, or one that is fetched. */
export type ModelSource = { kind: 'file'; path: string; sha256: string | null } | { kind: 'fetched'; url: string; sha256: string }

export interface LocalModelSettings {
  /** Null for the one below. */
  source: ModelSource | null
  /** What it may read and write for an answer together, in tokens. */
  contextTokens: number
}

/** The usual one, 639,446,688 bytes. */
const USUAL = {
  kind: 'fetched',
  url: 'https://huggingface.co/Qwen/Qwen3-0.6B-GGUF/resolve/main/Qwen3-0.6B-Q8_0.gguf',
  sha256: '9465e63a22add5354d9bb4b99e90117043c7124007664907259bd16d043bb031',
} as const satisfies ModelSource

export function sourceOf({ source }: Pick<LocalModelSettings, 'source'>): ModelSource {
  return source ?? USUAL
}

/** What to call it: its file's name without what follows the last dot. */
export function nameOfSource(source: ModelSource): string {
  const path = source.kind === 'file' ? source.path : decodeURIComponent(new URL(source.url).pathname)
  return (path.split(/[/\\]/).at(-1) ?? '').replace(/\.gguf$/i, '') || 'local'
}
