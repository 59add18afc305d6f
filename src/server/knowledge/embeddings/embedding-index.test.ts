import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { KnowledgeIndex } from '../index/knowledge-index.ts'
import { readMarkdown } from '../ingestion/markdown.ts'
import { passagesOf } from '../ingestion/passages.ts'
import { Embedder } from './embedder.ts'
import { EmbeddingIndex, type EmbeddingIndexOptions } from './embedding-index.ts'

/** Groups of synonyms. A vector has one number per group. */
const MEANINGS = [
  ['bicycle', 'bike', 'velo'],
  ['rain', 'downpour'],
  ['bread', 'loaf'],
]
const vectorOf = (text: string) => MEANINGS.map((words) => (words.some((word) => text.toLowerCase().includes(word)) ? 1 : 0.01))

let dataDirectory: string
const asked: string[][] = []
let index: KnowledgeIndex
/** Numbers that the model appends to the meanings. */
let more: number[]
beforeEach(() => {
  dataDirectory = mkdtempSync(join(tmpdir(), 'vectors-'))
  asked.length = 0
  more = []
  index = new KnowledgeIndex()
  for (const word of ['Bicycle', 'Rain', 'Bread']) add(`a/${word}.md`, word)
})
afterEach(() => rmSync(dataDirectory, { recursive: true }))

const add = (file: string, word: string) => index.add(passagesOf(file, readMarkdown(`# About ${word}\n\nThis is about ${word}.`)))
const store = () => join(dataDirectory, 'vectors')
async function openVectors(
  { partCharacters, ...own }: Partial<EmbeddingIndexOptions> & { partCharacters?: number } = {},
  onProblem: (problem: string | null) => void = () => undefined,
) {
  const embed = async (texts: readonly string[]) => {
    asked.push([...texts])
    return texts.map((text) => [...vectorOf(text), ...more])
  }
  const options = {
    embed,
    prefixes: { query: '', passage: '' },
    textsPerRequest: 2,
    name: 'm',
    identity: 'm',
    onProblem,
    ...(partCharacters && { partCharacters }),
  }
  const vectors = await EmbeddingIndex.open({ index, embedder: new Embedder(options), store: store(), ...own })
  vectors.refresh()
  await vectors.filled
  return vectors
}
const nearest = async (vectors: EmbeddingIndex, query: string, folder = 'a', limit = 1) =>
  (await vectors.nearest(query, folder, (file) => file.startsWith(`${folder}/`), limit)).map(({ id }) => index.passage(id)?.title)

test('vectors are requested some at a time, and after a restart only for what is new', async () => {
  await openVectors()
  expect(asked.map(({ length }) => length)).toEqual([2, 1])
  asked.length = 0
  add('a/Loaf.md', 'Loaf')
  const vectors = await openVectors()
  expect(asked).toEqual([['About Loaf\nThis is about Loaf.']])
  expect([await nearest(vectors, 'velo'), await nearest(vectors, 'downpour')]).toEqual([['About Bicycle'], ['About Rain']])
  expect(new Set(await nearest(vectors, 'loaf', 'a', 2))).toEqual(new Set(['About Bread', 'About Loaf']))
})

test('with parts, a passage is as near as the nearest of its sentences, and is found once', async () => {
  const shop = '# Our shop\n\nWe repair every bicycle. We also sell fresh bread to everybody who waits. And a velo for your child.'
  index.add(passagesOf('b/shop.md', readMarkdown(shop)))
  const progress: unknown[] = []
  const vectors = await openVectors({ partCharacters: 35, onProgress: (now) => progress.push(now) })
  expect(asked.flat().filter((text) => text.startsWith('Our shop'))).toEqual([
    'Our shop\nWe repair every bicycle.',
    'Our shop\nWe also sell fresh bread to everybody who waits.',
    'Our shop\nAnd a velo for your child.',
  ])
  expect(progress).toEqual([{ embedded: 0, total: 4 }, { embedded: 1, total: 4 }, { embedded: 3, total: 4 }, null])
  const found = await vectors.nearest('bike', '.', () => true, 2)
  expect(new Set(found.map(({ id }) => index.passage(id)?.title))).toEqual(new Set(['About Bicycle', 'Our shop']))
  const loaf = await vectors.nearest('loaf', '.', (file) => file.startsWith('b/'), 4)
  expect(loaf.map(({ id, similarity }) => [index.passage(id)?.title, similarity.toFixed(1)])).toEqual([['Our shop', '1.0']])
})

