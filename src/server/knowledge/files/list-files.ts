import { lstat, opendir, realpath } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { APPROVED_FOLDER } from '../../../contract/chat/approved-folder.ts'
import { formatOf } from '../ingestion/extract/extract.ts'
import { isInside } from './read-regular-file.ts'

export const SYNONYMS_FILE = 'synonyms.txt'

/** Documents in formats that can't be read, whose owners would wonder why they are not cited. */
const OTHER_DOCUMENT = /\.(?:docm?|dotx?|ppt|pptm|pps|xls[mb]?|od[gb]|pages|numbers|key|mobi|azw3?|djvu|xps|wp[ds])$/i
const MAX_FILES = 20_000
const MAX_DEPTH = 8

export interface KnowledgeFile {
  path: string
  /** Path inside the knowledge folder, with forward slashes. */
  file: string
  size: number
  mtimeMs: number
}

export type OnProblem = (problem: string) => void

/**
 * The files of a folder that can be knowledge, in the order of their paths. Only regular files, each once and within its size. Links are
 * followed to what is hidden inside the folder, as Kubernetes mounts a ConfigMap. Skipped files are reported. An unreadable folder counts
 * as empty.
 */
export async function listFiles(directory: string, onProblem: OnProblem): Promise<KnowledgeFile[]> {
  const root = await realpath(directory).catch(() => undefined)
  if (root === undefined) {
    onProblem(`Reading the knowledge folder ${directory} failed; answering without it. KNOWLEDGE_DIR names another one.`)
    return []
  }
  const files = await new Listing(root, onProblem).read()
  if (files.length > MAX_FILES) onProblem(`The knowledge folder has more than ${MAX_FILES} files; skipping the rest.`)
  return files.slice(0, MAX_FILES)
}

class Listing {
  readonly #root: string
  readonly #onProblem: OnProblem
  readonly #files: KnowledgeFile[] = []
  readonly #followed = new Set<string>()

  constructor(root: string, onProblem: OnProblem) {
    this.#root = root
    this.#onProblem = onProblem
  }

  async read(): Promise<KnowledgeFile[]> {
    await this.#list(this.#root, '', 0)
    return this.#files
  }

  /** `place` is the folder's path as links show it. */
  async #list(directory: string, place: string, depth: number): Promise<void> {
    const names: string[] = []
    for await (const { name } of await opendir(directory)) if (!name.startsWith('.')) names.push(name)
    for (const name of names.toSorted()) {
      if (this.#files.length > MAX_FILES) return
      // Systems differ in how they write the same letters.
      const file = `${place}${name}`.normalize('NFC')
      if (file !== APPROVED_FOLDER) await this.#listEntry(join(directory, name), file, depth)
    }
  }

  async #listEntry(path: string, file: string, depth: number): Promise<void> {
    const stats = await lstat(path)
    if (stats.isSymbolicLink()) return this.#follow(path, file, depth)
    if (stats.isDirectory()) {
      if (depth < MAX_DEPTH) await this.#list(path, `${file}/`, depth + 1)
      else this.#skip(file, 'It is nested too deeply.')
      return
    }
    const format = formatOf(file)
    if (OTHER_DOCUMENT.test(file)) this.#skip(file, 'Save it as .docx, .pptx, .xlsx, OpenDocument or PDF.')
    if (!format || file === SYNONYMS_FILE) return
    if (!stats.isFile()) this.#skip(file, 'It is not a regular file.')
    else if (stats.size > format.maxBytes) this.#skip(file, `It is larger than ${format.maxBytes / 1024 / 1024} MB.`)
    else this.#files.push({ path, file, size: stats.size, mtimeMs: stats.mtimeMs })
  }

  async #follow(path: string, file: string, depth: number): Promise<void> {
    const target = await realpath(path).catch(() => null)
    if (target === null) return this.#skip(file, 'It is a link that leads nowhere.')
    if (!isInside(this.#root, target)) return this.#skip(file, 'It is a link that leads out of the folder.')
    // What isn't hidden is listed by itself.
    if (
      !relative(this.#root, target)
        .split(sep)
        .some((name) => name.startsWith('.')) ||
      this.#followed.has(target)
    )
      return
    this.#followed.add(target)
    await this.#listEntry(target, file, depth)
  }

  #skip(file: string, reason: string): void {
    this.#onProblem(`${file}: skipped. ${reason}`)
  }
}
