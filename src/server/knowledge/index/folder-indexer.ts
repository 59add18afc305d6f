import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { fillIn, PLACEHOLDERS } from '../ingestion/placeholders.ts'
import { readRegularFile, readTextFile } from '../sources/read-regular-file.ts'
import { formatOf } from '../ingestion/extract/extract.ts'
import { KnowledgeIndex, type StoredIndex } from './knowledge-index.ts'
import type { Language } from '../../../contract/languages.ts'
import { type KnowledgeFile, listFiles, type OnProblem, SYNONYMS_FILE } from '../sources/list-files.ts'
import { Synonyms } from './synonyms.ts'
import { Terms } from './terms.ts'

/** To be changed with whatever changes what is kept. */
const VERSION = 1
const MAX_PASSAGES = 500_000
const MAX_SYNONYMS_BYTES = 256 * 1024

export interface FolderIndexerOptions {
  directory: string
  languages: readonly Language[]
  /** File in which the index is kept from one start to the next; null for none. */
  store: string | null
  onProblem: OnProblem
  /** Hears of a file before it is read, and of null when all are. */
  onReading?: (file: string | null) => void
  /** Files that are not to be read. */
  skip?: ReadonlySet<string>
}

interface KnownFile {
  size: number
  mtimeMs: number
  hash: string
  ids: number[]
}

interface Stored {
  version: number
  languages: readonly Language[]
  files: Map<string, KnownFile>
  index: StoredIndex
}

/** A folder as an index, which follows the folder when it is told to. */
export interface FolderIndexer {
  index: KnowledgeIndex
  /** Reads what has changed since the last time. Not to be called while it is reading. */
  refresh(): Promise<void>
}

/**
 * Reads a folder into an index. Of what is kept from an earlier time, files that have not changed (by time and size, or by their
 * content) are not read again. A file that cannot be read is told, with every refresh, and left out.
 */
export async function openFolderIndexer(options: FolderIndexerOptions): Promise<FolderIndexer> {
  const { directory, languages, store, onProblem } = options
  const terms = await Terms.of(languages)
  const synonyms = new Synonyms(terms, await readSynonyms(directory, onProblem))
  const kept = store === null ? undefined : await readStored(store, languages)
  const index = new KnowledgeIndex(terms, synonyms, kept?.index)
  const known = kept?.files ?? new Map<string, KnownFile>()
  await readFolder(index, known, options)
  return {
    index,
    async refresh() {
      index.useSynonyms(await readSynonyms(directory, onProblem))
      await readFolder(index, known, options)
    },
  }
}

async function readFolder(
  index: KnowledgeIndex,
  known: Map<string, KnownFile>,
  { directory, languages, store, onProblem, onReading = () => {}, skip }: FolderIndexerOptions,
): Promise<void> {
  const files = (await listFiles(directory, onProblem)).filter(({ file }) => !skip?.has(file))
  let isChanged = forgetMissing(known, files, index)
  for (const file of files) {
    if (index.size >= MAX_PASSAGES) {
      onProblem(`The knowledge has more than ${MAX_PASSAGES} passages; ${file.file} and what follows is left out.`)
      break
    }
    isChanged = (await readFileInto(index, known, file, onProblem, onReading)) || isChanged
  }
  onReading(null)
  if (store !== null && isChanged) await writeStored(store, { version: VERSION, languages, files: known, index: index.stored() })
}

function forgetMissing(known: Map<string, KnownFile>, files: readonly KnowledgeFile[], index: KnowledgeIndex): boolean {
  const there = new Set(files.map(({ file }) => file))
  const missing = [...known].filter(([file]) => !there.has(file))
  for (const [file, { ids }] of missing) {
    index.remove(ids)
    known.delete(file)
  }
  return missing.length > 0
}

/** Returns whether anything is new. */
async function readFileInto(
  index: KnowledgeIndex,
  known: Map<string, KnownFile>,
  { path, file, size, mtimeMs }: KnowledgeFile,
  onProblem: OnProblem,
  onReading: (file: string) => void,
): Promise<boolean> {
  const before = known.get(file)
  if (before?.size === size && before.mtimeMs === mtimeMs) return false
  const format = formatOf(file)
  if (!format) return false
  try {
    const bytes = await readRegularFile(path, format.maxBytes)
    const hash = createHash('sha256').update(bytes).digest('hex')
    if (before?.hash === hash) {
      known.set(file, { ...before, size, mtimeMs })
      return true
    }
    onReading(file)
    const passages = await format.read(file, bytes)
    for (const { text } of passages)
      fillIn(text, PLACEHOLDER_NAMES, (name) => onProblem(`${file}: the placeholder {{${name}}} is not known.`))
    if (before) index.remove(before.ids)
    known.set(file, { size, mtimeMs, hash, ids: index.add(passages) })
  } catch (cause) {
    if (before) index.remove(before.ids)
    known.delete(file)
    onProblem(`${file}: left out of the knowledge. ${sentenceOf(cause)}`)
  }
  return true
}

const PLACEHOLDER_NAMES = Object.fromEntries(PLACEHOLDERS.map((name) => [name, '']))

/** Only the sentences of our own are told: a library's may quote the file. */
function sentenceOf(cause: unknown): string {
  if (cause instanceof TypeError) return 'It is not written in UTF-8.'
  return cause instanceof Error && /^It is [\w ]+\.$/.test(cause.message) ? cause.message : 'It cannot be read.'
}

async function readSynonyms(directory: string, onProblem: OnProblem): Promise<string> {
  try {
    return await readTextFile(join(directory, SYNONYMS_FILE), MAX_SYNONYMS_BYTES)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') onProblem(`${SYNONYMS_FILE}: left out of the knowledge. ${sentenceOf(cause)}`)
    return ''
  }
}

/** What was kept, if it is of this version and these languages; anything else is made anew. */
async function readStored(store: string, languages: readonly Language[]): Promise<Stored | undefined> {
  try {
    const stored = deserialize(await readFile(store)) as Stored
    return stored.version === VERSION && stored.languages.join() === languages.join() ? stored : undefined
  } catch {
    return undefined
  }
}

async function writeStored(store: string, stored: Stored): Promise<void> {
  const part = `${store}.part`
  await mkdir(dirname(store), { recursive: true, mode: 0o700 })
  await writeFile(part, serialize(stored), { mode: 0o600 })
  await rename(part, store)
}
