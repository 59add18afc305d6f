import { join } from 'node:path'
import { embeddedTextOf, hashOf } from '../embeddings/embedded-text.ts'
import { Enrichments } from '../enrichment/enrichment.ts'
import { Analyzer } from '../index/analyzer.ts'
import type { FolderIndexerOptions } from '../index/folder-indexer.ts'
import { KnowledgeIndex, weigh } from '../index/knowledge-index.ts'
import { extractFile } from '../ingestion/extract-file.ts'
import type { Passage } from '../ingestion/passages.ts'
import { type KnowledgeFile, listFiles, SYNONYMS_FILE } from '../sources/list-files.ts'
import { listSourcePages } from '../sources/list-source-pages.ts'
import { readTextFile } from '../sources/read-regular-file.ts'
import { LeaseLost, type SharedPassage, type SharedStore } from './shared-store.ts'
import { removeUnusedVectors } from './shared-vectors.ts'

/** Raised whenever extraction, cutting or analysis changes. */
const VERSION = 1
const MAX_SYNONYMS_BYTES = 256 * 1024

export type SharedIndexerOptions = Omit<FolderIndexerOptions, 'store'> & { shared: SharedStore }

/** Brings the shared index in line with a folder, where this process may write it. */
export class SharedIndexer {
  readonly #options: SharedIndexerOptions

  constructor(options: SharedIndexerOptions) {
    this.#options = options
  }

  /** Reads what has changed. Resolves with false, and does nothing, while another process writes. */
  async refresh(): Promise<boolean> {
    const {
      shared,
      directory,
      sourcesDirectory = null,
      languages,
      enrichmentFile = null,
      onProblem,
      onReading = () => {},
      skip,
    } = this.#options
    if (!(await shared.lease())) return false
    try {
      const enrichments = await Enrichments.read(enrichmentFile)
      const synonyms = await readTextFile(join(directory, SYNONYMS_FILE), MAX_SYNONYMS_BYTES).catch(() => '')
      await shared.begin([VERSION, ...languages, enrichments.version].join(), synonyms)
      const listed = [...(await listFiles(directory, onProblem)), ...(await listSourcePages(sourcesDirectory, onProblem))]
      const files = listed.filter(({ file }) => !skip?.has(file))
      const known = await shared.files()
      const there = new Set(files.map(({ file }) => file))
      for (const file of known.keys()) if (!there.has(file)) await shared.remove(file)
      const analyzer = await Analyzer.of(languages)
      for (const file of files) {
        const before = known.get(file.file)
        if (before?.size === file.size && before.mtimeMs === file.mtimeMs) continue
        onReading(file.file)
        await this.#index(file, before?.hash ?? null, analyzer, enrichments)
      }
      // At the end: a file that was renamed keeps its vectors.
      await removeUnusedVectors(shared)
    } catch (cause) {
      if (!(cause instanceof LeaseLost)) throw cause
      return false
    }
    return true
  }

  async #index(
    { path, file, size, mtimeMs }: KnowledgeFile,
    knownHash: string | null,
    analyzer: Analyzer,
    enrichments: Enrichments,
  ): Promise<void> {
    const { shared, onProblem, extract = extractFile } = this.#options
    // What is unchanged in content is stored again with its new time.
    const extracted = await extract({ path, file, mtimeMs, knownHash: null })
    if (extracted.kind === 'unreadable') {
      onProblem(`${file}: skipped. ${extracted.reason}`)
      if (knownHash !== null) await shared.remove(file)
      return
    }
    if (extracted.kind === 'unchanged') return
    for (const name of extracted.unknownPlaceholders) onProblem(`${file}: the placeholder {{${name}}} is unknown.`)
    const passages = extracted.passages.map((passage) => enrichments.applied(passage))
    await shared.replace(file, { size, mtimeMs, hash: extracted.hash }, sharedPassages(analyzer, passages))
  }
}

function sharedPassages(analyzer: Analyzer, passages: readonly Passage[]): SharedPassage[] {
  const index = new KnowledgeIndex(analyzer)
  return index.add(passages).flatMap((number, ordinal) => {
    const passage = index.passage(number)
    if (!passage) return []
    const { weights, length } = weigh(analyzer, passage)
    const contentHash = hashOf(embeddedTextOf(passage))
    return [{ id: index.idOf(number), ordinal, passage, contentHash, length, terms: [...weights.keys()] }]
  })
}
