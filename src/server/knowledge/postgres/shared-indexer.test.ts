import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDatabase } from '../../../../test/support/postgres.ts'
import { openFolderIndexer } from '../index/folder-indexer.ts'
import type { KnowledgeIndex } from '../index/knowledge-index.ts'
import { extractFile } from '../ingestion/extract-file.ts'
import { searchKnowledge } from '../retrieval/search.ts'
import { SharedIndex } from './shared-index.ts'
import { SharedIndexer } from './shared-indexer.ts'
import { SharedStore } from './shared-store.ts'

const LANGUAGES = ['english'] as const

let database: Awaited<ReturnType<typeof createDatabase>>
let folder: string
let store: SharedStore
let indexer: SharedIndexer
const extracted: string[] = []
const problems: string[] = []
beforeEach(async () => {
  database = await createDatabase()
  folder = mkdtempSync(join(tmpdir(), 'shared-indexer-'))
  store = await openStore('one')
  indexer = new SharedIndexer({
    shared: store,
    directory: folder,
    languages: LANGUAGES,
    onProblem: (problem) => problems.push(problem),
    extract: (request) => {
      extracted.push(request.file)
      return extractFile(request)
    },
  })
  extracted.length = 0
  problems.length = 0
})
afterEach(async () => {
  await store.close()
  await database.drop()
  rmSync(folder, { recursive: true })
})

async function openStore(holder: string): Promise<SharedStore> {
  const opened = new SharedStore(database.url, holder, () => undefined)
  await opened.open()
  return opened
}
const write = (file: string, content: string | Buffer) => writeFileSync(join(folder, file), content)
const find = (index: KnowledgeIndex, query: string) =>
  searchKnowledge(index, query, { folders: ['.'], caller: 'model' }).passages.map(({ file, heading, score }) => ({ file, heading, score }))

test('files that are new or changed are read, and those that are gone or cannot be read any more are removed', async () => {
  for (const name of ['a', 'b', 'c']) write(`${name}.md`, `# ${name}\n\nThe pump of ${name}.`)
  write('bad.md', Buffer.from([0xff, 0xfe]))
  expect(await indexer.refresh()).toBe(true)
  expect(extracted).toEqual(['a.md', 'b.md', 'bad.md', 'c.md'])
  expect(problems).toEqual(['bad.md: skipped. It is not written in UTF-8.'])
  extracted.length = 0
  rmSync(join(folder, 'bad.md'))
  rmSync(join(folder, 'c.md'))
  write('a.md', Buffer.from([0xff]))
  utimesSync(join(folder, 'b.md'), 1, 1)
  expect(await indexer.refresh()).toBe(true)
  expect(extracted).toEqual(['a.md', 'b.md'])
  expect([...(await store.files()).keys()]).toEqual(['b.md'])
  extracted.length = 0
  rmSync(join(folder, 'a.md'))
  await indexer.refresh()
  expect(extracted).toEqual([])
})

test('nothing is read while another process writes', async () => {
  write('a.md', 'The pump.')
  const other = await openStore('other')
  await other.lease()
  expect([await indexer.refresh(), extracted]).toEqual([false, []])
  await other.release()
  await other.close()
  expect(await indexer.refresh()).toBe(true)
})

test('finds what an index in memory finds, in the same order', async () => {
  write('b.md', '# Home\n\n## Filter?\n\nClean the filter.\n\n## Kettle?\n\nBoils water.\n\n## Lid?\n\nCovers the kettle.')
  write('a.md', '# Town\n\n## Library?\n\nBooks and water.\n\n## Refrigerators?\n\nCold water.')
  write('synonyms.txt', 'kettle, boiler\n')
  await indexer.refresh()
  const shared = await SharedIndex.open(LANGUAGES, store)
  const { index: own } = await openFolderIndexer({ directory: folder, languages: LANGUAGES, store: null, onProblem: () => undefined })
  for (const query of ['water', 'kettel', 'refrig', 'filterkettle', 'boiler', 'librery books', 'who', 'xqxqxq', ''])
    expect([query, find(await shared.candidatesFor(query, ['.']), query)]).toEqual([query, find(own, query)])
})
