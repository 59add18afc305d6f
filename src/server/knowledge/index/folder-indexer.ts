import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { extractFile, type ExtractedFile, type ExtractFile, reasonOf } from '../ingestion/extract-file.ts'
import { SCANNED } from '../ingestion/document.ts'
import type { Passage } from '../ingestion/passages.ts'
import { type KnowledgeFile, listFiles, type OnProblem, SYNONYMS_FILE } from '../files/list-files.ts'
import { listSourcePages } from '../files/list-source-pages.ts'
import { readTextFile } from '../files/read-regular-file.ts'
import { readIndex, type StoredFile, writeIndex } from './index-store.ts'
import { KnowledgeIndex } from './knowledge-index.ts'

const MAX_PASSAGES = 500_000
const MAX_SYNONYMS_BYTES = 256 * 1024
/** Passages added or removed before the event loop may run a search. */
const SLICE = 100
const STORE_INTERVAL_MS = 60_000

export interface IndexingProgress {
  indexed: number
  total: number
}

export interface FolderIndexerOptions {
  directory: string
  sourcesDirectory?: string | null
  /** File in which the index is stored between starts; null for none. */
  store: string | null
  onProblem: OnProblem
  /** Called with each file before it is read, and with null when all are. */
  onReading?: (file: string | null) => void
  skip?: ReadonlySet<string>
  usesOcr?: boolean
  /** Extracts a file; in this thread by default. */
  extract?: ExtractFile
  /** How often a long run stores its progress, so a restart continues from there. */
  storeIntervalMs?: number
}

/** Opens a folder's index and reads all files that have changed since it was stored. */
export async function openFolderIndexer(options: FolderIndexerOptions): Promise<FolderIndexer> {
  const indexer = await loadFolderIndexer(options)
  await indexer.refresh()
  return indexer
}

/** Opens a folder's index as it was stored; `refresh` reads the files. */
export async function loadFolderIndexer(options: FolderIndexerOptions): Promise<FolderIndexer> {
  const { store } = options
  const stored = store === null ? undefined : await readIndex(store)
  return new FolderIndexer(new KnowledgeIndex(stored?.index), stored?.files ?? new Map<string, StoredFile>(), options)
}

export class FolderIndexer {
  readonly index: KnowledgeIndex
  readonly files: Map<string, StoredFile>
  /** Progress while files are being indexed; null when done. */
  progress: IndexingProgress | null = { indexed: 0, total: 0 }
  readonly #options: FolderIndexerOptions
  readonly #extract: ExtractFile
  #isChanged = false
  #storedAt = performance.now()

  constructor(index: KnowledgeIndex, files: Map<string, StoredFile>, options: FolderIndexerOptions) {
    this.index = index
    this.files = files
    this.#options = options
    this.#extract = options.extract ?? extractFile
  }

  /** Indexes changed files. Calls must not overlap. */
  async refresh(): Promise<void> {
    const { directory, sourcesDirectory = null, onProblem, onReading = () => {}, skip } = this.#options
    this.index.useSynonyms(await readSynonyms(directory, onProblem))
    const listed = [...(await listFiles(directory, onProblem)), ...(await listSourcePages(sourcesDirectory, onProblem))]
    const files = listed.filter(({ file }) => !skip?.has(file))
    await this.#removeMissing(files)
    const changed = files.filter(({ file, size, mtimeMs }) => {
      const known = this.files.get(file)
      return known?.size !== size || known.mtimeMs !== mtimeMs || this.#isScanned(known)
    })
    // Progress is reported for the first build, not for later changes.
    if (this.progress) this.progress = { indexed: files.length - changed.length, total: files.length }
    await this.#read(changed, onReading)
    for (const [file, { warning }] of this.files) if (warning !== undefined) onProblem(`${file}: partly read. ${warning}`)
    this.progress = null
    onReading(null)
    await this.#store()
  }

  /** Extracts a file while the previous one is added to the index. */
  async #read(files: readonly KnowledgeFile[], onReading: (file: string) => void): Promise<void> {
    let ahead = files[0] && this.#request(files[0])
    for (const [at, file] of files.entries()) {
      const extracted = (await ahead) as ExtractedFile
      if (this.index.size >= MAX_PASSAGES) {
        this.#options.onProblem(`The knowledge has more than ${MAX_PASSAGES} passages; ${file.file} and what follows is left out.`)
        return
      }
      const next = files[at + 1]
      ahead = next && this.#request(next)
      onReading(file.file)
      await this.#apply(file, extracted)
      if (this.progress) this.progress = { ...this.progress, indexed: this.progress.indexed + 1 }
      if (performance.now() - this.#storedAt > (this.#options.storeIntervalMs ?? STORE_INTERVAL_MS)) await this.#store()
    }
  }

  #request({ path, file }: KnowledgeFile): Promise<ExtractedFile> {
    const known = this.files.get(file)
    const knownHash = known && !this.#isScanned(known) ? known.hash : null
    return this.#extract({ path, file, knownHash, usesOcr: this.#options.usesOcr ?? false })
  }

  /** Whether it has pages that only OCR reads, and that it hasn't read. */
  #isScanned({ warning }: StoredFile): boolean {
    return this.#options.usesOcr === true && warning?.startsWith(SCANNED) === true
  }

  async #apply({ file, size, mtimeMs }: KnowledgeFile, extracted: ExtractedFile): Promise<void> {
    const { onProblem } = this.#options
    this.#isChanged = true
    if (extracted.kind === 'unchanged') {
      this.files.set(file, { ...this.files.get(file), hash: this.files.get(file)?.hash ?? '', size, mtimeMs })
      return
    }
    await this.#remove(file)
    if (extracted.kind === 'unreadable') return onProblem(`${file}: skipped. ${extracted.reason}`)
    for (const name of extracted.unknownPlaceholders) onProblem(`${file}: the placeholder {{${name}}} is unknown.`)
    await this.#add(extracted.passages)
    this.files.set(file, { size, mtimeMs, hash: extracted.hash, ...(extracted.warning !== null && { warning: extracted.warning }) })
  }

  async #add(passages: readonly Passage[]): Promise<void> {
    for (let start = 0; start < passages.length; start += SLICE) {
      if (start > 0) await nextTurn()
      this.index.add(passages.slice(start, start + SLICE))
    }
  }

  async #remove(file: string): Promise<void> {
    this.files.delete(file)
    while (this.index.remove(file, SLICE)) await nextTurn()
  }

  async #removeMissing(files: readonly KnowledgeFile[]): Promise<void> {
    const there = new Set(files.map(({ file }) => file))
    for (const file of [...this.files.keys()].filter((known) => !there.has(known))) {
      await this.#remove(file)
      this.#isChanged = true
    }
  }

  async #store(): Promise<void> {
    const { store } = this.#options
    this.#storedAt = performance.now()
    if (store === null || !this.#isChanged) return
    this.#isChanged = false
    await writeIndex(store, this.files, this.index.packed())
  }
}

async function readSynonyms(directory: string, onProblem: OnProblem): Promise<string> {
  try {
    return await readTextFile(join(directory, SYNONYMS_FILE), MAX_SYNONYMS_BYTES)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT')
      onProblem(`${SYNONYMS_FILE}: skipped. ${cause instanceof TypeError ? 'It is not written in UTF-8.' : reasonOf(cause)}`)
    return ''
  }
}
