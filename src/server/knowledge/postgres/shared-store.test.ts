import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDatabase } from '../../../../test/support/postgres.ts'
import type { Passage } from '../ingestion/passages.ts'
import { LeaseLost, SharedStore } from './shared-store.ts'

const FILE = { size: 1, mtimeMs: 1, hash: 'h' }

let database: Awaited<ReturnType<typeof createDatabase>>
let admin: pg.Client
let one: SharedStore
let other: SharedStore
beforeEach(async () => {
  database = await createDatabase()
  admin = new pg.Client(database.url)
  await admin.connect()
  one = new SharedStore(database.url, 'one', () => undefined)
  other = new SharedStore(database.url, 'other', () => undefined)
  await Promise.all([one.open(), other.open()])
})
afterEach(async () => {
  await Promise.all([one.close(), other.close(), admin.end()])
  await database.drop()
})

function passageOf(file: string, text: string, terms: string[]) {
  const passage: Passage = {
    file,
    title: 'T',
    heading: 'H',
    path: [],
    text,
    place: null,
    keywords: '',
    subheadings: [],
    address: null,
    asOf: null,
  }
  return {
    id: `${file} ${text}`.slice(0, 12),
    ordinal: 0,
    passage,
    contentHash: `${file} ${text}`.toWellFormed().replaceAll('\u0000', ' '),
    length: terms.length,
    terms,
  }
}

const expire = () => admin.query(`UPDATE parley_knowledge.state SET expires_at = now() - interval '1 second'`)
const textsFor = async (term: string) =>
  (await one.candidates({ anyOf: [term], groups: [{ terms: [term], weight: 1 }], folders: ['.'], limit: 10 })).map(
    ({ passage }) => passage.text,
  )

test('one process at a time writes, and one that lost its lease changes nothing', async () => {
  expect([await one.lease(), await other.lease(), await one.lease()]).toEqual([true, false, true])
  await one.replace('a.md', FILE, [passageOf('a.md', 'old', ['tea'])])
  await expire()
  expect(await other.lease()).toBe(true)
  await expect(one.replace('a.md', FILE, [passageOf('a.md', 'late', ['tea'])])).rejects.toThrow(LeaseLost)
  await other.replace('a.md', FILE, [passageOf('a.md', 'new', ['tea'])])
  expect(await textsFor('tea')).toEqual(['new'])
  await other.release()
  expect(await one.lease()).toBe(true)
})

test('counts follow the documents', async () => {
  await one.lease()
  await one.replace('a.md', FILE, [passageOf('a.md', 'a', ['tea', 'cup'])])
  await one.replace('b.md', FILE, [passageOf('b.md', 'b', ['tea'])])
  await one.replace('b.md', FILE, [passageOf('b.md', 'c', ['tea', 'pot', 'lid'])])
  expect(await one.state()).toMatchObject({ passages: 2, totalLength: 5 })
  expect(new Map(await one.frequencies(['tea', 'cup', 'pot']))).toEqual(
    new Map([
      ['tea', 2],
      ['cup', 1],
      ['pot', 1],
    ]),
  )
  await one.remove('b.md')
  expect(await one.state()).toMatchObject({ passages: 1, totalLength: 2 })
  expect(await one.frequencies(['tea', 'pot'])).toEqual([['tea', 1]])
})

test('an index built with another configuration is rebuilt', async () => {
  await one.lease()
  await one.begin('english', '')
  await one.replace('a.md', FILE, [passageOf('a.md', 'a', ['tea'])])
  await one.begin('english', 'tea, chai')
  expect([(await one.files()).size, (await one.state()).synonyms]).toEqual([1, 'tea, chai'])
  await one.begin('english,german', '')
  expect([(await one.files()).size, (await one.state()).passages, await one.frequencies(['tea'])]).toEqual([0, 0, []])
})

test.each(["it's", 'back\\slash', 'a | b', "':*", 'emoji 🦩', 'nul\u0000', String.raw`\u0000`, 'half \ud83e'])(
  'a term and a text with %j are stored and found',
  async (term) => {
    const kept = term.replace('\u0000', ' ').toWellFormed()
    await one.lease()
    await one.replace('a.md', FILE, [passageOf('a.md', term, [term])])
    expect(await textsFor(kept)).toEqual([kept])
  },
)

test('a folder whose name contains a pattern matches only itself', async () => {
  await one.lease()
  for (const file of ['a_b/x.md', 'acb/x.md', '100%/x.md', '100x/x.md']) await one.replace(file, FILE, [passageOf(file, file, ['tea'])])
  const inFolder = async (folder: string) =>
    (await one.candidates({ anyOf: ['tea'], groups: [], folders: [folder], limit: 10 })).map(({ passage }) => passage.text)
  expect([await inFolder('a_b'), await inFolder('100%')]).toEqual([['a_b/x.md'], ['100%/x.md']])
})

test('a connection that breaks while nobody uses it is reported', async () => {
  const broken: Error[] = []
  const store = new SharedStore(database.url, 'third', (cause) => broken.push(cause))
  await store.open()
  await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()')
  await expect.poll(() => broken.length).toBeGreaterThan(0)
  await store.close()
})
