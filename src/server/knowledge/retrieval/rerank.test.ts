import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { replying, type RerankServer, scoring, startRerankServer } from '../../../../test/support/rerank-server.ts'
import { KnowledgeBase } from '../knowledge-base.ts'
import { RERANKED, Reranker } from './rerank.ts'

const PASSAGES = ['rain', 'bread', 'bicycle', 'tea']

let endpoint: RerankServer
let nowMs: number
const onProblem = vi.fn<(problem: string | null) => void>()
beforeEach(async () => {
  onProblem.mockClear()
  nowMs = 0
  endpoint = await startRerankServer(scoring((text) => (text === 'bicycle' ? 0.9 : -text.length)))
})
afterEach(() => endpoint.close())

function reranker(limitMs = 30_000): Reranker {
  const settings = { baseUrl: endpoint.baseUrl, apiKey: 'key', model: 'm', limitMs }
  return new Reranker({ settings, onProblem, now: () => nowMs })
}

const order = (of: Reranker, passages: readonly string[] = PASSAGES) => of.rerank('two wheels', passages, (passage) => passage)

test('orders passages by the score that the model gives them', async () => {
  expect(await order(reranker())).toEqual(['bicycle', 'tea', 'rain', 'bread'])
  expect(endpoint.requests).toEqual([{ model: 'm', query: 'two wheels', documents: PASSAGES, top_n: 4, authorization: 'Bearer key' }])
})

test('sends the first passages and keeps the others behind them', async () => {
  const many = Array.from({ length: RERANKED + 5 }, (_, index) => `${index}`)
  endpoint.answer = scoring(Number)
  const expected = [...many.slice(0, RERANKED).toReversed(), ...many.slice(RERANKED)]
  expect(await order(reranker(), many)).toEqual(expected)
  expect(endpoint.requests[0]?.documents).toHaveLength(RERANKED)
})

test('sends the beginning of a long passage', async () => {
  await order(reranker(), ['x'.repeat(2_001), 'tea'])
  expect(endpoint.requests[0]?.documents).toEqual(['x'.repeat(2_000), 'tea'])
})

test('keeps passages that the model leaves out, in their order', async () => {
  endpoint.answer = replying({ results: [{ index: 3, relevance_score: 1 }] })
  expect(await order(reranker())).toEqual(['tea', 'rain', 'bread', 'bicycle'])
})

describe('keeps the previous order', () => {
  test.each<[string, RerankServer['answer']]>([
    ['an error', (_, response) => response.writeHead(500).end()],
    ['a cut connection', (_, response) => response.destroy()],
    ['something else than JSON', replying('<html>')],
    ['no results', replying({ results: [] })],
    ['an index out of range', replying({ results: [{ index: 4, relevance_score: 1 }] })],
    ['a negative index', replying({ results: [{ index: -1, relevance_score: 1 }] })],
    ['a fraction as an index', replying({ results: [{ index: 0.5, relevance_score: 1 }] })],
    ['a score that is no number', replying('{"results":[{"index":3,"relevance_score":NaN}]}')],
    ['a score beyond all numbers', replying('{"results":[{"index":3,"relevance_score":1e999}]}')],
    ['a score of null', replying({ results: [{ index: 3, relevance_score: null }] })],
    [
      'the same index twice',
      replying({
        results: [
          { index: 3, relevance_score: 1 },
          { index: 3, relevance_score: 0 },
        ],
      }),
    ],
    ['a reply without an end in sight', replying(`{"results":[],"padding":"${'x'.repeat(2 * 1024 * 1024)}"}`)],
    ['a redirect', (_, response) => response.writeHead(307, { location: '/elsewhere' }).end()],
  ])('on %s', async (_, answer) => {
    endpoint.answer = answer
    expect(await order(reranker())).toEqual(PASSAGES)
    expect(endpoint.requests).toHaveLength(1)
  })

  test('when no reply comes in time', async () => {
    endpoint.answer = () => undefined
    expect(await order(reranker(50))).toEqual(PASSAGES)
  })
})

test('pauses after three failures in a row, and reports failure and recovery once each', async () => {
  const one = reranker()
  const { answer } = endpoint
  endpoint.answer = (_, response) => response.writeHead(503).end()
  for (let failure = 0; failure < 5; failure += 1) await order(one)
  expect(endpoint.requests).toHaveLength(3)
  expect(onProblem.mock.calls).toEqual([[expect.stringContaining('Reranking failed')]])
  nowMs += 10_001
  await order(one)
  await order(one)
  expect(endpoint.requests).toHaveLength(4)
  endpoint.answer = answer
  // The second pause is twice as long.
  nowMs += 19_999
  expect(await order(one)).toEqual(PASSAGES)
  expect(endpoint.requests).toHaveLength(4)
  nowMs += 2
  expect((await order(one))[0]).toBe('bicycle')
  expect(onProblem.mock.calls).toEqual([[expect.stringContaining('Reranking failed')], [null]])
})

test('does not report a single failure as a problem', async () => {
  const one = reranker()
  const { answer } = endpoint
  for (let round = 0; round < 4; round += 1) {
    endpoint.answer = (_, response) => response.writeHead(503).end()
    await order(one)
    endpoint.answer = answer
    expect((await order(one))[0]).toBe('bicycle')
  }
  expect(onProblem).not.toHaveBeenCalled()
})

describe('a search for a language model', () => {
  let directory: string
  let base: KnowledgeBase
  const onWarning = vi.fn<(message: string) => void>()
  beforeEach(async () => {
    onWarning.mockClear()
    directory = mkdtempSync(join(tmpdir(), 'rerank-'))
    const sections = Array.from({ length: 12 }, (_, index) => `## Wheel ${index}\n\n${'wheel '.repeat(12 - index)} number ${index}.`)
    writeFileSync(join(directory, 'a.md'), `# Wheels\n\n${sections.join('\n\n')}\n`)
    const rerank = { baseUrl: endpoint.baseUrl, apiKey: null, model: 'm', limitMs: 30_000 }
    base = await KnowledgeBase.open({ directory, dataDirectory: null, rerank, onWarning })
    await base.ready
  })
  afterEach(async () => {
    await base.close()
    rmSync(directory, { recursive: true })
  })
  const headings = async (caller: 'model' | 'builtin' = 'model') =>
    (await base.search('wheel', { folders: ['.'], caller, maxPassages: 12 })).passages.map(({ heading }) => heading)

  test('ranks the reranker’s best passage first', async () => {
    endpoint.answer = scoring((text) => (text.includes('number 11') ? 1 : 0))
    const byWords = await headings('builtin')
    expect(byWords.indexOf('Wheel 11')).toBeGreaterThan(3)
    expect((await headings())[0]).toBe('Wheel 11')
    expect(await headings('builtin')).toEqual(byWords)
  })

  test('falls back to word order and reports the problem while the reranker fails', async () => {
    const byWords = await headings('builtin')
    endpoint.answer = replying({ results: [{ index: 77, relevance_score: 1 }] })
    for (let failure = 0; failure < 3; failure += 1) expect(await headings()).toEqual(byWords)
    await expect.poll(() => base.problems).toEqual([expect.stringContaining('Reranking failed')])
    expect(onWarning).toHaveBeenCalledTimes(1)
  })
})
