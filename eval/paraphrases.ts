// `node eval/paraphrases.ts FOLDER`: how often a prompt that means the same as the one wording of an approved answer gets it, and one that
// means something else, beside exact wordings and cosine similarity alone; then, with one wording for each intent of two services, how many of
// their prompts get the answer of their intent, and of another. FOLDER has `paraphrases.json.gz` and `service-prompts.json.gz`.
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
import { readPublished } from './published.ts'

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
const Sets = z.partialRecord(
  z.enum(['en', 'de']),
  z.object({ alike: z.record(z.string(), z.array(z.string())), unlike: z.array(z.tuple([z.string(), z.string()])) }),
)
const Services = z.object({
  banking77: z.array(z.tuple([z.string(), z.string()])),
  clinc: z.array(z.tuple([z.string(), z.string()])),
  clinc_out_of_scope: z.array(z.string()),
})
type Language = keyof z.infer<typeof Sets>

interface Pair {
  wording: string
  prompt: string
  similarity: number
  isAnswered: boolean
}

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Name the folder with paraphrases.json.gz')
const sets = Sets.parse(readPublished(folder, 'paraphrases'))
// The model that the settings name, or the one of `npm run embedding-model`.
const { embedding } = readSettings()
if (embedding === null) throw new Error('There is no embedding model: run npm run embedding-model once')

const directory = mkdtempSync(join(tmpdir(), 'parley-paraphrases-'))
mkdirSync(join(directory, 'approved'))
writeFileSync(join(directory, 'empty.md'), '# Empty\n\nNothing.\n')
const onWarning = (message: string) => void process.stderr.write(`${message}\n`)
const localRuntime = localRuntimePaths({ dataDirectory: join(ROOT, 'dist'), variables: {} }, join(ROOT, '.runtime/local-model'))
const knowledge = await KnowledgeBase.open({ directory, dataDirectory: null, embedding, localRuntime, onWarning })
const approved = new ApprovedAnswers({ directory, knowledge, now: () => new Date(), onWarning })
try {
  for (const [language, { alike, unlike }] of Object.entries(sets)) {
    const paraphrases = Object.entries(alike).flatMap(([wording, prompts]) => prompts.map((prompt) => [wording, prompt] as const))
    const [same, other] = [await askAll(paraphrases, language as Language), await askAll(unlike, language as Language)]
    const line = (name: string, isFound: (pair: Pair) => boolean) =>
      `${name} ${same.filter(isFound).length}, ${other.filter(isFound).length} false`
    const least = Math.max(...other.map(({ similarity }) => similarity))
    const percent = Math.round((same.filter(({ isAnswered }) => isAnswered).length / same.length) * 100)
    process.stdout.write(
      `${language}: of ${same.length} paraphrases (${other.length} unlike pairs) ` +
        [
          `${line('answered', ({ isAnswered }) => isAnswered)} (${percent} %)`,
          line('exact wordings', ({ wording, prompt }) => foldWording(wording) === foldWording(prompt)),
          line(`similarity above ${least.toFixed(3)}`, ({ similarity }) => similarity > least),
        ].join('; ') +
        '\n',
    )
  }
  const { banking77, clinc, clinc_out_of_scope: outOfScope } = Services.parse(readPublished(folder, 'service-prompts'))
  await measureService('BANKING77', banking77)
  await measureService('CLINC150', [...clinc, ...outOfScope.map((prompt): [string, string] => [prompt, OUT_OF_SCOPE])])
} finally {
  await knowledge.close()
  rmSync(directory, { recursive: true })
}

/** Asks each prompt of an installation whose only approved answer has the one wording. */
async function askAll(pairs: readonly (readonly [wording: string, prompt: string])[], language: Language): Promise<Pair[]> {
  const asked: Pair[] = []
  for (const [wording, prompts] of Map.groupBy(pairs, ([first]) => first)) {
    await approved.setManaged([{ id: 'only', content: { ...DRAFT, question: wording, languages: [language] } }])
    for (const [, prompt] of prompts) {
      const { similarity, answer } = await ask(prompt)
      asked.push({ wording, prompt, similarity, isAnswered: answer !== null })
    }
  }
  return asked
}

async function ask(prompt: string) {
  // On a busy machine, a prompt may not get its vector in time.
  let near = await knowledge.nearWordings(prompt)
  for (; near.length === 0; near = await knowledge.nearWordings(prompt)) await pause(RETRY_MS)
  return { similarity: near[0]?.similarity ?? 0, answer: await approved.answerTo(prompt, []) }
}

/** The first prompt of each intent is the wording of its answer; the next ones are asked. */
async function measureService(name: string, prompts: readonly [prompt: string, intent: string][]): Promise<void> {
  const intents = Map.groupBy(prompts, ([, intent]) => intent)
  const wordings = [...intents].filter(([intent]) => intent !== OUT_OF_SCOPE)
  const managed = wordings.map(([id, [first]]) => ({ id, content: { ...DRAFT, question: first?.[0] ?? '', languages: ['en' as const] } }))
  await approved.setManaged(managed)
  const counts = { own: 0, other: 0, none: 0 }
  for (const [intent, all] of intents)
    for (const [prompt] of all.slice(1, ASKED_OF_INTENT + 1)) {
      const { answer } = await ask(prompt)
      counts[answer === null ? 'none' : answer.file === fileOfAnswer(intent) ? 'own' : 'other'] += 1
    }
  process.stdout.write(`${name}, ${managed.length} answers: own ${counts.own}, another's ${counts.other}, none ${counts.none}\n`)
}
