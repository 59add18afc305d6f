import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type PgliteServer, startPglite } from '../../../../test/support/pglite.ts'
import { Embedder } from '../embeddings/embedder.ts'
import { SharedStore } from './shared-store.ts'
import { NO_PGVECTOR, removeUnusedVectors, SharedVectors } from './shared-vectors.ts'

const LIMIT_MS = 200_000
const WORDS = ['tea', 'cup', 'pot', 'lid']

let server: PgliteServer
let admin: pg.Client
let store: SharedStore
beforeAll(async () => {
  server = await startPglite({ hasPgvector: true })
}, LIMIT_MS)
afterAll(() => server.stop())
beforeEach(async () => {
  admin = new pg.Client(server.url)
  await admin.connect()
  await admin.query('DROP SCHEMA IF EXISTS parley_knowledge CASCADE; DROP EXTENSION IF EXISTS vector CASCADE')
  store = new SharedStore(server.url, 'one', () => undefined)
  await store.open()
  await store.lease()
})
afterEach(async () => {
  await store.close()
  await admin.end()
})

function passageOf(text: string, folder = '') {
  const file = `${folder}${text}.md`
  const context = { title: 'T', heading: 'H', path: [], place: null, keywords: '', subheadings: [], address: null, asOf: null }
  return { id: text, ordinal: 0, passage: { ...context, file, text }, contentHash: text, length: 1, terms: [text] }
}
async function write(text: string, folder = ''): Promise<void> {
  const passage = passageOf(text, folder)
  await store.replace(passage.passage.file, { size: 1, mtimeMs: 1, hash: text }, [passage])
}

/** An embedder whose vectors point where the word of `WORDS` at the end of a text says. */
function embedderWith({ identity = 'm', dimensions = 8 } = {}) {
  const asked: string[] = []
  const problems: (string | null)[] = []
  const embed = async (texts: readonly string[]) => {
    asked.push(...texts)
    return texts.map((text) =>
      Array.from({ length: dimensions }, (_, at) => Math.sin(at * (1 + WORDS.findIndex((word) => text.endsWith(word))))),
    )
  }
  const embedder = new Embedder({
    embed,
    prefixes: { query: '', passage: '' },
    textsPerRequest: 3,
    name: 'endpoint',
    identity,
    onProblem: (problem) => problems.push(problem),
  })
  return { embedder, asked, problems }
}
const open = async (embedder: Embedder) => (await SharedVectors.open(store, embedder))!
const idsOf = async (vectors: SharedVectors, query: string, folders = ['.']) => (await vectors.nearest(query, folders)).map(({ id }) => id)
const countVectors = async () =>
  (await admin.query<{ count: number }>('SELECT count(*)::int AS count FROM parley_knowledge.vectors')).rows[0]?.count

test('finds the passage nearest to a query first, of the selected folders alone', async () => {
  for (const word of WORDS) await write(word, word === 'tea' ? 'drinks/' : '')
  const { embedder, problems } = embedderWith()
  const vectors = await open(embedder)
  expect(await vectors.nearest('pot', ['.'])).toEqual([])
  await vectors.fill(() => true)
  for (const word of WORDS) expect((await idsOf(vectors, word))[0]).toBe(word)
  const [first] = await vectors.nearest('cup', ['.'])
  expect(first).toMatchObject({ id: 'cup', ordinal: 0, passage: { text: 'cup' }, similarity: expect.closeTo(1, 3) })
  expect(await idsOf(vectors, 'cup', ['drinks'])).toEqual(['tea'])
  expect(problems.filter((problem) => problem !== null)).toEqual([])
})

