import { readFileSync } from 'node:fs'
import { stemmer } from '@orama/stemmers/english'
import MiniSearch from 'minisearch'
import { KnowledgeBase } from '../../src/server/knowledge/knowledge-base.ts'
import { textOf } from '../../src/server/knowledge/ingestion/document.ts'
import { formatOf } from '../../src/server/knowledge/ingestion/extract/extract.ts'
import { passagesOf, titleOfFile } from '../../src/server/knowledge/ingestion/passages.ts'
import { listFiles } from '../../src/server/knowledge/files/list-files.ts'
import { type BaselineDocument, bm25, chunksOf } from './bm25-baseline.ts'
import { MAX_CHARACTERS, MAX_TEXTS, type OpenSystem } from './retrieval-system.ts'

/** The search that models use, with the settings of a new installation. */
export const openOurs: OpenSystem = async (directory) => {
  const base = await KnowledgeBase.open({ directory, dataDirectory: null, onWarning: warn })
  await base.ready
  return {
    name: 'Parley',
    async search(query) {
      const { passages } = await base.search(query, { folders: ['.'], caller: 'model', maxCharacters: MAX_CHARACTERS })
      return passages.map(({ breadcrumb, text, relevance }) => ({ text: `${breadcrumb}\n${text}`, score: relevance }))
    },
    close: () => base.close(),
  }
}

/** BM25 over chunks of the same extracted text. */
export const openBaseline: OpenSystem = async (directory) => {
  const chunks = chunksOf(await extractedDocuments(directory))
  const rank = bm25(chunks, stemmer)
  return {
    name: 'BM25 baseline',
    search: async (query) => rank(query, MAX_TEXTS).map(({ index, score }) => ({ text: chunks[index] ?? '', score })),
  }
}

/** MiniSearch with its defaults, over the baseline's chunks. */
export const openMiniSearch: OpenSystem = async (directory) => {
  const chunks = chunksOf(await extractedDocuments(directory))
  const index = new MiniSearch({ fields: ['text'] })
  index.addAll(chunks.map((text, id) => ({ id, text })))
  return {
    name: 'MiniSearch defaults',
    search: async (query) =>
      index
        .search(query)
        .slice(0, MAX_TEXTS)
        .map(({ id, score }) => ({ text: chunks[Number(id)] ?? '', score })),
  }
}

/** The text extracted by our ingestion, one per document. */
export async function extractedDocuments(directory: string): Promise<BaselineDocument[]> {
  const documents: BaselineDocument[] = []
  for (const { path, file } of await listFiles(directory, warn)) {
    const extracted = await formatOf(file)?.read(readFileSync(path))
    const texts =
      extracted?.sections.map(({ heading, blocks }) => (heading === '' ? textOf(blocks) : `${heading}\n\n${textOf(blocks)}`)) ?? []
    const text = texts.filter((section) => section !== '').join('\n\n')
    if (text !== '') documents.push({ id: file, title: extracted?.title ?? titleOfFile(file), text })
  }
  return documents
}

/** The passages extracted by our ingestion. */
export async function extractedPassages(directory: string): Promise<string[]> {
  const texts: string[] = []
  for (const { path, file } of await listFiles(directory, warn)) {
    const extracted = await formatOf(file)?.read(readFileSync(path))
    for (const { heading, text } of extracted ? passagesOf(file, extracted) : []) texts.push(`${heading}\n${text}`)
  }
  return texts
}

function warn(message: string): void {
  process.stderr.write(`${message}\n`)
}
