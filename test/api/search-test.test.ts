import { writeFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SearchTestResult } from '../../src/contract/staff/search-test.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { consoleOf, StaffClient, WITH_CONSOLE } from '../support/staff-client.ts'

let folder: string
let server: TestServer
let owner: StaffClient
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-search-test-'))
  mkdirSync(join(folder, 'knowledge'))
  mkdirSync(join(folder, 'agents'))
  for (let page = 1; page <= 60; page++)
    writeFileSync(join(folder, 'knowledge', `pool-${page}.md`), `# Pool ${page}\n\n${`The swimming pool ${page} is heated. `.repeat(10)}`)
  writeFileSync(join(folder, 'knowledge', 'zeppelin.md'), '# Zeppelin\n\nThe zeppelin lands at the swimming pool on Sundays.\n')
  writeFileSync(join(folder, 'agents', 'default.md'), '---\nname: Pool\ngreeting: Hello\nknowledge: [.]\n---\n\nAnswer.\n')
  const env = { ...WITH_CONSOLE, KNOWLEDGE_DIR: join(folder, 'knowledge'), AGENTS_DIR: join(folder, 'agents') }
  server = await startServer({ database: 'sqlite', env })
  const { origin, link } = await consoleOf(server)
  owner = new StaffClient(origin)
  await owner.enter(link)
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

const search = (query: string, agent?: string) =>
  owner.call<SearchTestResult>('GET', `search-test?${new URLSearchParams({ agent: agent ?? 'default', query }).toString()}`)

test('the best passage comes first, and near misses after what the model is sent', async () => {
  const { body } = await search('When does the zeppelin land at the swimming pool?')
  const [best] = body.passages
  expect(best).toMatchObject({
    file: 'zeppelin.md',
    breadcrumb: 'Zeppelin',
    score: 1,
    isSent: true,
    text: expect.stringContaining('lands'),
  })
  const sent = body.passages.map(({ isSent }) => isSent)
  expect(sent).toContain(false)
  expect(sent.toSorted((one, other) => Number(other) - Number(one))).toEqual(sent)
})

test('nothing is found for words that are nowhere, and no agent that does not exist', async () => {
  expect(await search('xylophone')).toMatchObject({ status: 200, body: { passages: [] } })
  expect(await search('pool', 'unknown')).toMatchObject({ status: 404 })
  for (const query of ['', ' ', 'a'.repeat(501)]) expect(await search(query)).toMatchObject({ status: 400 })
})
