// `node eval/meaning.ts FOLDER`: how often a published question finds its passage through the front door of the knowledge base, by words,
// by vectors and merged, beside BM25; `node eval/meaning.ts FOLDER words` does without vectors. FOLDER has `xquad.json.gz` and `mtrag-*.json.gz`. Vectors are kept in `dist/meaning` for the next run.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { stemmer } from '@orama/stemmers/english'
import { z } from 'zod'
import { bm25 } from '../bench/retrieval/bm25-baseline.ts'
import { readSettings } from '../src/server/config/config.ts'
import { KnowledgeBase } from '../src/server/knowledge/knowledge-base.ts'
import type { FoundPassage } from '../src/server/knowledge/retrieval/search.ts'
import { localRuntimePaths } from '../src/server/local-runtime/model-supervisor.ts'

const ROOT = join(import.meta.dirname, '..')
const VECTORS = join(ROOT, 'dist/meaning')
/** Enough passages for a ranking by vectors. */
const RETRY_MS = 1_000
const MANY = { maxPassages: 300, maxCharacters: 10_000_000 }

const Xquad = z.record(
  z.string(),
  z.array(z.object({ id: z.string(), title: z.string(), text: z.string(), questions: z.array(z.string()) })),
)
const Mtrag = z.object({
  passages: z.record(z.string(), z.string()),
  relevant: z.record(z.string(), z.array(z.string())),
  questions: z.record(z.string(), z.array(z.tuple([z.string(), z.string()]))),
})

interface Texts {
  name: string
  /** The first line of a text is its title. */
  texts: ReadonlyMap<string, string>
}

interface Question {
  query: string
  relevant: ReadonlySet<string>
}

type Search = (query: string) => Promise<Partial<Record<'words' | 'vectors' | 'merged', string[]>>>

const [folder, means] = process.argv.slice(2)
const onlyWords = means === 'words'
const KINDS = onlyWords ? (['words'] as const) : (['words', 'vectors', 'merged'] as const)
if (folder === undefined) throw new Error('Name the folder with xquad.json.gz and mtrag-*.json.gz')
// The model that the settings name, or the one of `npm run embedding-model`.
const embedding = onlyWords ? null : readSettings().embedding
if (embedding === null && !onlyWords) throw new Error('There is no embedding model: run npm run embedding-model once')

process.stdout.write(`hit@1 / 3 / 5\n| ${['questions', 'number', 'BM25', ...KINDS].join(' | ')} |\n|${'---|'.repeat(3 + KINDS.length)}\n`)
for (const file of readdirSync(folder).toSorted()) {
  const name = /^(xquad|mtrag-\w+)\.json\.gz$/.exec(file)?.[1]
  if (name === undefined) continue
  const data: unknown = JSON.parse(gunzipSync(readFileSync(join(folder, file))).toString('utf8'))
  if (name === 'xquad') await measureXquad(Xquad.parse(data))
  else await measureMtrag(name, Mtrag.parse(data))
}

async function measureXquad(languages: z.infer<typeof Xquad>): Promise<void> {
  const questionsOf = (language: string): Question[] =>
    (languages[language] ?? []).flatMap(({ id, questions }) => questions.map((query) => ({ query, relevant: new Set([id]) })))
  const textsOf = (language: string) =>
    new Map((languages[language] ?? []).map(({ id, title, text }) => [id, `${title.replaceAll('_', ' ')}\n${text}`]))
  const asked = onlyWords ? ['en'] : Object.keys(languages)
  await measure(
    { name: 'xquad-en', texts: textsOf('en') },
    asked.map((from) => [`${from} → en`, questionsOf(from)]),
  )
  for (const language of Object.keys(languages).filter((one) => one !== 'en'))
    await measure({ name: `xquad-${language}`, texts: textsOf(language) }, [[`${language} → ${language}`, questionsOf(language)]])
}

