export type ModelSource = { kind: 'file'; path: string; sha256: string | null } | { kind: 'fetched'; url: string; sha256: string }

export function nameOfSource(source: ModelSource): string {
  const path = source.kind === 'file' ? source.path : decodeURIComponent(new URL(source.url).pathname)
  return (path.split(/[/\\]/).at(-1) ?? '').replace(/\.gguf$/i, '') || 'local'
}