test('embeds what has no vector yet, in requests of as many texts as the endpoint takes, and stops when another process writes', async () => {
  for (const word of WORDS) await write(word)
  const { embedder, asked } = embedderWith()
  const vectors = await open(embedder)
  let mayGoOn = 1
  await vectors.fill(() => (mayGoOn -= 1) >= 0)
  expect([asked.length, await countVectors()]).toEqual([3, 3])
  await vectors.fill(() => true)
  await vectors.fill(() => true)
  expect([asked.length, await countVectors()]).toEqual([4, 4])
  await store.remove('cup.md')
  await removeUnusedVectors(store)
  expect([await countVectors(), await idsOf(vectors, 'cup')]).toEqual([3, expect.not.arrayContaining(['cup'])])
})

test('another model begins anew, and forgets the vectors of queries', async () => {
  for (const word of WORDS) await write(word)
  await (await open(embedderWith().embedder)).fill(() => true)
  const other = embedderWith({ identity: 'other', dimensions: 9 })
  const vectors = await open(other.embedder)
  expect(await idsOf(vectors, 'tea')).toEqual([])
  await other.embedder.queryVector('lid')
  await vectors.fill(() => true)
  expect([await countVectors(), (await idsOf(vectors, 'lid'))[0]]).toEqual([4, 'lid'])
  expect(other.asked.filter((text) => text === 'lid')).toHaveLength(2)
})

test('reports what fails, and that it works again', async () => {
  await write('tea')
  const { embedder, problems } = embedderWith()
  const vectors = await open(embedder)
  await vectors.fill(() => true)
  await admin.query('ALTER TABLE parley_knowledge.vectors RENAME TO away')
  await write('cup')
  await expect(vectors.fill(() => true)).rejects.toThrow('vectors')
  expect(problems.at(-1)).toBe('Storing the vectors of the knowledge in PostgreSQL failed. It is tried again.')
  expect(await idsOf(vectors, 'tea')).toEqual([])
  expect(problems.at(-1)).toBe('The knowledge is searched by words alone for now: searching the vectors in PostgreSQL failed.')
  await admin.query('ALTER TABLE parley_knowledge.away RENAME TO vectors')
  await vectors.fill(() => true)
  expect([(await idsOf(vectors, 'cup'))[0], problems.at(-1)]).toEqual(['cup', null])
})

test('says what an operator has to install where there is no pgvector', async () => {
  const { embedder, problems } = embedderWith()
  await admin.query("CREATE EXTENSION vector; UPDATE pg_extension SET extversion = '0.7.4' WHERE extname = 'vector'")
  expect(await SharedVectors.open(store, embedder)).toBeNull()
  expect(problems).toEqual([NO_PGVECTOR])
  expect(NO_PGVECTOR).toMatch(/Install pgvector, run CREATE EXTENSION vector/)
})

test.each([
  [1_536, 'vector(1536)', true],
  [3_072, 'halfvec(3072)', true],
  [4_096, 'vector(4096)', false],
])(
  'stores and finds vectors of %i dimensions as %s',
  async (dimensions, type, hasIndex) => {
    for (const text of WORDS) await write(text)
    const { embedder, problems } = embedderWith({ dimensions })
    const vectors = await open(embedder)
    await vectors.fill(() => true)
    const near = await vectors.nearest('pot', ['.'])
    expect(near).toHaveLength(4)
    expect([near[0]?.id, near[0]?.similarity]).toEqual(['pot', expect.closeTo(1, 2)])
    expect(problems.filter((problem) => problem !== null)).toEqual([])
    const column = await admin.query<{ type: string }>(
      `SELECT format_type(atttypid, atttypmod) AS type FROM pg_attribute WHERE attrelid = 'parley_knowledge.vectors'::regclass AND attname = 'vector'`,
    )
    expect(column.rows[0]?.type).toBe(type)
    const indexes = await admin.query<{ indexdef: string }>(`SELECT indexdef FROM pg_indexes WHERE tablename = 'vectors'`)
    expect(indexes.rows.some(({ indexdef }) => indexdef.includes('USING hnsw'))).toBe(hasIndex)
  },
  LIMIT_MS,
)
