import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deserialize } from 'node:v8'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type EmbeddingServer, startEmbeddingServer } from '../../../test/support/embedding-server.ts'
import { KnowledgeBase } from './knowledge-base.ts'

/** Groups of synonyms. A vector has one number per group. */
const MEANINGS = [
  ['bicycle', 'bike', 'velo'],
  ['rain', 'downpour'],
  ['bread', 'loaf'],
]
const vectorOf = (text: string) => MEANINGS.map((words) => (words.some((word) => text.toLowerCase().includes(word)) ? 1 : 0.01))

let directory: string
let dataDirectory: string
let endpoint: EmbeddingServer
const opened: KnowledgeBase[] = []
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'meaning-'))
  dataDirectory = mkdtempSync(join(tmpdir(), 'meaning-data-'))
  endpoint = await startEmbeddingServer(vectorOf)
  writeFileSync(
    join(directory, 'a.md'),
    '# Things\n\n## Bicycle\n\nIt has two wheels.\n\n## Rain\n\nIt falls from clouds.\n\n## Bread\n\nIt is baked.\n',
  )
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((base) => base.close()))
  await endpoint.close()
  for (const folder of [directory, dataDirectory]) rmSync(folder, { recursive: true })
})

async function open(): Promise<KnowledgeBase> {
  const embedding = { kind: 'endpoint' as const, baseUrl: endpoint.baseUrl, apiKey: null, model: 'm', prefixes: { query: '', passage: '' } }
  const base = await KnowledgeBase.open({ directory, dataDirectory, embedding, onWarning: () => undefined })
  opened.push(base)
  return base
}

const areVectorsKept = () => existsSync(join(dataDirectory, 'knowledge', 'vectors'))

/** Number of vectors on the disk. */
const keptVectors = () =>
  areVectorsKept() && (deserialize(readFileSync(join(dataDirectory, 'knowledge', 'vectors'))) as { slots: Map<string, number> }).slots.size

const headings = async (base: KnowledgeBase, query: string, caller: 'model' | 'builtin' = 'model') =>
  (await base.search(query, { folders: ['.'], caller })).passages.map(({ heading }) => heading)

describe('knowledge searched by meaning', () => {
  test('finds passages that share no word with the query', async () => {
    const base = await open()
    await expect.poll(() => headings(base, 'velo')).toContain('Bicycle')
    expect((await headings(base, 'velo'))[0]).toBe('Bicycle')
    expect(await headings(base, 'velo', 'builtin')).toContain('Bicycle')
  })

  test('embeds each passage once, across restarts and file changes', async () => {
    const first = await open()
    await expect.poll(() => headings(first, 'loaf')).toContain('Bread')
    await expect.poll(areVectorsKept).toBe(true)
    await first.close()
    endpoint.texts.length = 0
    writeFileSync(join(directory, 'b.md'), '# More\n\n## Downpour\n\nMuch water.\n')
    const second = await open()
    await expect.poll(() => headings(second, 'rain')).toContain('Downpour')
    expect(endpoint.texts.filter((text) => text.includes('\n'))).toEqual(['More\nDownpour\nMuch water.'])
  })

  test('embeds nothing again when the words are indexed anew', async () => {
    const first = await open()
    await expect.poll(() => headings(first, 'loaf')).toContain('Bread')
    await expect.poll(areVectorsKept).toBe(true)
    await first.close()
    endpoint.texts.length = 0
    rmSync(join(dataDirectory, 'knowledge', 'index'), { recursive: true, force: true })
    const second = await open()
    await expect.poll(() => headings(second, 'loaf')).toContain('Bread')
    expect(endpoint.texts).toEqual(['loaf'])
  })

  test('tells how much nearer a passage is than others are', async () => {
    const base = await open()
    await expect.poll(() => headings(base, 'velo')).toContain('Bicycle')
    const { passages } = await base.search('velo', { folders: ['.'], caller: 'model' })
    expect(passages[0]).toMatchObject({ heading: 'Bicycle', relevance: 0 })
    expect(passages[0]?.closeness).toBeGreaterThan(0.3)
  })

  test('forgets the vectors of a deleted file', async () => {
    const text = '# More\n\n## Downpour\n\nMuch water.\n'
    writeFileSync(join(directory, 'b.md'), text)
    const base = await open()
    await expect.poll(() => headings(base, 'rain')).toContain('Downpour')
    rmSync(join(directory, 'b.md'))
    base.refresh()
    await expect.poll(() => headings(base, 'rain')).not.toContain('Downpour')
    // Only passages are left out at once; their vectors are removed after what is being embedded and written.
    await expect.poll(keptVectors).toBe(3)
    writeFileSync(join(directory, 'b.md'), text)
    base.refresh()
    const isPassage = (one: string) => one.startsWith('More\n')
    await expect.poll(() => endpoint.texts.filter(isPassage)).toHaveLength(2)
    await expect.poll(() => headings(base, 'rain')).toContain('Downpour')
  })

  test('is searched by words alone while the endpoint is unavailable, and reports it', async () => {
    endpoint.isThere = false
    const base = await open()
    await expect.poll(() => base.problems).toEqual([expect.stringContaining('by words alone')])
    expect(await headings(base, 'bicycle')).toEqual(['Bicycle'])
    endpoint.isThere = true
    await expect.poll(() => base.problems).toEqual([])
  })

  test('does not wait for a slow endpoint', async () => {
    const base = await open()
    await expect.poll(() => headings(base, 'velo')).toContain('Bicycle')
    endpoint.delayMs = 60_000
    expect(await headings(base, 'bread is what?')).toEqual(['Bread'])
  })
})

