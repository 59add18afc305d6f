import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as Client from '../../src/web/client/client.ts'

/** The package as an installation serves it. */
const CLIENT_PACKAGE = join(import.meta.dirname, '../../dist/web/client.tgz')

/** The module of the packed client, from a folder of its own. */
export async function unpackClient(): Promise<{ folder: string; client: typeof Client }> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-client-'))
  execFileSync('tar', ['-xzf', CLIENT_PACKAGE, '-C', folder])
  const address = pathToFileURL(join(folder, 'package/client.js')).href
  return { folder, client: (await import(/* @vite-ignore */ address)) as typeof Client }
}
