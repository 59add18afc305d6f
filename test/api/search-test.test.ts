import { writeFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SearchTestResult } from '../../src/contract/staff/content/search-test.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { consoleOf, StaffClient, WITH_CONSOLE } from '../support/staff-client.ts'

let folder: string
let model: ScriptedModel
let server: TestServer
let owner: StaffClient
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-search-test-'))
  mkdirSync(join(folder, 'knowledge'))
  mkdirSync(join(folder, 'agents'))
  for (let page = 1; page <= 60; page++)
    writeFileSync(join(folder, 'knowledge', `pool-${page}.md`), `# Pool ${page}\n\n${`The swimming pool ${page} is heated. `.repeat(10)}`)
  writeFileSync(join(folder, 'knowledge', 'zeppelin.md'), '# Zeppelin\n\nThe zeppelin lands at the swimming pool on Sundays.\n')
  const agent = (more: string) => `---\nname: Pool\ngreeting: Hello\nknowledge: [.]\n${more}---\n\nAnswer.\n`
  writeFileSync(join(folder, 'agents', 'default.md'), agent(''))
  writeFileSync(join(folder, 'agents', 'quoting.md'), agent('model: builtin\n'))
  model = await startScriptedModel()
  const env = {
    ...WITH_CONSOLE,
    OPENAI_BASE_URL: model.baseUrl,
    MODEL: 'scripted',
    KNOWLEDGE_DIR: join(folder, 'knowledge'),
    AGENTS_DIR: join(folder, 'agents'),
  }
  server = await startServer({ database: 'sqlite', env })
  const { origin, link } = await consoleOf(server)
  owner = new StaffClient(origin)
  await owner.enter(link)
})
afterAll(async () => {
  await server.stop()
  await model.close()
  rmSync(folder, { recursive: true })
})

const search = (query: string, agent?: string) =>
  owner.call<SearchTestResult>('GET', `search-test?${new URLSearchParams({ agent: agent ?? 'default', query }).toString()}`)

const QUESTION = 'When does the zeppelin land at the swimming pool?'
const missesOf = ({ passages }: SearchTestResult) => passages.map(({ missed }) => missed)

test('the best passage comes first, and near misses after what the model is sent', async () => {
  const { body } = await search(QUESTION)
  expect(body).toMatchObject({ usedBy: 'model', minRelevance: null })
  const [best] = body.passages
  expect(best).toMatchObject({
    file: 'zeppelin.md',
    breadcrumb: 'Zeppelin',
    score: 1,
    missed: null,
    text: expect.stringContaining('lands'),
  })
  expect(new Set(missesOf(body))).toEqual(new Set([null, 'outranked']))
  expect(missesOf(body).lastIndexOf(null)).toBeLessThan(missesOf(body).indexOf('outranked'))
})

test('what the built-in assistant would not quote says why', async () => {
  const { body } = await search(QUESTION, 'quoting')
  expect(body).toMatchObject({ usedBy: 'builtin', minRelevance: 0.5 })
  expect(body.passages[0]).toMatchObject({ file: 'zeppelin.md', missed: null })
  expect(new Set(missesOf(body).slice(1))).toEqual(new Set(['low_relevance']))
  expect(body.passages.slice(1).every(({ relevance }) => relevance < 0.5)).toBe(true)
  // A word of every heading names none of the pages.
  expect(new Set(missesOf((await search('pool', 'quoting')).body))).toEqual(new Set(['ambiguous', 'outranked']))
  // A single word of a sentence has to be in the heading; alone, it is what is searched for.
  expect(missesOf((await search('What about Sundays?', 'quoting')).body)).toContain('other_words')
  expect(missesOf((await search('Sundays', 'quoting')).body)).toContain(null)
})

test('passages of files that staff have stopped are missed', async () => {
  const { body: stop } = await owner.call<{ id: string }>('POST', 'stops', { scope: 'file', target: 'zeppelin.md', reason: 'test' })
  for (const agent of ['default', 'quoting']) {
    const { body } = await search(QUESTION, agent)
    expect(body.passages.find(({ file }) => file === 'zeppelin.md')).toMatchObject({ missed: 'stopped' })
  }
  await owner.call('DELETE', `stops/${stop.id}`)
  expect((await search(QUESTION, 'quoting')).body.passages[0]).toMatchObject({ file: 'zeppelin.md', missed: null })
})

test('nothing is found for words that are nowhere, and no agent that does not exist', async () => {
  expect(await search('xylophone')).toMatchObject({ status: 200, body: { passages: [] } })
  expect(await search('pool', 'unknown')).toMatchObject({ status: 404 })
  for (const query of ['', ' ', 'a'.repeat(501)]) expect(await search(query)).toMatchObject({ status: 400 })
})
