import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { EMBEDDING_MODEL_FILE, hasEmbeddingModel } from '../../../../../scripts/embedding-model.mjs'
import { LOCAL_MODEL_FOLDER } from '../../../../../scripts/local-model.mjs'
import { eventually } from '../../../../../test/support/eventually.ts'
import { brokenModel, tinyModel } from '../../../../../test/support/tiny-model.ts'
import { ApprovedAnswers } from '../../../replies/approved/approved-answers.ts'
import { KnowledgeBase } from '../../knowledge-base.ts'
import { prefixesOf } from '../prefixes.ts'
import { LocalEmbedding } from './local-embedding.ts'

const folder = mkdtempSync(join(tmpdir(), 'parley-embedding-'))
const path = join(folder, 'tiny.gguf')
const place = { modelsDirectory: folder, libraryDirectory: LOCAL_MODEL_FOLDER, env: {} }
const source = { kind: 'file' as const, path, sha256: null }
const never = new AbortController().signal
const closing: { close(): Promise<void> }[] = []
let local: LocalEmbedding
beforeAll(async () => {
  writeFileSync(path, tinyModel().bytes)
  local = new LocalEmbedding({ source, place, onWarning: () => undefined })
  closing.push(local)
  // On a busy machine the library may take longer to start than a request waits for it.
  await eventually(() => expect(local.problem).toBeNull(), 100_000)
})
afterAll(async () => {
  await Promise.all(closing.map((one) => one.close()))
  rmSync(folder, { recursive: true })
})

/** Without attention, the tiny model's vector of a text depends on its last character alone. */
function cosine(one: readonly number[] = [], other: readonly number[] = []): number {
  const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)
  return dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other))
}

test('gives each text its vector, texts longer than the model’s context included', async () => {
  const [one, other, same, long] = await local.embed(['the rain q', 'the rain z', 'a bicycle q', 'word '.repeat(5_000)], never)
  expect(one?.length).toBeGreaterThan(100)
  expect(cosine(one, same)).toBeCloseTo(1)
  expect(cosine(one, other)).toBeCloseTo(0)
  expect(long).toHaveLength(one?.length ?? 0)
})

test('embeds a query before passages queued earlier', async () => {
  const ended: string[] = []
  const passages = local.embed(Array<string>(200).fill('a passage'), never).then(() => ended.push('passages'))
  await local.embed(['query'], never).then(() => ended.push('query'))
  await passages
  expect(ended).toEqual(['query', 'passages'])
})

test('drops texts that nobody waits for any more', async () => {
  const leaving = new AbortController()
  const passages = local.embed(Array<string>(100_000).fill('a passage'), leaving.signal)
  leaving.abort(new Error('gone'))
  await expect(passages).rejects.toThrow('gone')
  expect(await local.embed(['query'], never)).toHaveLength(1)
})

test('a knowledge base with it finds passages that share no word with the query', async () => {
  const directory = mkdtempSync(join(folder, 'knowledge-'))
  writeFileSync(join(directory, 'a.md'), '# Things\n\n## Bicycle\n\nIt has two wheels in Iraq\n\n## Rain\n\nIt falls from clouds on jazz\n')
  const embedding = { kind: 'local' as const, source, prefixes: { query: 'query: ', passage: '' }, isDefault: false }
  const base = await KnowledgeBase.open({ directory, dataDirectory: folder, embedding, localRuntime: place, onWarning: () => undefined })
  closing.push(base)
  const first = async (query: string) => (await base.search(query, { folders: ['.'], caller: 'model' })).passages[0]?.heading
  await eventually(async () => expect(await first('vélo du coq')).toBe('Bicycle'), 100_000)
  expect(await first('pluie du quiz')).toBe('Rain')
  expect(base.problems).toEqual([])
  await eventually(() => expect(existsSync(join(folder, 'knowledge', 'vectors'))).toBe(true))
})

test('is not started where less than 1 GB of memory is free, and says so', async () => {
  const failing = new LocalEmbedding({ source, place, onWarning: () => undefined, freeBytes: () => 700 * 1024 ** 2 })
  closing.push(failing)
  await eventually(() => expect(failing.problem).toContain('is not started: 700 MB of memory are free, and it needs 1024.'), 100_000)
})

test('reports once that a file is not a model, and retries', async () => {
  const broken = join(folder, 'broken.gguf')
  writeFileSync(broken, brokenModel())
  const onWarning = vi.fn<(message: string) => void>()
  const failing = new LocalEmbedding({ source: { ...source, path: broken }, place, onWarning, firstPauseMs: 1 })
  closing.push(failing)
  const sentence = /^(Loading the local embedding model failed|The process of the local embedding model ended while loading it)/
  await eventually(() => expect(failing.problem).toMatch(sentence), 100_000)
  await expect(failing.embed(['text'], never)).rejects.toThrow(sentence)
  expect(onWarning.mock.calls).toEqual([[expect.stringMatching(sentence), undefined]])
})

test.skipIf(!hasEmbeddingModel())(
  'with the model of npm run embedding-model, an approved answer is given to what means the same',
  async () => {
    const directory = mkdtempSync(join(folder, 'approved-'))
    mkdirSync(join(directory, 'approved'))
    const answer = 'languages: [en]\nowner: x\nsource: x\nvalidFrom: 2000-01-01\nvalidUntil: 9999-12-31\n---\n96 euros'
    writeFileSync(join(directory, 'approved', 'dog-tax.md'), `---\nquestion: How much is the dog tax?\n${answer}\n`)
    const model = { kind: 'file' as const, path: EMBEDDING_MODEL_FILE, sha256: null }
    const embedding = { kind: 'local' as const, source: model, prefixes: prefixesOf('e5'), isDefault: true }
    const knowledge = await KnowledgeBase.open({
      directory,
      dataDirectory: null,
      embedding,
      localRuntime: place,
      onWarning: () => undefined,
    })
    closing.push(knowledge)
    const answers = new ApprovedAnswers({ directory, knowledge, now: () => new Date(), onWarning: () => undefined })
    await answers.reload()
    const textOf = async (prompt: string) => (await answers.answerTo(prompt, []))?.text ?? null
    await eventually(async () => expect(await textOf('What does the dog tax cost?')).toBe('96 euros'), 100_000)
    for (const prompt of ['How much is the cat tax?', 'Wie hoch ist die Hundesteuer?', 'Where do I register my dog?'])
      expect([prompt, await textOf(prompt)]).toEqual([prompt, null])
  },
)
