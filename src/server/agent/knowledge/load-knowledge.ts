import { opendir, realpath } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { fillIn } from '../placeholders.ts'
import { readTextFile } from '../read-regular-file.ts'
import { type Passage, passagesOf } from './passages.ts'

const MAX_FILES = 500
const MAX_FILE_BYTES = 1024 * 1024
/** Folders below the knowledge folder. */
const MAX_DEPTH = 8

export interface LoadKnowledgeOptions {
  directory: string
  /** Folders below it to read, `.` for all of it, which is the default. */
  folders?: readonly string[]
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
  const files = await filesOf(root, options)
  if (files.length > MAX_FILES) options.onWarning(`The knowledge folder holds more than ${MAX_FILES} files; the rest is left out.`)
  const passages: Passage[] = []
  for (const path of files.slice(0, MAX_FILES)) passages.push(...(await loadFile(root, path, options)))
  return passages
}

/** The files of all folders, each once. */
async function filesOf(root: string, { folders = ['.'], onWarning }: LoadKnowledgeOptions): Promise<string[]> {
  const files = new Set<string>()
  for (const folder of folders) {
    const path = join(root, folder)
    // A folder that is a link would lead out.
    const isOwn = (await realpath(path).catch(() => undefined)) === path
    if (isOwn) for (const file of await listFiles(path, 0, onWarning)) files.add(file)
    else onWarning(`The knowledge folder has no folder ${folder}.`)
  }
  return [...files].toSorted()
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
      fillIn(await readTextFile(path, MAX_FILE_BYTES), values, (name) => onWarning(`${file}: the placeholder {{${name}}} is not known.`)),
    )
  } catch (cause) {
    onWarning(`${file}: left out of the knowledge. ${cause instanceof Error ? cause.message : ''}`.trim(), cause)
    return []
  }
}
