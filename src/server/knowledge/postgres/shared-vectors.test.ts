import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type EmbeddingServer, startEmbeddingServer } from '../../../../test/support/embedding-server.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import { type PgliteServer, startPglite } from '../../../../test/support/pglite.ts'
import { KnowledgeBase } from '../knowledge-base.ts'
import { NO_PGVECTOR } from './shared-vectors.ts'

const LIMIT_MS = 200_000
const NO_PREFIXES = { query: '', passage: '' }
/** Groups of synonyms. A vector has one number per group. */
const MEANINGS = [
  ['bicycle', 'bike', 'velo'],
  ['rain', 'downpour'],
  ['bread', 'loaf'],
  ['library', 'lending'],
  ['passport', 'papers'],
]
/** Adds noise that differs for each text, so that no two are equally near. */
function vectorOf(text: string): number[] {
  const noise = createHash('sha256').update(text).digest()
  return MEANINGS.map((words, at) => Number(words.some((word) => text.toLowerCase().includes(word))) + (noise[at] ?? 0) / 1_000)
}

let server: PgliteServer
let admin: pg.Client
let endpoint: EmbeddingServer
let folder: string
let empty: string
const opened: KnowledgeBase[] = []
beforeAll(async () => {
  server = await startPglite({ hasPgvector: true })
}, LIMIT_MS)
afterAll(() => server.stop())
beforeEach(async () => {
  admin = new pg.Client(server.url)
  await admin.connect()
  await admin.query('DROP SCHEMA IF EXISTS parley_knowledge CASCADE; DROP EXTENSION IF EXISTS vector CASCADE')
  endpoint = await startEmbeddingServer(vectorOf)
  folder = mkdtempSync(join(tmpdir(), 'vectors-'))
  empty = mkdtempSync(join(tmpdir(), 'vectors-empty-'))
  for (const [at, [subject = '', ...others]] of MEANINGS.entries()) {
    mkdirSync(join(folder, subject))
    writeFileSync(
      join(folder, subject, 'about.md'),
      `# About\n\n## ${subject}\n\nForm ${at} is about it.\n\n## Lost ${subject}\n\nCall us.\n`,
    )
    writeFileSync(join(folder, subject, 'more.md'), `# More\n\n## The other ${others[0]}\n\nIt costs ${at} pounds.\n`)
  }
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((base) => base.close()))
  await Promise.all([admin.end(), endpoint.close()])
  for (const directory of [folder, empty]) rmSync(directory, { recursive: true })
})

interface Opening {
  directory?: string
  databaseUrl?: string | null
  model?: string
  warnings?: string[]
}

async function open({ directory = folder, databaseUrl = server.url, model = 'm', warnings = [] }: Opening = {}): Promise<KnowledgeBase> {
  const base = await KnowledgeBase.open({
    directory,
    dataDirectory: null,
    embedding: { kind: 'endpoint', baseUrl: endpoint.baseUrl, apiKey: null, model, prefixes: NO_PREFIXES },
    sharedIndex: databaseUrl === null ? null : { databaseUrl },
    onWarning: (message) => warnings.push(message),
  })
  opened.push(base)
  return base
}

async function closeAndExpireLease(base: KnowledgeBase): Promise<void> {
  await base.close()
  await admin.query("UPDATE parley_knowledge.state SET expires_at = now() - interval '1 second'")
}

const countOf = async (table: 'vectors' | 'passages') =>
  (await admin.query<{ count: number }>(`SELECT count(*)::int AS count FROM parley_knowledge.${table}`)).rows[0]?.count
const areFilled = () =>
  eventually(async () => {
    const count = await countOf('passages')
    expect(count).toBeGreaterThan(0)
    expect(await countOf('vectors')).toBe(count)
  }, LIMIT_MS)
const found = async (base: KnowledgeBase, query: string, folders = ['.']) =>
  (await base.search(query, { folders, caller: 'model' })).passages.map(({ file, heading }) => `${file} ${heading}`)
const embeddedPassages = () => endpoint.texts.filter((text) => text.includes('\n'))

