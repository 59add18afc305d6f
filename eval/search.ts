import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { stemmer } from '@orama/stemmers/english'
import { z } from 'zod'
import { bm25 } from '../bench/retrieval/bm25-baseline.ts'
import { findPassages } from '../src/server/answering/passages/find-passages.ts'
import { readSettings } from '../src/server/config/config.ts'
import { KnowledgeBase } from '../src/server/knowledge/knowledge-base.ts'
import type { FoundPassage } from '../src/server/knowledge/retrieval/search.ts'
import { localRuntimePaths } from '../src/server/local-runtime/model-supervisor.ts'
import { type Figure, readPublished } from './published.ts'

const ROOT = join(import.meta.dirname, '..')
/** Vectors are kept here for the next run. */
const VECTORS = join(ROOT, 'dist/published')
/** Larger sets are searched by words alone: their vectors take half an hour. */
const MAX_EMBEDDED_TEXTS = 3_000
const RETRY_MS = 1_000
/** Enough passages for a ranking by vectors. */
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

interface Question {
  prompt: string
  earlierPrompt: string | null
  relevant: ReadonlySet<string>
}

interface QuestionSet {
  set: string
  questions: Question[]
  /** The right passage must be among the first `depth`. */
  depth: number
}

/** Passages that a prompt is sent with, and the rankings of BM25, of words alone, and of vectors alone. */
type Rankings = Record<'parley' | 'BM25' | 'words' | 'vectors', string[]>

const nameOf = (language: string) => new Intl.DisplayNames('en', { type: 'language' }).of(language) ?? language

/** Questions in nine languages about the same paragraphs, in English and in the language of the question. */
export async function* measureXquad(folder: string): AsyncGenerator<Figure> {
  const languages = Xquad.parse(readPublished(folder, 'xquad'))
  const of = (language: string) => languages[language] ?? []
  const textsOf = (language: string) => new Map(of(language).map(({ id, title, text }) => [id, `${title.replaceAll('_', ' ')}\n${text}`]))
  const asked = (from: string, to: string, depth: number): QuestionSet => ({
    set: `XQuAD, questions in ${nameOf(from)}, paragraphs in ${nameOf(to)}`,
    questions: of(from).flatMap(({ id, questions }) =>
      questions.map((prompt) => ({ prompt, earlierPrompt: null, relevant: new Set([id]) })),
    ),
    depth,
  })
  const others = Object.keys(languages).filter((language) => language !== 'en')
  yield* measure('xquad-en', textsOf('en'), [asked('en', 'en', 1), ...others.map((language) => asked(language, 'en', 3))])
  for (const language of others) yield* measure(`xquad-${language}`, textsOf(language), [asked(language, language, 1)])
}

/** Questions of conversations, as typed with the prompt before, and rewritten by people so that they stand alone. */
export async function* measureMtrag(folder: string): AsyncGenerator<Figure> {
  for (const name of ['mtrag-govt', 'mtrag-clapnq'] as const) {
    const { passages, relevant, questions } = Mtrag.parse(readPublished(folder, name))
    const promptsOf = (text: string) => text.split(/(?:^|\n)\|user\|:\s*/).filter((prompt) => prompt !== '')
    const asked = (form: string, set: string): QuestionSet => ({
      set: `MTRAG ${name.slice('mtrag-'.length)}, ${set}`,
      questions: (questions[form] ?? []).map(([id, text]) => {
        const [prompt = '', earlierPrompt = null] = promptsOf(text).toReversed()
        return { prompt, earlierPrompt, relevant: new Set(relevant[id]) }
      }),
      depth: 5,
    })
    const sets = [asked('questions', 'questions as typed'), asked('rewrite', 'rewritten questions')]
    yield* measure(name, new Map(Object.entries(passages)), sets)
  }
}