test('tells how many passages have a vector, until all have one', async () => {
  const progress: unknown[] = []
  await openVectors({ onProgress: (now) => progress.push(now) })
  expect(progress).toEqual([{ embedded: 0, total: 3 }, { embedded: 2, total: 3 }, null])
})

test('is not searched while passages have no vector yet, since those with one would stand before them', async () => {
  const vectors = await openVectors()
  for (const word of ['Loaf', 'Downpour']) add(`a/${word}.md`, word)
  let during: unknown
  const embed = async (texts: readonly string[]) => {
    during ??= await nearest(opened, 'velo')
    return texts.map(vectorOf)
  }
  const own = new Embedder({
    embed,
    prefixes: { query: '', passage: '' },
    textsPerRequest: 1,
    name: 'm',
    identity: 'm',
    onProblem: () => undefined,
  })
  const opened: EmbeddingIndex = await EmbeddingIndex.open({ index, embedder: own, store: store() })
  opened.refresh()
  await opened.filled
  expect(during).toEqual([])
  expect(await nearest(opened, 'velo')).toEqual(await nearest(vectors, 'velo'))
})

test('an index of too many passages is not embedded until the operator decides, and the hours are said', async () => {
  const problems: (string | null)[] = []
  const vectors = await openVectors({ maxPassages: 2 }, (problem) => problems.push(problem))
  expect(asked).toEqual([])
  expect(await nearest(vectors, 'velo')).toEqual([])
  expect(problems).toEqual([expect.stringMatching(/its 3 passages takes about 0\.0 hours of processor time\. Set EMBEDDING_MODEL=local/)])
})

test('vectors make room for others when their passages go, after a restart too', async () => {
  await openVectors()
  const { size } = statSync(store())
  for (const [gone, added] of [
    ['Bicycle', 'Bike'],
    ['Rain', 'Downpour'],
  ] as const) {
    index.remove(`a/${gone}.md`)
    await openVectors()
    add(`a/${added}.md`, added)
    const vectors = await openVectors()
    expect(await nearest(vectors, gone)).toEqual([`About ${added}`])
  }
  expect(statSync(store()).size).toBe(size)
})

test('vectors are all requested again when the model gives others', async () => {
  const vectors = await openVectors()
  expect(await nearest(vectors, 'velo')).toEqual(['About Bicycle'])
  more = [0.5]
  add('a/Loaf.md', 'Loaf')
  vectors.refresh()
  await expect.poll(() => nearest(vectors, 'velo')).toEqual(['About Bicycle'])
  expect(new Set(await nearest(vectors, 'bread', 'a', 2))).toEqual(new Set(['About Bread', 'About Loaf']))
})

test('vectors are searched in the folders of the search, as these are now', async () => {
  const vectors = await openVectors()
  add('b/Bike.md', 'Bike')
  vectors.refresh()
  await vectors.filled
  expect([await nearest(vectors, 'velo'), await nearest(vectors, 'velo', 'b'), await nearest(vectors, 'velo', 'c')]).toEqual([
    ['About Bicycle'],
    ['About Bike'],
    [],
  ])
  index.remove('b/Bike.md')
  add('c/Velo.md', 'Velo')
  vectors.refresh()
  await vectors.filled
  expect([await nearest(vectors, 'velo', 'b'), await nearest(vectors, 'velo', 'c')]).toEqual([[], ['About Velo']])
})
