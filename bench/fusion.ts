import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { answers, type Collection, pagesDirectory, type Question, readCollections } from '../eval/collections/collection.ts'
import { fetchCollections } from '../eval/collections/fetch.ts'
import { KnowledgeBase } from '../src/server/knowledge/knowledge-base.ts'
import { startEmbeddingServer } from '../test/support/embedding-server.ts'
import { MAX_CHARACTERS, withinBudget } from './retrieval/retrieval-system.ts'
import { randomNumbers, type SimulatedPassage, simulatedVectors, simulateRankings } from './retrieval/simulated-embeddings.ts'
import type { Figure, Measurement } from './support/measurement.ts'

/** Shares of questions for which the simulated embedding model ranks the right passage first. */
const QUALITIES = [0.2, 0.35, 0.5, 0.65]
const WORDINGS = ['natural', 'keywords'] as const
const CANDIDATES = 60
/** Allowed loss of the merged ranking relative to the better one: two questions of forty. */
const TOLERANCE = 0.05
const QUIET_MS = 2_000

/** Whether merging words and vectors finds as much as the better of the two, with embedding models from poor to good. */
export const fusion: Figure = {
  name: 'fusion',
  async measure() {
    const say = (line: string) => process.stdout.write(`\n${line}`)
    const collections = readCollections()
    if (!(await fetchCollections(say, collections))) throw new Error('The document collections are not complete; see above.')
    const measurements: Measurement[] = []
    for (const collection of collections) {
      const questions = await questionsOf(collection)
      for (const quality of QUALITIES) measurements.push(...(await measureQuality(collection, questions, quality)))
    }
    return measurements
  },
}

interface Asked {
  wording: (typeof WORDINGS)[number]
  question: Question
  query: string
  byWords: SimulatedPassage[]
  right: SimulatedPassage | undefined
}

/** Every question with its word-search results and the passage that answers it. */
async function questionsOf(collection: Collection): Promise<Asked[]> {
  const base = await openBase(collection)
  const search = (query: string) => found(base, query, 1_000_000)
  const asked: Asked[] = []
  for (const question of collection.questions) {
    const [quotation = ''] = question.gold
    const right = (await search(quotation)).find(({ text }) => answers(text, question))
    for (const wording of WORDINGS)
      asked.push({ wording, question, query: question[wording], byWords: await search(question[wording]), right })
  }
  await base.close()
  return asked
}

async function measureQuality(collection: Collection, asked: readonly Asked[], quality: number): Promise<Measurement[]> {
  const random = randomNumbers(Math.round(quality * 1_000))
  const others = asked.flatMap(({ byWords }) => byWords)
  const rankings = simulateRankings(asked, others, quality, random)
  const endpoint = await startEmbeddingServer(simulatedVectors(rankings, random))
  const dataDirectory = mkdtempSync(join(tmpdir(), 'parley-fusion-'))
  const base = await openBase(collection, { baseUrl: endpoint.baseUrl, dataDirectory })
  try {
    await untilQuiet(() => endpoint.texts.length, join(dataDirectory, 'knowledge', 'vectors'))
    const hits = asked.map(() => ({ words: false, vectors: false, merged: false }))
    for (const [index, { question, query, byWords }] of asked.entries()) {
      const isHit = (passages: readonly SimulatedPassage[]) =>
        withinBudget(passages.map(({ breadcrumb, text }) => ({ text: `${breadcrumb}\n${text}`, score: 0 }))).some(({ text }) =>
          answers(text, question),
        )
      hits[index] = {
        words: isHit(byWords),
        vectors: isHit(rankings[index]?.passages ?? []),
        merged: isHit(await found(base, query, MAX_CHARACTERS)),
      }
    }
    return WORDINGS.map((wording) => {
      const own = hits.filter((_, index) => asked[index]?.wording === wording)
      const share = (name: keyof (typeof own)[number]) => own.filter((hit) => hit[name]).length / own.length
      return measurement(
        `${collection.package}, ${wording}, model right first ${percent(quality)}`,
        share('words'),
        share('vectors'),
        share('merged'),
      )
    })
  } finally {
    await base.close()
    await endpoint.close()
    rmSync(dataDirectory, { recursive: true, force: true })
  }
}

function measurement(name: string, words: number, vectors: number, merged: number): Measurement {
  const better = Math.max(words, vectors)
  return {
    figure: `right passage given, merged: ${name}`,
    ours: percent(merged),
    limit: `at least the better one less ${percent(TOLERANCE)}: words ${percent(words)}, vectors ${percent(vectors)}`,
    holds: merged >= better - TOLERANCE,
  }
}

async function openBase(collection: Collection, endpoint?: { baseUrl: string; dataDirectory: string }): Promise<KnowledgeBase> {
  const base = await KnowledgeBase.open({
    directory: pagesDirectory(collection),
    dataDirectory: endpoint?.dataDirectory ?? null,
    embedding: endpoint && {
      kind: 'endpoint',
      baseUrl: endpoint.baseUrl,
      apiKey: null,
      model: 'simulated',
      prefixes: { query: '', passage: '' },
    },
    onWarning: (message) => process.stderr.write(`${message}\n`),
  })
  await base.ready
  return base
}

async function found(base: KnowledgeBase, query: string, maxCharacters: number): Promise<SimulatedPassage[]> {
  const options = { folders: ['.'], caller: 'model' as const, maxPassages: CANDIDATES, maxCharacters }
  return (await base.search(query, options)).passages.map(({ text, breadcrumb }) => ({ text, breadcrumb }))
}

/** Waits until all vectors are stored. A large collection stores them in several batches. */
async function untilQuiet(count: () => number, store: string): Promise<void> {
  for (let before = -1; before !== count() || !existsSync(store); ) {
    before = count()
    await pause(QUIET_MS)
  }
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`
}
