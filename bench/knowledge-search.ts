import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { KnowledgeBase } from '../src/server/knowledge/knowledge-base.ts'
import type { Embed } from '../src/server/knowledge/embeddings/embed.ts'
import { Embedder } from '../src/server/knowledge/embeddings/embedder.ts'
import { EmbeddingIndex } from '../src/server/knowledge/embeddings/embedding-index.ts'
import { openFolderIndexer } from '../src/server/knowledge/index/folder-indexer.ts'
import { startEmbeddingServer } from '../test/support/embedding-server.ts'
import { type Figure, milliseconds, withinBound } from './support/measurement.ts'

const PASSAGES = 100_000
const PASSAGES_A_FILE = 500
const WORDS_A_PASSAGE = 60
const VOCABULARY = 30_000
const SEARCHES = 1_000
const SEARCHES_BY_MEANING = 300
/** As many as the vectors of common models have. */
const DIMENSIONS = 1_536
const BOUND_MS = 50
/** What the timer that looks at the loop may itself be late, on a machine with other work. */
const LOOP_BOUND_MS = 20

/** A search in 100,000 passages, at the 95th percentile, by words and by meaning too, and how long the server's own loop stands still meanwhile. */
export const knowledgeSearch: Figure = {
  name: 'knowledge-search',
  async measure() {
    const folder = mkdtempSync(join(tmpdir(), 'parley-knowledge-'))
    const dataDirectory = mkdtempSync(join(tmpdir(), 'parley-knowledge-data-'))
    const endpoint = await startEmbeddingServer(randomVector)
    const embedding = { kind: 'endpoint' as const, baseUrl: endpoint.baseUrl, apiKey: null, model: 'random', prefixes: PREFIXES }
    const options = { directory: folder, dataDirectory, languages: LANGUAGES, onWarning: warn }
    try {
      writeFiles(folder)
      const byWords = await measured(await KnowledgeBase.open(options), SEARCHES, false)
      await storeVectors(folder, dataDirectory, `${embedding.model} ${embedding.baseUrl}`)
      const byMeaning = await measured(await KnowledgeBase.open({ ...options, embedding }), SEARCHES_BY_MEANING, true)
      const passages = PASSAGES.toLocaleString('en')
      const asWell = `the same by meaning too, ${DIMENSIONS.toLocaleString('en')} numbers a passage`
      return [
        withinBound(`a search in ${passages} passages, p95`, byWords.p95, BOUND_MS, milliseconds),
        withinBound('the loop’s delay meanwhile, p99', byWords.delay, LOOP_BOUND_MS, milliseconds),
        withinBound(`${asWell}, p95`, byMeaning.p95, BOUND_MS, milliseconds),
        withinBound('the loop’s delay meanwhile, p99', byMeaning.delay, LOOP_BOUND_MS, milliseconds),
      ]
    } finally {
      await endpoint.close()
      for (const directory of [folder, dataDirectory]) rmSync(directory, { recursive: true, force: true })
    }
  },
}

const PREFIXES = { query: '', passage: '' }
const LANGUAGES = ['english', 'german', 'french', 'spanish'] as const
const warn = (message: string) => {
  process.stderr.write(`${message}\n`)
}

async function measured(base: KnowledgeBase, searches: number, byMeaning: boolean): Promise<{ p95: number; delay: number }> {
  await base.ready
  // Vectors are read after the words.
  const hasVectors = async () => (await base.search('xqxq', { folders: ['.'], caller: 'model' })).passages.length > 0
  if (byMeaning) while (!(await hasVectors())) await pause(100)
  await search(base, 50, byMeaning)
  const delay = monitorEventLoopDelay({ resolution: 5 })
  await pause(100)
  delay.enable()
  const times = (await search(base, searches, byMeaning)).toSorted((one, other) => one - other)
  delay.disable()
  await base.close()
  return { p95: times[Math.floor(times.length * 0.95)] ?? Number.NaN, delay: delay.percentile(99) / 1e6 }
}

/** Vectors of all passages as an endpoint would have given them, without the time that takes. */
async function storeVectors(directory: string, dataDirectory: string, identity: string): Promise<void> {
  const store = join(dataDirectory, 'knowledge')
  const { index } = await openFolderIndexer({ directory, languages: LANGUAGES, store: join(store, 'index'), onProblem: warn })
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
  await vectors.filled
}

function randomVector(): number[] {
  return Array.from({ length: DIMENSIONS }, () => random() - 0.5)
}

/** One after the other, as one visitor's tools ask; a sixth of the words mistyped. */
async function search(base: KnowledgeBase, count: number, byMeaning: boolean): Promise<number[]> {
  const times: number[] = []
  for (let index = 0; index < count; index += 1) {
    const words = Array.from({ length: 2 + (index % 5) }, () => wordOf(rankAtRandom()))
    const query = words.map((word, at) => ((index + at) % 6 === 0 ? word.slice(0, -2) + word.slice(-1) : word)).join(' ')
    const startedAt = performance.now()
    await base.search(`how do I ${query}?`, { folders: ['.'], caller: byMeaning ? 'model' : 'builtin' })
    times.push(performance.now() - startedAt)
  }
  return times
}

function writeFiles(folder: string): void {
  for (let file = 0; file < PASSAGES / PASSAGES_A_FILE; file += 1) {
    const sections = Array.from({ length: PASSAGES_A_FILE }, (_, section) => {
      const words = Array.from({ length: WORDS_A_PASSAGE }, () => wordOf(rankAtRandom()))
      return `## ${words.slice(0, 5).join(' ')} ${section}\n\n${words.join(' ')}.`
    })
    writeFileSync(join(folder, `${file}.md`), `# Document ${file}\n\n${sections.join('\n\n')}\n`)
  }
}

let state = 1

/** From 0 to 1, the same in every run. */
function random(): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return state / 2 ** 32
}

/** Few words are common and many are rare, as in a language (Zipf). */
function rankAtRandom(): number {
  return Math.min(VOCABULARY, Math.floor(VOCABULARY ** random()))
}

/** A word for each rank, of syllables, as long as words are. */
function wordOf(rank: number): string {
  const consonants = 'bdfgklmnprstvz'
  let word = ''
  for (let left = rank + 200; left > 0; left = Math.floor(left / 70)) {
    word += `${consonants[left % 14]}${'aeiou'[Math.floor(left / 14) % 5]}`
  }
  return `${word}${consonants[rank % 14]}`
}
