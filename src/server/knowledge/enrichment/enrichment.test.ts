import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openFolderIndexer } from '../index/folder-indexer.ts'
import { searchKnowledge } from '../retrieval/search.ts'
import { appendEnrichment, Enrichment, enrichmentFile } from './enrichment.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'enrichment-'))
  writeFileSync(join(folder, 'a.md'), '# Museum\n\n## Hours?\n\nFrom nine to five.\n\n## Parking?\n\nBehind the house.\n')
})
afterEach(() => rmSync(folder, { recursive: true }))

const open = () =>
  openFolderIndexer({
    directory: folder,
    languages: ['english'],
    store: join(folder, 'data', 'index'),
    enrichmentFile: enrichmentFile(join(folder, 'data')),
    onProblem: (problem) => expect.fail(problem),
  })
const find = async (query: string) => searchKnowledge((await open()).index, query, { folders: ['.'], caller: 'model' }).passages

test('enrichment helps find its passage, is never shown, and is indexed even after the index was stored', async () => {
  const query = 'automobile'
  expect(await find(query)).toEqual([])
  const parking = [...(await open()).index.passages()].map(([, passage]) => passage).find(({ heading }) => heading === 'Parking?')
  const enrichment = { context: 'Where to leave an automobile', questions: ['fees', 'hours', 'places'] }
  await appendEnrichment(enrichmentFile(join(folder, 'data')), parking!, enrichment)
  const [found, ...others] = await find(query)
  expect([found?.heading, others]).toEqual(['Parking?', []])
  expect(JSON.stringify(found)).not.toContain('automobile')
  expect((await find('fees')).map(({ heading }) => heading)).toEqual(['Parking?'])
})

test('white space of a model is one space, and what is empty or too long is no enrichment', () => {
  const questions = ['One?', 'Two?', 'Three?']
  expect(Enrichment.parse({ context: ' About\n\n lids ', questions })).toEqual({ context: 'About lids', questions })
  for (const context of [' ', 'x'.repeat(301)]) expect(Enrichment.safeParse({ context, questions }).success).toBe(false)
  expect(Enrichment.safeParse({ context: 'About lids', questions: questions.slice(1) }).success).toBe(false)
})

test('a passage whose content changes loses its enrichment', async () => {
  const parking = [...(await open()).index.passages()].map(([, passage]) => passage).find(({ heading }) => heading === 'Parking?')
  await appendEnrichment(enrichmentFile(join(folder, 'data')), parking!, { context: 'automobile', questions: ['1', '2', '3'] })
  writeFileSync(join(folder, 'a.md'), '# Museum\n\n## Parking?\n\nThere is none any more.\n')
  expect(await find('automobile')).toEqual([])
})
