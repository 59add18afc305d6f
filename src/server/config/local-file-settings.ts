import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ModelSource } from '../local-runtime/model-source.ts'
import { text } from './setting-schemas.ts'

const ADDRESS = /^https?:\/\//

export const ggufFile = text.refine((value) => !ADDRESS.test(value) || URL.canParse(value), 'must be an address or the path of a file')

export const checksum = text.regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits in lower case')

export function localFileMistakes(name: string, file: string | undefined, sha256: string | undefined): string[] {
  if (!file) return sha256 ? [`${name}_SHA256 needs ${name}_URL`] : []
  if (ADDRESS.test(file)) return sha256 ? [] : [`${name}_SHA256 is missing, the address in ${name}_URL needs it`]
  return existsSync(file) ? [] : [`${name}_URL names no file`]
}

/** Where the file is. Requires that `localFileMistakes` found none. */
export function localSource(file: string, sha256: string | undefined): ModelSource {
  if (!ADDRESS.test(file)) return { kind: 'file', path: resolve(file), sha256: sha256 ?? null }
  return { kind: 'fetched', url: file, sha256: sha256 as string }
}
