import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Passage } from '../ingestion/passages.ts'
import { enrich, type WriteEnrichment } from './enrich.ts'
import { Enrichments } from './enrichment.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'enrich-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const REPLY = 'Here it is: {"context": "About lids.", "questions": ["One?", "Two?", "Three?"]}'
const passagesOf = (count: number): Passage[] =>
  Array.from({ length: count }, (_, index) => ({
    file: 'a.md',
    title: 'Manual',
    heading: `Section ${index}`,
    path: [],
    text: 'Text.',
    place: null,
    keywords: '',
    subheadings: [],
    address: null,
    asOf: null,
  }))
const run = (passages: Passage[], write: WriteEnrichment, signal = new AbortController().signal) =>
  enrich({ passages, path: join(folder, 'enrichment.jsonl'), write, signal, onProgress: () => undefined })

test('asks again once when the model writes something else, and stores what can be read', async () => {
  const passages = passagesOf(3)
  const asked: string[] = []
  const outcome = await run(passages, async ({ passage: { heading } }) => {
    asked.push(heading)
    if (heading === 'Section 2') return 'No.'
    return heading === 'Section 1' && asked.filter((one) => one === heading).length === 1 ? '{"context": ""}' : REPLY
  })
  expect(outcome).toEqual({ done: 2, failed: 1, gaveUp: false })
  expect(asked.toSorted()).toEqual(['Section 0', 'Section 1', 'Section 1', 'Section 2', 'Section 2'])
  const stored = await Enrichments.read(join(folder, 'enrichment.jsonl'))
  expect(passages.map((passage) => stored.has(passage))).toEqual([true, true, false])
})

test('gives up after ten failures in a row', async () => {
  const outcome = await run(passagesOf(50), () => Promise.reject(new Error('away')))
  expect(outcome).toMatchObject({ done: 0, gaveUp: true })
  expect(outcome.failed).toBeGreaterThanOrEqual(10)
  expect(outcome.failed).toBeLessThan(15)
})

test('goes on after nine failures in a row', async () => {
  expect(await run(passagesOf(9), () => Promise.reject(new Error('away')))).toEqual({ done: 0, failed: 9, gaveUp: false })
})

test('reports how many are done and failed, and goes on while some succeed', async () => {
  const progress: [number, number][] = []
  let count = 0
  const write = async () => ((count += 1) % 20 < 16 ? 'No.' : REPLY)
  await enrich({
    passages: passagesOf(40),
    path: join(folder, 'enrichment.jsonl'),
    write,
    signal: new AbortController().signal,
    onProgress: (done, failed) => progress.push([done, failed]),
  })
  expect(progress).toHaveLength(40)
  const [done, failed] = progress.at(-1) ?? []
  expect([done! + failed!, done! > 0, failed! > 10]).toEqual([40, true, true])
})

test('ends when it is aborted, without counting what was under way as failed', async () => {
  const aborted = new AbortController()
  const outcome = await run(
    passagesOf(50),
    async () => {
      aborted.abort()
      return 'No.'
    },
    aborted.signal,
  )
  expect(outcome).toEqual({ done: 0, failed: 0, gaveUp: false })
})
