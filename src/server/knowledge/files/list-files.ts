import { lstat, readdir, realpath } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { APPROVED_FOLDER } from '../../../contract/chat/approved-folder.ts'
import { formatOf } from '../ingestion/extract/extract.ts'
import { isInside } from './read-regular-file.ts'

export const SYNONYMS_FILE = 'synonyms.txt'

/** Files that nobody expects to be cited: what pages and documents are built of, Parley's own, and what programs leave behind. */
const OTHER =
  /^sources\.yaml$|\.(?:jpe?g|jfif|png|gif|webp|avif|hei[cf]|svg|ico|bmp|tiff?|psd|ai|eps|s?css|less|[mc]?[jt]sx?|map|woff2?|[ot]tf|eot|mp[34]|m4[av]|mov|avi|webm|mkv|og[gv]|wav|flac|tmp|bak|swp|part|lock|lnk|db|ini)$|~$|(?:^|\/)~\$[^/]*$/i
const MAX_FILES = 20_000
const MAX_NAMED = 50
const MAX_DEPTH = 8

export interface KnowledgeFile {
  path: string
  /** Path inside the knowledge folder, with forward slashes. */
  file: string
  size: number
  mtimeMs: number
}

export type OnProblem = (problem: string) => void

/** Files of a folder that can be knowledge, by path, each once. Follows links to what is hidden inside. Reports what it skips. */
export async function listFiles(directory: string, onProblem: OnProblem): Promise<KnowledgeFile[]> {
  const root = await realpath(directory).catch(() => undefined)
  if (root === undefined) {
    onProblem(`Reading the knowledge folder ${directory} failed; answering without it. KNOWLEDGE_DIR names another one.`)
    return []
  }
  const files: KnowledgeFile[] = []
  /** Paths to which links have led. */
  const followed = new Set<string>()
  let unread = 0
  const skip = (file: string, reason: string) => onProblem(`${file}: skipped. ${reason}`)

  /** `place` is the folder's path as links show it. */
  const list = async (folder: string, place: string, depth: number): Promise<void> => {
    const names = (await readdir(folder)).filter((name) => !name.startsWith('.'))
    for (const name of names.toSorted()) {
      if (files.length > MAX_FILES) return
      // Systems differ in how they write the same letters.
      const file = `${place}${name}`.normalize('NFC')
      if (file !== APPROVED_FOLDER) await listEntry(join(folder, name), file, depth)
    }
  }

  const listEntry = async (path: string, file: string, depth: number): Promise<void> => {
    const stats = await lstat(path)
    if (stats.isSymbolicLink()) return follow(path, file, depth)
    if (stats.isDirectory()) return depth < MAX_DEPTH ? list(path, `${file}/`, depth + 1) : skip(file, 'It is nested too deeply.')
    const format = formatOf(file)
    if (file === SYNONYMS_FILE || OTHER.test(file)) return
    if (!format && (unread += 1) <= MAX_NAMED) skip(file, 'Its format is not read: save it as text, HTML, CSV, PDF, .docx or .xlsx.')
    if (!format) return
    if (!stats.isFile()) skip(file, 'It is not a regular file.')
    else if (stats.size > format.maxBytes) skip(file, `It is larger than ${format.maxBytes / 1024 / 1024} MB.`)
    else files.push({ path, file, size: stats.size, mtimeMs: stats.mtimeMs })
  }

  const follow = async (path: string, file: string, depth: number): Promise<void> => {
    const target = await realpath(path).catch(() => null)
    if (target === null) return skip(file, 'It is a link that leads nowhere.')
    if (!isInside(root, target)) return skip(file, 'It is a link that leads out of the folder.')
    const way = relative(root, target).split(sep)
    // What isn't hidden is listed by itself.
    if (!way.some((name) => name.startsWith('.')) || followed.has(target)) return
    followed.add(target)
    await listEntry(target, file, depth)
  }

  await list(root, '', 0)
  if (unread > MAX_NAMED) onProblem(`${unread - MAX_NAMED} more files are skipped. Their formats are not read.`)
  if (files.length > MAX_FILES) onProblem(`The knowledge folder has more than ${MAX_FILES} files; skipping the rest.`)
  return files.slice(0, MAX_FILES)
}