async function measureMtrag(name: string, { passages, relevant, questions }: z.infer<typeof Mtrag>): Promise<void> {
  const asked = Object.entries(questions)
    .filter(([form]) => form !== 'questions')
    .map(([form, list]): [string, Question[]] => [
      form,
      list.map(([id, query]) => ({ query: query.replace(/^\|user\|:\s*/, ''), relevant: new Set(relevant[id]) })),
    ])
  await measure({ name, texts: new Map(Object.entries(passages)) }, asked)
}

async function measure({ name, texts }: Texts, sets: [name: string, questions: Question[]][]): Promise<void> {
  const ids = [...texts.keys()]
  const rank = bm25([...texts.values()], stemmer)
  const { search, close } = await open(name, texts)
  try {
    for (const [set, questions] of sets) {
      const rankings: Record<string, string[][]> = Object.fromEntries(['BM25', ...KINDS].map((kind) => [kind, []]))
      for (const { query } of questions) {
        rankings['BM25']?.push(rank(query, 10).map(({ index }) => ids[index] ?? ''))
        const found = await search(query)
        for (const kind of KINDS) rankings[kind]?.push(found[kind] ?? [])
      }
      const cells = Object.values(rankings).map((found) => hits(found, questions))
      process.stdout.write(`| ${[`${name} ${set}`, questions.length, ...cells].join(' | ')} |\n`)
    }
  } finally {
    await close()
  }
}

function hits(found: readonly string[][], questions: readonly Question[]): string {
  const share = (depth: number) =>
    found.filter((ids, at) => ids.slice(0, depth).some((id) => questions[at]?.relevant.has(id))).length / questions.length
  return [1, 3, 5].map((depth) => (share(depth) * 100).toFixed(1)).join(' / ')
}

async function open(name: string, texts: Texts['texts']): Promise<{ search: Search; close: () => Promise<void> }> {
  const directory = mkdtempSync(join(tmpdir(), 'parley-meaning-'))
  const files = new Map<string, string>()
  for (const [at, [id, text]] of [...texts].entries()) {
    const [title = '', ...lines] = text.trim().split('\n')
    files.set(`${at}.md`, id)
    writeFileSync(join(directory, `${at}.md`), `# ${title}\n\n${lines.join('\n')}\n`)
  }
  const dataDirectory = join(VECTORS, name)
  mkdirSync(dataDirectory, { recursive: true })
  const onWarning = (message: string) => void process.stderr.write(`${message}\n`)
  const localRuntime = localRuntimePaths({ dataDirectory, variables: {} }, join(ROOT, '.runtime/local-model'))
  const byWords = await KnowledgeBase.open({ directory, dataDirectory: null, onWarning })
  const base = onlyWords ? byWords : await KnowledgeBase.open({ directory, dataDirectory, embedding, localRuntime, onWarning })
  await Promise.all([byWords.ready, base.ready])
  const lacksVectors = () => base !== byWords && (base.embeddingProgress !== null || !existsSync(join(dataDirectory, 'knowledge/vectors')))
  while (lacksVectors()) await pause(500)
  const idsOf = (passages: readonly FoundPassage[]) => [...new Set(passages.map(({ file }) => files.get(file) ?? ''))]
  return {
    async search(query) {
      const options = { folders: ['.'], caller: 'model', ...MANY } as const
      const words = idsOf((await byWords.search(query, options)).passages)
      if (onlyWords) return { words }
      let near: FoundPassage[] = []
      let passages: FoundPassage[] = []
      // On a busy machine, a query may not get its vector in time.
      while (near.length === 0) {
        ;({ passages } = await base.search(query, options))
        near = passages.filter(({ closeness }) => closeness !== null)
        if (near.length === 0) await pause(RETRY_MS)
      }
      return {
        words,
        vectors: idsOf(near.toSorted((one, other) => (other.closeness ?? 0) - (one.closeness ?? 0))),
        merged: idsOf(passages),
      }
    },
    async close() {
      await Promise.all([byWords.close(), base.close()])
      rmSync(directory, { recursive: true })
    },
  }
}
