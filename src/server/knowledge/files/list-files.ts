import { lstat, opendir, realpath } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { APPROVED_FOLDER } from '../../../contract/chat/approved-folder.ts'
import { formatOf } from '../ingestion/extract/extract.ts'

export const SYNONYMS_FILE = 'synonyms.txt'

/** Documents in formats that can't be read, whose owners would wonder why they are not cited. */
const OTHER_DOCUMENT = /\.(?:docm?|dotx?|ppt|pptm|pps|xls[mb]?|od[gb]|pages|numbers|key|mobi|azw3?|djvu|xps|wp[ds])$/i
const MAX_FILES = 20_000
/** Folders below the knowledge folder. */
const MAX_DEPTH = 8

/** A file that has not been read yet. */
export interface KnowledgeFile {
  path: string
  /** Path inside the knowledge folder, with forward slashes. */
  file: string
  size: number
  mtimeMs: number
}

/** Called with the reason why a file is skipped. */
export type OnProblem = (problem: string) => void

/**
 * The files of a folder that can be knowledge, in the order of their paths. Only regular files inside it, each within its size:
 * links are not followed. Skipped files are reported. An unreadable folder counts as empty.
 */
export async function listFiles(directory: string, onProblem: OnProblem): Promise<KnowledgeFile[]> {
  const root = await realpath(directory).catch(() => undefined)
  if (root === undefined) {
    onProblem(`Reading the knowledge folder ${directory} failed; answering without it. KNOWLEDGE_DIR names another one.`)
    return []
  }
  const files: KnowledgeFile[] = []
  await list(root, root, 0, files, onProblem)
  if (files.length > MAX_FILES) onProblem(`The knowledge folder has more than ${MAX_FILES} files; skipping the rest.`)
  return files.slice(0, MAX_FILES)
}

async function list(root: string, directory: string, depth: number, files: KnowledgeFile[], onProblem: OnProblem): Promise<void> {
  const names: string[] = []
  for await (const { name } of await opendir(directory)) if (!name.startsWith('.')) names.push(name)
  for (const name of names.toSorted()) {
    if (files.length > MAX_FILES) return
    const path = join(directory, name)
    const file = relative(root, path).split(sep).join('/')
    const stats = await lstat(path)
    if (file === APPROVED_FOLDER) continue
    if (stats.isDirectory()) {
      if (depth < MAX_DEPTH) await list(root, path, depth + 1, files, onProblem)
      else onProblem(`${file}: skipped. It is nested too deeply.`)
      continue
    }
    const format = formatOf(name)
    if (OTHER_DOCUMENT.test(name)) onProblem(`${file}: skipped. Save it as .docx, .pptx, .xlsx, OpenDocument or PDF.`)
    if (!format || file === SYNONYMS_FILE) continue
    if (!stats.isFile()) onProblem(`${file}: skipped. It is not a regular file.`)
    else if (stats.size > format.maxBytes) onProblem(`${file}: skipped. It is larger than ${format.maxBytes / 1024 / 1024} MB.`)
    else files.push({ path, file, size: stats.size, mtimeMs: stats.mtimeMs })
  }
}
