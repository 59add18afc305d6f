import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { KnowledgeBase } from './knowledge-base.ts'

const EVERYTHING = { folders: ['.'], caller: 'model' } as const
const FILES_OF_A_THREAD = 201

describe.each([
  ['little', 0],
  ['much', FILES_OF_A_THREAD],
])('a folder of %s knowledge that changes', (_, files) => {
  let directory: string
  let base: KnowledgeBase
  let searched: string[]
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'changes-'))
    writeFileSync(join(directory, 'a.md'), '# A\n\n## Bicycle\n\nIt has two wheels.\n')
    for (let file = 0; file < files; file += 1) writeFileSync(join(directory, `${file}.txt`), `Filler number ${file}.`)
    searched = []
    base = await KnowledgeBase.open({
      directory,
      dataDirectory: null,
      onSearched: (outcome) => searched.push(outcome),
      onWarning: () => undefined,
    })
    await base.ready
    base.watch()
  })
  afterEach(async () => {
    await base.close()
    rmSync(directory, { recursive: true })
  })

  const headings = async (query: string) => (await base.search(query, EVERYTHING)).passages.map(({ heading }) => heading)

  test('gives what is around a passage, what it holds and its documents, and reports searches', async () => {
    const text = '# A\n\n## Bicycle?\n\nIt has two wheels.\n\n## Kettle?\n\nIt boils water.\n'
    writeFileSync(join(directory, 'a.md'), text)
    const read = new Promise<void>((resolve) => (base.onRead = resolve))
    const refreshed = new Promise<void>((resolve) => (base.onRefresh = resolve))
    base.refresh()
    await refreshed
    await read
    expect(base.progress).toBeNull()
    const [passage] = (await base.search('bicycle', EVERYTHING)).passages
    expect(searched).toEqual(['done'])
    expect(await base.neighbours(passage?.id ?? '', { folders: ['.'], before: 1, after: 1 })).toMatchObject({
      before: [],
      after: [{ heading: 'Kettle?' }],
    })
    expect((await base.version(['.'])).split('\n')).toHaveLength(files + 1)
    expect((await base.documents(1_000)).at(-1)).toMatchObject({ file: 'a.md', title: 'A', passages: 2, bytes: text.length })
  })

  test('is updated file by file: added, changed and removed files', async () => {
    expect(await headings('bicycle')).toEqual(['Bicycle'])
    mkdirSync(join(directory, 'more'))
    writeFileSync(join(directory, 'more', 'b.md'), '# B\n\n## Kettle\n\nIt boils water.\n')
    writeFileSync(join(directory, 'a.md'), '# A\n\n## Tricycle\n\nIt has three wheels.\n')
    await expect.poll(() => headings('kettle')).toEqual(['Kettle'])
    await expect.poll(() => headings('tricycle')).toEqual(['Tricycle'])
    rmSync(join(directory, 'more'), { recursive: true })
    await expect.poll(() => headings('kettle')).toEqual([])
    writeFileSync(join(directory, 'synonyms.txt'), 'tricycle, trike\n')
    await expect.poll(() => headings('trike')).toEqual(['Tricycle'])
  })

  test('keeps the last valid content of a file that becomes invalid, and reports it until it is valid again', async () => {
    writeFileSync(join(directory, 'bad.md'), Buffer.from('f9ed20eee7e9f8', 'hex'))
    await expect.poll(() => base.problems).toEqual([expect.stringContaining('bad.md')])
    expect(await headings('bicycle')).toEqual(['Bicycle'])
    writeFileSync(join(directory, 'bad.md'), '# Good\n\n## Lantern\n\nIt gives light.\n')
    await expect.poll(() => base.problems).toEqual([])
    expect(await headings('lantern')).toEqual(['Lantern'])
  })
})

test('knowledge that becomes large moves to a thread of its own', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'grows-'))
  writeFileSync(join(directory, 'a.md'), '# A\n\n## Bicycle\n\nIt has two wheels.\n')
  const base = await KnowledgeBase.open({ directory, dataDirectory: null, onWarning: () => undefined })
  expect(base.isInThread).toBe(false)
  for (let file = 0; file < FILES_OF_A_THREAD; file += 1) writeFileSync(join(directory, `${file}.txt`), `Filler number ${file}.`)
  base.refresh()
  await expect.poll(() => base.isInThread).toBe(true)
  expect((await base.search('bicycle', EVERYTHING)).passages.map(({ heading }) => heading)).toEqual(['Bicycle'])
  await base.close()
  rmSync(directory, { recursive: true })
})

/** Nothing listens there. */
const EMBEDDING = {
  kind: 'endpoint',
  baseUrl: 'http://127.0.0.1:1',
  apiKey: null,
  model: 'm',
  prefixes: { query: '', passage: '' },
} as const

test('a thread that fails is reported and started again, until it is given up', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'failing-'))
  const warnings: string[] = []
  const onWarning = (message: string) => void warnings.push(message)
  writeFileSync(join(directory, 'a.md'), '# A\n\nThe index cannot be stored.')
  const dataDirectory = join(directory, 'a.md')
  const base = await KnowledgeBase.open({ directory, dataDirectory, embedding: EMBEDDING, onWarning })
  await expect.poll(() => base.problems).toEqual(['The knowledge cannot be searched: the thread for it ends again and again.'])
  expect(warnings.filter((message) => message === 'The knowledge worker failed; restarting it.').length).toBeGreaterThan(1)
  await base.close()
  rmSync(directory, { recursive: true })
})

test('a search that fails in the thread is rejected', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'failing-'))
  const base = await KnowledgeBase.open({ directory, dataDirectory: null, embedding: EMBEDDING, onWarning: () => undefined })
  await expect(base.search(null as never, EVERYTHING)).rejects.toThrow('could not be searched')
  await base.close()
  rmSync(directory, { recursive: true })
})
