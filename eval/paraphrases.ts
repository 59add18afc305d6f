import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { foldWording } from '../src/text/fold-wording.ts'
import { readSettings } from '../src/server/config/config.ts'
import { KnowledgeBase } from '../src/server/knowledge/knowledge-base.ts'
import { localRuntimePaths } from '../src/server/local-runtime/model-supervisor.ts'
import { ApprovedAnswers, fileOfAnswer } from '../src/server/replies/approved/approved-answers.ts'
import { type Figure, readPublished } from './published.ts'

const ROOT = join(import.meta.dirname, '..')
const RETRY_MS = 500
const ASKED_OF_INTENT = 10
const OUT_OF_SCOPE = 'out of scope'
const DRAFT = {
  matches: [],
  mustNotMatch: [],
  owner: 'nobody',
  sourceTitle: 'Published questions',
  sourceUrl: '',
  validFrom: '2020-01-01',
  validUntil: '2100-01-01',
  text: 'The answer.',
}
const Pairs = z.object({ alike: z.record(z.string(), z.array(z.string())), unlike: z.array(z.tuple([z.string(), z.string()])) })
const Sets = z.partialRecord(z.enum(['en', 'de']), Pairs)
const Services = z.object({
  banking77: z.array(z.tuple([z.string(), z.string()])),
  clinc: z.array(z.tuple([z.string(), z.string()])),
  clinc_out_of_scope: z.array(z.string()),
})
type Language = keyof z.infer<typeof Sets>

interface Answers {
  knowledge: KnowledgeBase
  approved: ApprovedAnswers
}

interface Pair {
  wording: string
  prompt: string
  similarity: number
  isAnswered: boolean
}

/**
 * How often a prompt that means the same as the one wording of an approved answer gets it, and one that means something else; then, with one
 * wording for each intent of two services, how many of their prompts get the answer of their intent, and of another.
 */
export async function* measureParaphrases(folder: string): AsyncGenerator<Figure, void, undefined> {
  const sets = Sets.parse(readPublished(folder, 'paraphrases'))
  // The model that the settings name, or the one of `npm run embedding-model`.
  const { embedding } = readSettings()
  if (embedding === null) return
  const directory = mkdtempSync(join(tmpdir(), 'parley-paraphrases-'))
  mkdirSync(join(directory, 'approved'))
  writeFileSync(join(directory, 'empty.md'), '# Empty\n\nNothing.\n')
  const onWarning = (message: string) => void process.stderr.write(`${message}\n`)
  const localRuntime = localRuntimePaths({ dataDirectory: join(ROOT, 'dist'), variables: {} }, join(ROOT, '.runtime/local-model'))
  const knowledge = await KnowledgeBase.open({ directory, dataDirectory: null, embedding, localRuntime, onWarning })
  const answers = { knowledge, approved: new ApprovedAnswers({ directory, knowledge, now: () => new Date(), onWarning }) }
  try {
    for (const [language, { alike, unlike }] of Object.entries(sets))
      yield await measureLanguage(answers, language as Language, { alike, unlike })
    const { banking77, clinc, clinc_out_of_scope: outOfScope } = Services.parse(readPublished(folder, 'service-prompts'))
    yield await measureService(answers, 'BANKING77', banking77)
    yield await measureService(answers, 'CLINC150', [...clinc, ...outOfScope.map((prompt): [string, string] => [prompt, OUT_OF_SCOPE])])
  } finally {
    await knowledge.close()
    rmSync(directory, { recursive: true })
  }
}

async function measureLanguage(answers: Answers, language: Language, { alike, unlike }: z.infer<typeof Pairs>): Promise<Figure> {
  const paraphrases = Object.entries(alike).flatMap(([wording, prompts]) => prompts.map((prompt) => [wording, prompt] as const))
  const [same, other] = [await askAll(answers, paraphrases, language), await askAll(answers, unlike, language)]
  const found = (isFound: (pair: Pair) => boolean) => `${same.filter(isFound).length}, ${other.filter(isFound).length} false`
  const least = Math.max(...other.map(({ similarity }) => similarity))
  return {
    set: `COVID-QA, ${same.length} paraphrases and ${other.length} unlike pairs (${language})`,
    what: 'given the approved answer',
    parley: found(({ isAnswered }) => isAnswered),
    baseline:
      `exact wordings ${found(({ wording, prompt }) => foldWording(wording) === foldWording(prompt))}; ` +
      `similarity above ${least.toFixed(3)} ${found(({ similarity }) => similarity > least)}`,
  }
}

/** Asks each prompt of an installation whose only approved answer has the one wording. */
async function askAll(
  answers: Answers,
  pairs: readonly (readonly [wording: string, prompt: string])[],
  language: Language,
): Promise<Pair[]> {
  const asked: Pair[] = []
  for (const [wording, prompts] of Map.groupBy(pairs, ([first]) => first)) {
    await answers.approved.setManaged([{ id: 'only', content: { ...DRAFT, question: wording, languages: [language] } }])
    for (const [, prompt] of prompts) {
      const { similarity, answer } = await ask(answers, prompt)
      asked.push({ wording, prompt, similarity, isAnswered: answer !== null })
    }
  }
  return asked
}

async function ask({ knowledge, approved }: Answers, prompt: string) {
  // On a busy machine, a prompt may not get its vector in time.
  let near = await knowledge.nearWordings(prompt)
  for (; near.length === 0; near = await knowledge.nearWordings(prompt)) await pause(RETRY_MS)
  return { similarity: near[0]?.similarity ?? 0, answer: await approved.answerTo(prompt, []) }
}

/** The first prompt of each intent is the wording of its answer; the next ones are asked. */
async function measureService(answers: Answers, name: string, prompts: readonly [prompt: string, intent: string][]): Promise<Figure> {
  const intents = Map.groupBy(prompts, ([, intent]) => intent)
  const wordings = [...intents].filter(([intent]) => intent !== OUT_OF_SCOPE)
  const managed = wordings.map(([id, [first]]) => ({ id, content: { ...DRAFT, question: first?.[0] ?? '', languages: ['en' as const] } }))
  await answers.approved.setManaged(managed)
  const counts = { own: 0, other: 0, none: 0 }
  for (const [intent, all] of intents)
    for (const [prompt] of all.slice(1, ASKED_OF_INTENT + 1)) {
      const { answer } = await ask(answers, prompt)
      counts[answer === null ? 'none' : answer.file === fileOfAnswer(intent) ? 'own' : 'other'] += 1
    }
  const total = counts.own + counts.other + counts.none
  return {
    set: `${name}, ${managed.length} approved answers, ${total} prompts`,
    what: 'given the own answer, and another',
    parley: `${counts.own}, ${counts.other}`,
    baseline: 'none, none',
  }
}
