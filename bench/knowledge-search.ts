import { once } from 'node:events'
import { join } from 'node:path'
import { SERVER_ENVIRONMENT } from '../scripts/server-command.mjs'
import type { Embed } from '../src/server/knowledge/embeddings/embed.ts'
import { Embedder } from '../src/server/knowledge/embeddings/embedder.ts'
import { EmbeddingIndex } from '../src/server/knowledge/embeddings/embedding-index.ts'
import { openFolderIndexer } from '../src/server/knowledge/index/folder-indexer.ts'
import { startEmbeddingServer } from '../test/support/embedding-server.ts'
import { type Corpus, random, writeCorpus } from './support/knowledge-corpus.ts'
import type { KnowledgeRun, KnowledgeRunResult } from './support/knowledge-program.ts'
import { type Figure, megabytes, milliseconds, seconds, withinBound } from './support/measurement.ts'
import { type Processes, withProcesses } from './support/processes.ts'

/** Pages whose indexing is measured. */
const INDEXED_PAGES = 5_756
/** Pages whose search is measured: enough for `PASSAGES`. */
const PAGES = 13_500
const PASSAGES = 60_000
const SEARCHES = 1_000
const SEARCHES_BY_MEANING = 300
/** As in common models. */
const DIMENSIONS = 1_536
const PREFIXES = { query: '', passage: '' }

const BOUNDS = {
  searchMs: 30,
  /** By meaning and words, with a request to the embedding endpoint. */
  searchByMeaningMs: 50,
  /** The timer that samples the event loop can itself be late on a busy machine. */
  loopDelayMs: 20,
  indexingS: 90,
  indexingCpuS: 60,
  residentMegabytes: 400,
  startS: 3,
}

/** Indexing 5,756 HTML pages, starting from the stored index, and searching 60,000 passages by words, and by meaning too. */
export const knowledgeSearch: Figure = {
  name: 'knowledge-search',
  async measure() {
    const endpoint = await startEmbeddingServer(randomVector)
    try {
      return await withProcesses(async (processes) => {
        const embedding = { kind: 'endpoint' as const, baseUrl: endpoint.baseUrl, apiKey: null, model: 'random', prefixes: PREFIXES }
        const run: KnowledgeRun = {
          directory: processes.folder(),
          dataDirectory: processes.folder(),
          embedding: null,
          queries: [],
        }
        const corpus = writeCorpus(run.directory, 0, INDEXED_PAGES)
        const indexing = await measured(processes, run)
        const queries = queriesFrom(writeCorpus(run.directory, INDEXED_PAGES, PAGES), SEARCHES)
        const byWords = await measured(processes, { ...run, queries })
        const start = await measured(processes, run)
        const passages = (await storeVectors(run, `${embedding.model} ${embedding.baseUrl}`)).toLocaleString('en')
        const byMeaning = await measured(processes, { ...run, embedding, queries: queries.slice(0, SEARCHES_BY_MEANING) })
        const pages = `${INDEXED_PAGES.toLocaleString('en')} HTML pages (${corpus.megabytes.toFixed(0)} MB)`
        const vectors = `vectors of ${DIMENSIONS.toLocaleString('en')} numbers`
        return [
          withinBound(`indexing ${pages}, from the start of the process`, indexing.indexedMs / 1000, BOUNDS.indexingS, seconds),
          withinBound('processor time of all processes', indexing.cpuMs / 1000, BOUNDS.indexingCpuS, seconds),
          withinBound('resident meanwhile, at most, the server’s process', indexing.peakMegabytes, BOUNDS.residentMegabytes, megabytes),
          withinBound('with the extraction process', indexing.peakOfAllMegabytes, BOUNDS.residentMegabytes, megabytes),
          withinBound(`a start with ${passages} stored passages, to the first search`, start.firstSearchMs / 1000, BOUNDS.startS, seconds),
          withinBound(`a search in ${passages} passages, p95`, p95(byWords.searchesMs), BOUNDS.searchMs, milliseconds),
          withinBound('the loop’s delay meanwhile, p99', byWords.loopDelayP99Ms, BOUNDS.loopDelayMs, milliseconds),
          withinBound(`the same with ${vectors}, p95`, p95(byMeaning.searchesMs), BOUNDS.searchByMeaningMs, milliseconds),
          withinBound('the loop’s delay meanwhile, p99', byMeaning.loopDelayP99Ms, BOUNDS.loopDelayMs, milliseconds),
        ]
      })
    } finally {
      await endpoint.close()
    }
  },
}

async function measured(processes: Processes, run: KnowledgeRun): Promise<KnowledgeRunResult> {
  const child = processes.worker(join(import.meta.dirname, 'support/knowledge-program.ts'), { ...process.env, ...SERVER_ENVIRONMENT })
  child.send(run)
  const [result] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('The measured process ended.'))),
  ])
  return result as KnowledgeRunResult
}

function p95(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.95)] ?? Number.NaN
}

/** Questions of 2 to 6 words of the corpus, a sixth of them mistyped. */
function queriesFrom({ words }: Corpus, count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const chosen = Array.from({ length: 2 + (index % 5) }, () => words[Math.floor(random() * words.length)] ?? '')
    return `how do I ${chosen.map((word, at) => ((index + at) % 6 === 0 ? word.slice(0, -2) + word.slice(-1) : word)).join(' ')}?`
  })
}

/** Stores vectors of all passages as if an endpoint had returned them. Returns the number of passages. */
async function storeVectors({ directory, dataDirectory }: KnowledgeRun, identity: string): Promise<number> {
  const store = join(dataDirectory, 'knowledge')
  const { index } = await openFolderIndexer({ directory, store: join(store, 'index'), onProblem: () => {} })
  if (index.size < PASSAGES) throw new Error(`The corpus has ${index.size} passages instead of ${PASSAGES}.`)
  const embed: Embed = async (texts) => texts.map(randomVector)
  const vectors = await EmbeddingIndex.open({
    index,
    embedder: new Embedder({
      embed,
      identity,
      prefixes: PREFIXES,
      textsPerRequest: 64,
      name: 'embedding endpoint',
      onProblem: () => undefined,
    }),
    store: join(store, 'vectors'),
  })
  vectors.refresh()
  await vectors.filled
  return index.size
}

function randomVector(): number[] {
  return Array.from({ length: DIMENSIONS }, () => random() - 0.5)
}