test(
  'the nearest passages equal those of an index in memory, in every process',
  async () => {
    const writer = await open()
    await areFilled()
    const reader = await open({ directory: empty })
    const inMemory = await open({ databaseUrl: null })
    await reader.ready
    await eventually(async () => expect((await found(inMemory, 'velo'))[0]).toContain('bicycle/'), LIMIT_MS)
    for (const query of ['velo', 'downpour', 'where is my lost loaf?', 'papers for lending', 'form 3', 'bicycle']) {
      const expected = await found(inMemory, query)
      expect(expected.length, query).toBeGreaterThan(3)
      for (const shared of [writer, reader]) expect((await found(shared, query)).slice(0, 5), query).toEqual(expected.slice(0, 5))
    }
    expect((await writer.search('velo', { folders: ['.'], caller: 'builtin' })).passages).toEqual([])
  },
  3 * LIMIT_MS,
)

test(
  'the nearest passages are from the selected folders only',
  async () => {
    const base = await open()
    await areFilled()
    expect((await found(base, 'downpour')).length).toBeGreaterThan(3)
    const inBread = await found(base, 'downpour', ['bread'])
    expect(inBread).toHaveLength(3)
    expect(inBread.every((passage) => passage.startsWith('bread/'))).toBe(true)
  },
  2 * LIMIT_MS,
)

test(
  'deleting a file deletes its vectors, and a restart embeds only what is new',
  async () => {
    const first = await open()
    await areFilled()
    const before = await countOf('vectors')
    rmSync(join(folder, 'rain', 'about.md'))
    first.refresh()
    await eventually(async () => expect(await countOf('vectors')).toBe((before ?? 0) - 2), LIMIT_MS)
    expect((await found(first, 'rain')).filter((passage) => passage.startsWith('rain/about'))).toEqual([])
    await closeAndExpireLease(first)
    endpoint.texts.length = 0
    writeFileSync(join(folder, 'new.md'), '# New\n\n## Tea\n\nIt is hot.\n')
    await open()
    await eventually(async () => expect(await countOf('vectors')).toBe((before ?? 0) - 1), LIMIT_MS)
    expect(embeddedPassages()).toEqual(['New\nTea\nIt is hot.'])
  },
  3 * LIMIT_MS,
)

test(
  'vectors of another model are ignored, and replaced by a writer with another model',
  async () => {
    const first = await open()
    await areFilled()
    expect((await found(first, 'velo')).length).toBeGreaterThan(1)
    const other = await open({ directory: empty, model: 'other' })
    await other.ready
    expect([await found(other, 'velo'), await found(other, 'bike')]).toEqual([[], ['bicycle/more.md The other bike']])
    await other.close()
    await closeAndExpireLease(first)
    const count = embeddedPassages().length
    const replacing = await open({ model: 'other' })
    await eventually(async () => expect((await found(replacing, 'velo')).length).toBeGreaterThan(1), LIMIT_MS)
    await areFilled()
    expect(embeddedPassages().length).toBe(2 * count)
  },
  3 * LIMIT_MS,
)

test(
  'only words are searched while the vectors cannot be, which the problems report',
  async () => {
    const base = await open()
    await areFilled()
    await admin.query('ALTER TABLE parley_knowledge.vectors RENAME TO away')
    expect(await found(base, 'bike')).toEqual(['bicycle/more.md The other bike'])
    await expect.poll(() => base.problems).toEqual([expect.stringContaining('searching the vectors in PostgreSQL failed')])
    await admin.query('ALTER TABLE parley_knowledge.away RENAME TO vectors')
    expect((await found(base, 'bike')).length).toBeGreaterThan(1)
    await expect.poll(() => base.problems).toEqual([])
  },
  2 * LIMIT_MS,
)

test(
  'without pgvector, only words are searched, which the log and the problems report',
  async () => {
    const plain = await startPglite({ hasPgvector: false })
    try {
      const warnings: string[] = []
      const base = await open({ databaseUrl: plain.url, warnings })
      await eventually(async () => expect(await found(base, 'form 3')).toContain('library/about.md library'), LIMIT_MS)
      await base.ready
      expect(base.problems).toEqual([NO_PGVECTOR])
      expect(warnings).toEqual([NO_PGVECTOR])
      expect(endpoint.texts).toEqual([])
    } finally {
      await Promise.all(opened.splice(0).map((base) => base.close()))
      await plain.stop()
    }
  },
  2 * LIMIT_MS,
)