describe('wordings near to a prompt', () => {
  const WORDINGS = ['Where can I park a bicycle?', 'Does it rain?']
  const nearest = async (base: KnowledgeBase, prompt: string) => (await base.nearWordings(prompt)).map(({ wording }) => wording)
  const areKept = () => existsSync(join(dataDirectory, 'knowledge', 'wordings'))

  test('are found by the vector that the search uses, and embedded once, across restarts and changes', async () => {
    const first = await open()
    first.setWordings(WORDINGS)
    await expect.poll(() => nearest(first, 'velo')).toEqual(WORDINGS)
    await headings(first, 'velo')
    expect(endpoint.texts.filter((text) => text === 'velo')).toHaveLength(1)
    first.setWordings(['Does it rain?'])
    await expect.poll(() => nearest(first, 'velo')).toEqual(['Does it rain?'])
    await expect.poll(areKept).toBe(true)
    await first.close()
    endpoint.texts.length = 0
    const second = await open()
    second.setWordings(['Does it rain?'])
    second.setWordings([...WORDINGS, 'Who bakes bread?'])
    await expect.poll(() => nearest(second, 'loaf')).toContain('Who bakes bread?')
    expect((await second.nearWordings('loaf'))[0]).toEqual({ wording: 'Who bakes bread?', similarity: expect.closeTo(1, 1) })
    expect(endpoint.texts.filter((text) => text.endsWith('?'))).toEqual(['Who bakes bread?'])
  })

  test('are none where there is no vector: without a model, and while the endpoint fails', async () => {
    const base = await open()
    base.setWordings(WORDINGS)
    await base.ready
    await expect.poll(() => nearest(base, 'velo')).toEqual(WORDINGS)
    endpoint.isThere = false
    expect(await nearest(base, 'rain')).toEqual([])
    expect((await headings(base, 'rain'))[0]).toBe('Rain')
    const byWords = await KnowledgeBase.open({ directory, dataDirectory: null, onWarning: () => undefined })
    opened.push(byWords)
    byWords.setWordings(WORDINGS)
    expect([base.hasEmbedding, byWords.hasEmbedding, await nearest(byWords, 'velo')]).toEqual([true, false, []])
  })
})
