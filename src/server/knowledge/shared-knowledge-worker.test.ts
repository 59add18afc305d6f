import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type PgliteServer, startPglite } from '../../../test/support/pglite.ts'
import type { AnsweredRequest, WorkerReply, WorkerRequest } from './knowledge-worker.ts'
import type { SearchKnowledgeResult } from './retrieval/search.ts'
import type { SharedWorkerSetup } from './shared-knowledge-worker.ts'

type Answer = Extract<WorkerReply, { kind: 'result' | 'failure' }>
type Question = AnsweredRequest extends infer Request ? (Request extends AnsweredRequest ? Omit<Request, 'id'> : never) : never

const ALL = { folders: ['.'] }
const WORDS = ['bicycle', 'bread', 'velo']

let server: PgliteServer
let folder: string
const opened: { close(): Promise<unknown> }[] = []
beforeAll(async () => {
  server = await startPglite({ hasPgvector: true })
})
afterAll(() => server.stop())
beforeEach(async () => {
  const admin = new pg.Client(server.url)
  await admin.connect()
  await admin.query('DROP SCHEMA IF EXISTS parley_knowledge CASCADE; DROP EXTENSION IF EXISTS vector CASCADE')
  await admin.end()
  folder = mkdtempSync(join(tmpdir(), 'shared-worker-'))
  for (const word of WORDS.slice(0, 2))
    writeFileSync(join(folder, `${word}.md`), `# All about ${word}\n\n## Where is a ${word}?\n\nHere.\n\n## Who has a ${word}?\n\nWe do.\n`)
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()))
  rmSync(folder, { recursive: true })
})

/** A worker as the knowledge base starts it, with what it says. Texts are embedded by their first word of `WORDS`; "velo" is a bicycle. */
function start(change: Partial<SharedWorkerSetup> = {}) {
  const workerData: SharedWorkerSetup = {
    directory: folder,
    sourcesDirectory: null,
    languages: ['english'],
    enrichmentFile: null,
    skip: [],
    embedding: null,
    rerank: null,
    databaseUrl: server.url,
    ...change,
  }
  const worker = new Worker(new URL('./shared-knowledge-worker.ts', import.meta.url), { workerData })
  opened.push({ close: () => worker.terminate() })
  const said: WorkerReply[] = []
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  const send = (request: WorkerRequest) => worker.postMessage(request)
  const vectorOf = (text: string) => {
    const at = WORDS.findIndex((word) => text.includes(word)) % 2
    return [Number(at === 0), Number(at === 1), 0.1]
  }
  const waiting = new Map<number, (reply: Answer) => void>()
  worker.on('message', (reply: WorkerReply) => {
    said.push(reply)
    if (reply.kind === 'embed') send({ kind: 'embedded', id: reply.id, vectors: reply.texts.map(vectorOf) })
    if (reply.kind === 'result' || reply.kind === 'failure') waiting.get(reply.id)?.(reply)
  })
  const ask = (request: Question) => {
    const { promise, resolve } = Promise.withResolvers<Answer>()
    const id = waiting.size
    waiting.set(id, resolve)
    send({ ...request, id })
    return promise
  }
  const isRead = async (times = 1) => {
    await expect.poll(() => said.filter((reply) => reply.kind === 'reading' && reply.file === null).length).toBeGreaterThanOrEqual(times)
  }
  const search = async (query: string, caller: 'model' | 'builtin' = 'model') => {
    const reply = await ask({ kind: 'search', query, options: { ...ALL, caller } })
    return reply.kind === 'result' ? (reply.result as SearchKnowledgeResult).passages : []
  }
  const searchedFiles = async (...asked: Parameters<typeof search>) => (await search(...asked)).map(({ file }) => file)
  return { said, send, ask, isRead, search, searchedFiles }
}

test('indexes the folder, and describes and lists what it has read', async () => {
  const { ask, isRead, said } = start({ skip: ['other.md'] })
  await isRead()
  const overview = { documents: 2, topics: ['All about bicycle', 'All about bread'] }
  expect(await ask({ kind: 'overview', folders: ['.'] })).toMatchObject({ result: overview })
  expect(await ask({ kind: 'overview', folders: ['elsewhere'] })).toMatchObject({ result: { documents: 0 } })
  expect(await ask({ kind: 'documents', limit: 1 })).toMatchObject({ result: [{ file: 'bicycle.md', title: 'All about bicycle' }] })
  expect(said.filter((reply) => reply.kind === 'reading').map((reply) => reply.file)).toEqual(['bicycle.md', 'bread.md', null])
  expect(said.findLast((reply) => reply.kind === 'service')).toEqual({ kind: 'service', service: 'database', problem: null })
})

test('searches, and reads the passages around one, also after the folder has changed', async () => {
  const { ask, isRead, search, searchedFiles, send } = start()
  await isRead()
  expect(await searchedFiles('bread')).toEqual(['bread.md', 'bread.md'])
  const [first] = await search('where is a bread', 'builtin')
  expect(first?.heading).toBe('Where is a bread?')
  const around = await ask({ kind: 'neighbours', passage: first!.id, options: { ...ALL, before: 1, after: 1 } })
  expect(around).toMatchObject({ result: { before: [], after: [{ heading: 'Who has a bread?' }] } })
  writeFileSync(join(folder, 'tea.md'), '# Tea\n\n## Is it hot?\n\nTea is hot.\n')
  send({ kind: 'refresh' })
  await isRead(2)
  expect(await searchedFiles('tea')).toEqual(['tea.md'])
})

test('searches by meaning for models alone, once the passages have vectors', async () => {
  const embedding = { kind: 'requested' as const, identity: 'm', prefixes: { query: '', passage: '' } }
  const { isRead, searchedFiles, send } = start({ embedding })
  await isRead()
  await expect.poll(() => searchedFiles('velo')).toContain('bicycle.md')
  expect(await searchedFiles('velo', 'builtin')).toEqual([])
  writeFileSync(join(folder, 'velo.md'), '# All about velo\n\n## Where is a velo?\n\nHere.\n')
  send({ kind: 'refresh' })
  await expect.poll(() => searchedFiles('bicycle')).toContain('velo.md')
})

test('says that the reranker is away', async () => {
  const { isRead, said, searchedFiles } = start({ rerank: { baseUrl: 'http://127.0.0.1:1', apiKey: null, model: 'm', limitMs: 100 } })
  await isRead()
  const saidAfterSearch = async () => {
    expect(await searchedFiles('bread')).toEqual(['bread.md', 'bread.md'])
    return said
  }
  await expect.poll(saidAfterSearch).toContainEqual({ kind: 'service', service: 'rerank', problem: expect.any(String) })
})

test('says that a request failed, and that the database is away', async () => {
  const { ask, said } = start({ databaseUrl: 'postgres://postgres:postgres@127.0.0.1:1/postgres' })
  expect(await ask({ kind: 'search', query: 'bread', options: { ...ALL, caller: 'model' } })).toMatchObject({ kind: 'failure' })
  const isAway = () => said.some((reply) => reply.kind === 'service' && reply.service === 'database' && reply.problem !== null)
  await expect.poll(isAway).toBe(true)
})