/** @param texts By id; the first line is the title. */
async function* measure(name: string, texts: ReadonlyMap<string, string>, sets: readonly QuestionSet[]): AsyncGenerator<Figure> {
  const ids = [...texts.keys()]
  const rank = bm25([...texts.values()], stemmer)
  const { search, close } = await open(name, texts)
  try {
    for (const { set, questions, depth } of sets) {
      const found: Rankings[] = []
      for (const question of questions)
        found.push({ BM25: rank(question.prompt, depth).map(({ index }) => ids[index] ?? ''), ...(await search(question)) })
      const hits = (system: keyof Rankings) => {
        const count = found.filter((one, at) => one[system].slice(0, depth).some((id) => questions[at]?.relevant.has(id))).length
        return `${((100 * count) / questions.length).toFixed(1)} %`
      }
      yield {
        set: `${set} (${questions.length})`,
        what: depth === 1 ? 'found first' : `found among the first ${depth}`,
        parley: hits('parley') + (texts.size > MAX_EMBEDDED_TEXTS ? ' (by words)' : ''),
        baseline: `BM25 ${hits('BM25')}, words alone ${hits('words')}${texts.size > MAX_EMBEDDED_TEXTS ? '' : `, vectors alone ${hits('vectors')}`}`,
      }
    }
  } finally {
    await close()
  }
}

/** Opens a knowledge base of the texts, with the embedding model that the settings name or the one of `npm run embedding-model`. */
async function open(name: string, texts: ReadonlyMap<string, string>) {
  const directory = mkdtempSync(join(tmpdir(), 'parley-published-'))
  const files = new Map<string, string>()
  for (const [at, [id, text]] of [...texts].entries()) {
    const [title = '', ...lines] = text.trim().split('\n')
    files.set(`${at}.md`, id)
    writeFileSync(join(directory, `${at}.md`), `# ${title}\n\n${lines.join('\n')}\n`)
  }
  const { embedding } = readSettings()
  const isEmbedded = texts.size <= MAX_EMBEDDED_TEXTS
  if (embedding === null && isEmbedded) throw new Error('There is no embedding model: run npm run embedding-model once')
  const dataDirectory = join(VECTORS, name)
  mkdirSync(dataDirectory, { recursive: true })
  const onWarning = (message: string) => void process.stderr.write(`${message}\n`)
  const localRuntime = localRuntimePaths({ dataDirectory, variables: {} }, join(ROOT, '.runtime/local-model'))
  const byWords = await KnowledgeBase.open({ directory, dataDirectory: null, onWarning })
  const base = isEmbedded ? await KnowledgeBase.open({ directory, dataDirectory, embedding, localRuntime, onWarning }) : byWords
  await Promise.all([byWords.ready, base.ready])
  const isEmbedding = () => base.embeddingProgress !== null || !existsSync(join(dataDirectory, 'knowledge/vectors'))
  if (isEmbedded) while (isEmbedding()) await pause(RETRY_MS)
  const idsOf = (passages: readonly FoundPassage[]) => [...new Set(passages.map(({ file }) => files.get(file) ?? ''))]
  const options = { folders: ['.'], caller: 'model', ...MANY } as const
  /** By vectors; on a busy machine, a query may not get its vector in time. */
  const nearest = async (query: string): Promise<FoundPassage[]> => {
    for (;;) {
      const { passages } = await base.search(query, options)
      const near = passages.filter(({ closeness }) => closeness !== null)
      if (near.length > 0) return near.toSorted((one, other) => (other.closeness ?? 0) - (one.closeness ?? 0))
      await pause(RETRY_MS)
    }
  }
  return {
    search: async ({ prompt, earlierPrompt }: Question): Promise<Omit<Rankings, 'BM25'>> => {
      const vectors = isEmbedded ? await nearest(prompt) : []
      if (isEmbedded && earlierPrompt !== null) await nearest(`${earlierPrompt}\n${prompt}`)
      const { passages: words } = await byWords.search(prompt, options)
      const passages = await findPassages(base, ['.'], { prompt, earlierPrompt, excludedFiles: [] })
      return { parley: idsOf(passages), words: idsOf(words), vectors: idsOf(vectors) }
    },
    close: async () => {
      await Promise.all([byWords.close(), ...(isEmbedded ? [base.close()] : [])])
      rmSync(directory, { recursive: true })
    },
  }
}
