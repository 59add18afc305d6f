import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isLarge } from './is-large.ts'
import { listSourcePages, sourcesDirectoryOf } from './list-source-pages.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'sources-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

const PATH = `${'0'.repeat(40)}.page`
const page = (name: string, size = 10) => ({ file: `source:s/${name}`, path: PATH, size, version: 3 })
const write = (id: string, manifest: unknown) => {
  mkdirSync(join(directory, id))
  writeFileSync(join(directory, id, 'manifest.json'), typeof manifest === 'string' ? manifest : JSON.stringify(manifest))
}

test('lists the pages of all sources, and names one whose list cannot be read', async () => {
  write('b', { hash: 'h', pages: [page('größe')] })
  write('a', { hash: 'h', pages: [page('one'), page('two')] })
  write('c', '{')
  mkdirSync(join(directory, 'unfinished'))
  const problems: string[] = []
  const pages = await listSourcePages(directory, (problem) => problems.push(problem))
  expect(pages.map(({ file, path, size, mtimeMs }) => [file, path, size, mtimeMs])).toEqual([
    ['source:s/one', join(directory, 'a', PATH), 10, 3],
    ['source:s/two', join(directory, 'a', PATH), 10, 3],
    ['source:s/größe', join(directory, 'b', PATH), 10, 3],
  ])
  expect(problems).toEqual(['source:c: skipped. Its list of pages cannot be read.'])
  expect(await listSourcePages(null, () => undefined)).toEqual([])
})

test('many pages, and long ones, are searched in a thread', async () => {
  const dataDirectory = directory
  directory = sourcesDirectoryOf(dataDirectory)
  const folder = join(dataDirectory, 'empty')
  for (const path of [directory, folder]) mkdirSync(path, { recursive: true })
  const inThread = () => isLarge({ directory: folder, dataDirectory })
  expect(await isLarge({ directory: folder, dataDirectory: null })).toBe(false)
  write('a', { hash: 'h', pages: [page('one.pdf', 600_000)] })
  expect(await inThread()).toBe(false)
  write('b', { hash: 'h', pages: [page('one', 600_000)] })
  expect(await inThread()).toBe(true)
  rmSync(join(directory, 'b'), { recursive: true })
  write('c', { hash: 'h', pages: Array.from({ length: 300 }, (_, index) => page(`${index}`)) })
  expect(await inThread()).toBe(true)
  directory = dataDirectory
})
