import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { stemmer } from '@orama/stemmers/english'
import { parse } from 'yaml'
import { z } from 'zod'
import { bm25, chunksOf } from '../bench/retrieval/bm25-baseline.ts'
import { readSettings } from '../src/server/config/config.ts'
import { KnowledgeBase } from '../src/server/knowledge/knowledge-base.ts'
import type { SearchKnowledgeResult } from '../src/server/knowledge/retrieval/search.ts'
import { languageOf } from '../src/server/language.ts'
import { localRuntimePaths } from '../src/server/local-runtime/model-supervisor.ts'
import { type Answer, nextStep } from '../src/server/models/builtin/next-step.ts'
import { pagesDirectory } from './collections/collection.ts'
import { fetchCollection } from './collections/fetch.ts'
import { type Figure, readPublished } from './published.ts'
import { SmallSet } from './small-set.ts'

interface Asked {
  prompt: string
  /** The prompts before it in the chat. */
  earlier: string[]
  /** Whether it has an answer in the documents. */
  isCovered: boolean
  /** Judges a quotation of a file. */
  isRight: (quotation: string, file: string) => boolean
}

type Search = (query: string) => Promise<SearchKnowledgeResult>

const ROOT = join(import.meta.dirname, '..')
/** Vectors are kept here for the next run. */
const VECTORS = join(ROOT, 'dist/builtin')
const SMALL = join(import.meta.dirname, 'small')
const RETRY_MS = 1_000
/** Languages of questions and paragraphs; the second of a pair is that of the paragraphs. */
const LANGUAGES = [
  ['en', 'en'],
  ['de', 'de'],
  ['es', 'es'],
  ['ru', 'ru'],
  ['hi', 'hi'],
  ['tr', 'tr'],
  ['vi', 'vi'],
  ['zh', 'zh'],
  ['ar', 'ar'],
  ['de', 'en'],
  ['ru', 'en'],
] as const
/** Languages whose even paragraphs were fitted on. */
const FITTED: readonly string[] = ['en', 'de', 'es', 'ru']
/** Every third paragraph is left out: its questions have no answer. */
const isLeftOut = (paragraph: number) => paragraph % 3 === 2

const Xquad = z.record(
  z.string(),
  z.array(z.object({ id: z.string(), title: z.string(), text: z.string(), questions: z.array(z.string()) })),
)

/**
 * How often the built-in assistant quotes what answers, and what doesn't, with vectors and by words alone, beside the best passage of BM25.
 * The even paragraphs of XQuAD in four languages and the Debian FAQ were fitted on; five other languages and GnuCash weren't.
 */
export async function measureBuiltin(folder: string): Promise<Figure[]> {
  const figures: Figure[] = []
  const languages = Xquad.parse(readPublished(folder, 'xquad'))
  for (const [from, to] of LANGUAGES) {
    const files = new Map<string, string>()
    for (const [at, { title, text }] of (languages[to] ?? []).entries())
      if (!isLeftOut(at)) files.set(`${at}.md`, `# ${title.replaceAll('_', ' ')}\n\n${text}\n`)
    const asked = (isAsked: (paragraph: number) => boolean) =>
      (languages[from] ?? []).flatMap(({ questions }, at) =>
        isAsked(at)
          ? questions.map(
              (prompt): Asked => ({ prompt, earlier: [], isCovered: !isLeftOut(at), isRight: (_, file) => file === `${at}.md` }),
            )
          : [],
      )
    const name = from === to ? `XQuAD, ${from}` : `XQuAD, ${from}, paragraphs in ${to}`
    const sets: [string, Asked[]][] = FITTED.includes(to)
      ? [
          [`${name}, even`, asked((at) => at % 2 === 0)],
          [`${name}, odd`, asked((at) => at % 2 === 1)],
        ]
      : [[name, asked(() => true)]]
    figures.push(...(await measure(`xquad-${to}`, files, sets)))
  }
  for (const file of readdirSync(SMALL))
    figures.push(...(await measureSmallSet(SmallSet.parse(parse(readFileSync(join(SMALL, file), 'utf8'))))))
  return figures
}

/** Questions of another author about documentation; a right answer matches the set's expressions. */
async function measureSmallSet(set: SmallSet): Promise<Figure[]> {
  if (!existsSync(pagesDirectory(set))) await fetchCollection(set)
  const entries = readdirSync(pagesDirectory(set), { recursive: true, withFileTypes: true })
  const pages = entries.flatMap((entry) => (entry.isFile() ? relative(pagesDirectory(set), join(entry.parentPath, entry.name)) : []))
  const files = new Map(
    pages
      .filter((page) => new RegExp(set.pages).test(page))
      .map((page) => [page.replaceAll('/', '-'), readFileSync(join(pagesDirectory(set), page), 'utf8')]),
  )
  const questionOf = new Map(set.questions.map((question) => [question.id, question]))
  const before = (id: string | undefined): string[] => {
    const question = id === undefined ? undefined : questionOf.get(id)
    return question ? [...before(question.after), question.question] : []
  }
  const asked = set.questions.map(({ question, right, after }) => ({
    prompt: question,
    earlier: before(after),
    isCovered: right !== undefined,
    isRight: (quotation: string) => right?.every((expression) => new RegExp(expression, 'i').test(quotation)) ?? false,
  }))
  return measure(set.package, files, [[`${set.package}, ${set.use === 'tuning' ? 'fitted on' : 'not fitted on'}`, asked]])
}

