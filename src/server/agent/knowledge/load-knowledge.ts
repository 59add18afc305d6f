import { constants } from 'node:fs'
import { open, opendir, realpath } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { type Passage, passagesOf } from './passages.ts'

const MAX_FILES = 500
const MAX_FILE_BYTES = 1024 * 1024
/** Folders below the knowledge folder. */
const MAX_DEPTH = 8

export interface LoadKnowledgeOptions {
  directory: string
  /** Values of the placeholders `{{name}}` in the files; an unknown placeholder is left as it is, and said. */
  values: Readonly<Record<string, string>>
  onWarning: (message: string, cause?: unknown) => void
}

/**
 * The passages of all `.md` and `.txt` files in a folder, in the order of their paths.
 * Only regular files inside the folder, of at most 1 MB; what cannot be read is named by `onWarning` and left out.
 */
export async function loadKnowledge(options: LoadKnowledgeOptions): Promise<Passage[]> {
  const root = await realpath(options.directory).catch((cause: unknown) => {
    options.onWarning('The knowledge folder cannot be read.', cause)
    return undefined
  })
  if (root === undefined) return []
  const files = await listFiles(root, 0, options.onWarning)
  if (files.length > MAX_FILES) options.onWarning(`The knowledge folder holds more than ${MAX_FILES} files; the rest is left out.`)
  const passages: Passage[] = []
  for (const path of files.slice(0, MAX_FILES)) passages.push(...(await loadFile(root, path, options)))
  return passages
}

async function listFiles(directory: string, depth: number, onWarning: LoadKnowledgeOptions['onWarning']): Promise<string[]> {
  const files: string[] = []
  const folders: string[] = []
  for await (const entry of await opendir(directory)) {
    const path = join(directory, entry.name)
    if (entry.name.startsWith('.')) continue
    if (entry.isDirectory()) folders.push(path)
    else if (/\.(md|txt)$/i.test(entry.name)) files.push(path)
    if (files.length > MAX_FILES) break
  }
  if (folders.length > 0 && depth >= MAX_DEPTH) onWarning('The knowledge folder is nested too deeply; the deepest folders are left out.')
  else for (const folder of folders.toSorted().slice(0, MAX_FILES)) files.push(...(await listFiles(folder, depth + 1, onWarning)))
  return files.toSorted()
}

async function loadFile(root: string, path: string, { values, onWarning }: LoadKnowledgeOptions): Promise<Passage[]> {
  const file = relative(root, path).split(sep).join('/')
  try {
    return passagesOf(
      file,
      fillIn(await readRegularFile(path), values, (name) => onWarning(`${file}: the placeholder {{${name}}} is not known.`)),
    )
  } catch (cause) {
    onWarning(`${file}: left out of the knowledge. ${cause instanceof Error ? cause.message : ''}`.trim(), cause)
    return []
  }
}

async function readRegularFile(path: string): Promise<string> {
  // A link is not followed, and a pipe is not waited for: both are refused before a byte is read.
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const stats = await handle.stat()
    if (!stats.isFile()) throw new Error('It is not a regular file.')
    if (stats.size > MAX_FILE_BYTES) throw new Error('It is larger than 1 MB.')
    const bytes = Buffer.alloc(stats.size)
    const { bytesRead } = await handle.read(bytes, 0, stats.size, 0)
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, bytesRead))
  } finally {
    await handle.close()
  }
}

function fillIn(text: string, values: Readonly<Record<string, string>>, onUnknown: (name: string) => void): string {
  return text.replace(/\{\{(\w+)\}\}/g, (placeholder, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value === undefined) onUnknown(name)
    return value ?? placeholder
  })
}
