import { afterEach, beforeEach, expect, test } from 'vitest'
import { type EmbeddingServer, startEmbeddingServer } from '../../../../test/support/embedding-server.ts'
import { createEmbed } from './embed.ts'
import { Embedder } from './embedder.ts'

let endpoint: EmbeddingServer
const problems: (string | null)[] = []
beforeEach(async () => {
  problems.length = 0
  endpoint = await startEmbeddingServer((text) => [text.length, 1])
})
afterEach(() => endpoint.close())

const embed = (apiKey: string | null) => createEmbed({ baseUrl: endpoint.baseUrl, apiKey, model: 'm' })
const embedder = () =>
  new Embedder({
    embed: embed(null),
    prefixes: { query: 'q: ', passage: 'p: ' },
    textsPerRequest: 2,
    name: 'embedding endpoint',
    identity: 'm',
    onProblem: (problem) => problems.push(problem),
  })

test('the endpoint gets the key if there is one, and gives a vector for each text', async () => {
  const { signal } = new AbortController()
  expect(await embed('secret')(['a', 'bcd'], signal)).toEqual([
    [1, 1],
    [3, 1],
  ])
  await embed(null)(['a'], signal)
  expect(endpoint.authorizations).toEqual(['Bearer secret', undefined])
})

test('a query is embedded once, with its prefix', async () => {
  const one = embedder()
  expect([await one.queryVector('bread'), await one.queryVector('bread')]).toEqual([
    [8, 1],
    [8, 1],
  ])
  expect(endpoint.texts).toEqual(['q: bread'])
  one.forgetQueries()
  await one.queryVector('bread')
  expect(endpoint.texts).toHaveLength(2)
})

test('after a failure, queries are not embedded for a while', async () => {
  const one = embedder()
  endpoint.isThere = false
  expect(await one.queryVector('bread')).toBeNull()
  endpoint.isThere = true
  expect(await one.queryVector('bread')).toBeNull()
  expect(endpoint.texts).toEqual([])
  expect(problems).toEqual([expect.stringContaining('the embedding endpoint gives no vectors')])
})

test('another prefix of passages makes other vectors', async () => {
  const one = embedder()
  expect(one.identity).toBe('m p: ')
  await one.passageVectors(['bread'])
  expect(endpoint.texts).toEqual(['p: bread'])
})

test('a problem is reported until it is resolved, that of passages first', () => {
  const one = embedder()
  one.report('queries', 'queries')
  one.report('passages', 'passages')
  one.report('passages', null)
  one.report('queries', null)
  expect(problems).toEqual(['queries', 'passages', 'queries', null])
})