async function measure(name: string, files: ReadonlyMap<string, string>, sets: [set: string, asked: Asked[]][]): Promise<Figure[]> {
  const documents = [...files].map(([id, text]) => ({ id, title: '', text: text.replaceAll(/<[^>]*>/g, ' ') }))
  const chunks = documents.flatMap((document) => chunksOf([document]).map((quotation) => ({ quotation, file: document.id })))
  const rank = bm25(
    chunks.map(({ quotation }) => quotation),
    stemmer,
  )
  const { words, vectors, close } = await open(name, files)
  try {
    const figures: Figure[] = []
    for (const [set, asked] of sets) {
      const first = asked.map(({ prompt }) => chunks[rank(prompt, 1)[0]?.index ?? -1])
      for (const [what, search] of [
        ['by words', words],
        ['with vectors', vectors],
      ] as const) {
        const answers: (Quoted | undefined)[] = []
        for (const one of asked) answers.push(quotedIn(await answerTo(one, search)))
        figures.push({
          set: `${set} (${asked.length})`,
          what: `built-in assistant ${what}`,
          parley: sharesOf(asked, answers),
          baseline: `the first of BM25: ${sharesOf(asked, first)}`,
        })
      }
    }
    return figures
  } finally {
    await close()
  }
}

interface Quoted {
  quotation: string
  file: string
}

const quotedIn = ({ text, source }: Answer): Quoted | undefined => source && { quotation: text, file: source.filename }

function sharesOf(asked: readonly Asked[], quoted: readonly (Quoted | undefined)[]): string {
  const isUseful = ({ isRight }: Asked, at: number) => isRight(quoted[at]?.quotation ?? '', quoted[at]?.file ?? '')
  const covered = asked.filter(({ isCovered }) => isCovered).length
  const useful = asked.filter(isUseful).length
  const misleading = asked.filter((one, at) => quoted[at] && !isUseful(one, at)).length
  return `useful ${share(useful, covered)}, misleading ${share(misleading, asked.length)}`
}

const share = (count: number, all: number) => `${((100 * count) / all).toFixed(1)} % (${count} of ${all})`

/** The answer after the searches that the assistant asks for. */
async function answerTo({ prompt, earlier }: Asked, search: Search): Promise<Answer> {
  const messages: LanguageModelV4Prompt = [
    ...earlier.flatMap(
      (text): LanguageModelV4Prompt => [
        { role: 'user', content: [{ type: 'text', text }] },
        { role: 'assistant', content: [{ type: 'text', text: '…' }] },
      ],
    ),
    { role: 'user', content: [{ type: 'text', text: prompt }] },
  ]
  const tools = [{ type: 'function' as const, name: 'search_knowledge', inputSchema: {} }]
  const around = { starters: [], ownStarters: [], languageOf }
  const step = await nextStep({ prompt: messages, tools }, around)
  if (step.kind === 'say') return step.answer
  for (const [at, { toolName, input }] of step.calls.entries()) {
    const value = JSON.parse(JSON.stringify(await search(input['query'] ?? '')))
    messages.push({ role: 'tool', content: [{ type: 'tool-result', toolCallId: `${at}`, toolName, output: { type: 'json', value } }] })
  }
  const last = await nextStep({ prompt: messages, tools }, around)
  return last.kind === 'say' ? last.answer : { text: '' }
}

/** Opens a knowledge base of the files without vectors, and one with those of the configured model or of `npm run embedding-model`. */
async function open(
  name: string,
  files: ReadonlyMap<string, string>,
): Promise<{ words: Search; vectors: Search; close: () => Promise<void> }> {
  const directory = mkdtempSync(join(tmpdir(), 'parley-builtin-'))
  for (const [file, text] of files) writeFileSync(join(directory, file), text)
  const { embedding } = readSettings()
  if (embedding === null) throw new Error('There is no embedding model: run npm run embedding-model once')
  const dataDirectory = join(VECTORS, name)
  mkdirSync(dataDirectory, { recursive: true })
  const onWarning = (message: string) => void process.stderr.write(`${message}\n`)
  const localRuntime = localRuntimePaths({ dataDirectory, variables: {} }, join(ROOT, '.runtime/local-model'))
  const byWords = await KnowledgeBase.open({ directory, dataDirectory: null, onWarning })
  const base = await KnowledgeBase.open({ directory, dataDirectory, embedding, localRuntime, onWarning })
  await Promise.all([byWords.ready, base.ready])
  while (base.embeddingProgress || !existsSync(join(dataDirectory, 'knowledge/vectors'))) await pause(RETRY_MS)
  const options = { folders: ['.'], caller: 'builtin' } as const
  return {
    words: (query) => byWords.search(query, options),
    vectors: async (query) => {
      // On a busy machine, a query may not get its vector in time.
      for (;;) {
        const result = await base.search(query, options)
        if (result.passages.some(({ closeness }) => closeness !== null)) return result
        await pause(RETRY_MS)
      }
    },
    close: async () => {
      await Promise.all([byWords.close(), base.close()])
      rmSync(directory, { recursive: true })
    },
  }
}
