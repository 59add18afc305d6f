import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { SCANNED } from '../ingestion/document.ts'
import { ParserProcess } from '../../parsing/parser-process.ts'
import { extractFile, type ExtractedFile, type ExtractionRequest, readableOf } from '../ingestion/extract-file.ts'
import { extractionProgram } from '../ingestion/extraction-program.ts'
import { searchKnowledge } from '../retrieval/search.ts'
import { type FolderIndexerOptions, loadFolderIndexer, openFolderIndexer } from './folder-indexer.ts'
import type { KnowledgeIndex } from './knowledge-index.ts'

let directory: string
let store: string
const extracted: string[] = []
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'indexer-'))
  store = join(mkdtempSync(join(tmpdir(), 'indexer-store-')), 'index')
  extracted.length = 0
})
afterEach(() => {
  for (const folder of [directory, join(store, '..')]) rmSync(folder, { recursive: true })
})

const write = (file: string, text: string) => writeFileSync(join(directory, file), text)
const extract = (request: ExtractionRequest) => {
  extracted.push(request.file)
  return extractFile(request)
}
const options = (more: Partial<FolderIndexerOptions> = {}): FolderIndexerOptions => ({
  directory,
  store,
  onProblem: () => {},
  extract,
  ...more,
})
const find = (index: KnowledgeIndex, query: string) =>
  searchKnowledge(index, query, { folders: ['.'], caller: 'model' }).passages.map(({ file, score, text }) => ({ file, score, text }))

describe('a stored index', () => {
  beforeEach(async () => {
    for (let file = 0; file < 20; file += 1)
      write(`${file}.md`, `# Pump ${file}\n\n## Care?\n\nClean pump number${file} weekly.\n\n## Price?\n\nEuros ${file}.`)
    await openFolderIndexer(options())
    extracted.length = 0
  })

  test('answers the same without reading a file', async () => {
    const fresh = await openFolderIndexer(options({ store: null }))
    extracted.length = 0
    const { index } = await openFolderIndexer(options())
    expect(extracted).toEqual([])
    expect(index.size).toBe(fresh.index.size)
    for (const [number] of index.passages()) expect(index.numberOf(index.idOf(number))).toBe(number)
    for (const query of ['number7', 'clean pump weekly', 'euros 3']) expect(find(index, query)).toEqual(find(fresh.index, query))
  })

  test('is updated file by file, and equals one that was built at once', async () => {
    write('3.md', '# Lamp\n\n## Light?\n\nIt is bright.')
    rmSync(join(directory, '4.md'))
    write('new.md', '# Kettle\n\nBoils water.')
    const { index } = await openFolderIndexer(options())
    expect(extracted).toEqual(['3.md', 'new.md'])
    const { index: again } = await openFolderIndexer(options())
    const { index: fresh } = await openFolderIndexer(options({ store: null }))
    for (const query of ['number3', 'number4', 'bright light', 'kettle', 'clean pump']) {
      expect(find(index, query)).toEqual(find(fresh, query))
      expect(find(again, query)).toEqual(find(fresh, query))
    }
    expect([index, again].map(({ size }) => size)).toEqual([fresh.size, fresh.size])
  })

  test('does not extract a file again that was only touched', async () => {
    utimesSync(join(directory, '1.md'), 1, 1)
    const results: unknown[] = []
    await openFolderIndexer(options({ extract: async (request) => results[results.push(await extractFile(request)) - 1] as never }))
    expect(results).toEqual([{ kind: 'unchanged' }])
  })

  test('reads a file with scanned pages again when OCR has been switched on, and once only', async () => {
    const warned = (warning: string) => async (request: ExtractionRequest) => ({ ...(await extract(request)), warning }) as never
    write('scan.md', '# Pump')
    await openFolderIndexer(options({ extract: warned(`${SCANNED}: page 2.`) }))
    await openFolderIndexer(options())
    expect(extracted).toEqual(['scan.md'])
    for (let start = 0; start < 2; start += 1)
      await openFolderIndexer(options({ usesOcr: true, extract: warned('Scanned, and no text recognised: page 2.') }))
    expect(extracted).toEqual(['scan.md', 'scan.md'])
  })

  test.each([
    ['damaged', (bytes: Buffer) => bytes.fill(7, bytes.length - 40)],
    ['cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ['empty', () => Buffer.alloc(0)],
    ['of another form', () => Buffer.from('{"version":1}'.repeat(100))],
  ])('that is %s is rebuilt', async (_, damage) => {
    writeFileSync(store, damage(readFileSync(store)))
    const { index } = await openFolderIndexer(options())
    expect(extracted).toHaveLength(20)
    expect(find(index, 'number7')[0]?.file).toBe('7.md')
  })
})

test('a search during indexing searches what is indexed so far, and reports how much that is', async () => {
  for (const name of ['a', 'b', 'c']) write(`${name}.md`, `# Document ${name}\n\nThe pump of ${name}.`)
  const held = Promise.withResolvers<null>()
  const indexer = await loadFolderIndexer(
    options({
      extract: async (request) => {
        if (request.file === 'b.md') await held.promise
        return extractFile(request)
      },
    }),
  )
  const refreshed = indexer.refresh()
  await expect.poll(() => find(indexer.index, 'pump').map(({ file }) => file)).toEqual(['a.md'])
  await expect.poll(() => indexer.progress).toEqual({ indexed: 1, total: 3 })
  held.resolve(null)
  await refreshed
  expect(indexer.progress).toBeNull()
  expect(find(indexer.index, 'pump')).toHaveLength(3)
})

test('an interrupted run continues from what it stored last', async () => {
  for (const name of ['a', 'b', 'c']) write(`${name}.md`, `# Document ${name}\n\nThe pump of ${name}.`)
  const held = Promise.withResolvers<null>()
  const cutShort = await loadFolderIndexer(
    options({
      storeIntervalMs: 0,
      extract: async (request) => {
        if (request.file === 'c.md') await held.promise
        return extractFile(request)
      },
    }),
  )
  const refreshed = cutShort.refresh()
  onTestFinished(async () => {
    held.resolve(null)
    await refreshed
  })
  await expect.poll(async () => (await loadFolderIndexer(options())).index.size).toBe(2)
  const { index } = await openFolderIndexer(options())
  expect(extracted).toEqual(['c.md'])
  expect(find(index, 'pump').map(({ file }) => file)).toEqual(expect.arrayContaining(['a.md', 'b.md', 'c.md']))
})

describe('extraction in a process of its own', () => {
  const requestOf = (file: string): ExtractionRequest => ({ path: join(directory, file), file, knownHash: null })

  function started(limits: object, onProcess?: (pid: number | null) => void) {
    const process = new ParserProcess<ExtractionRequest, ExtractedFile>({ ...extractionProgram(false), ...limits }, onProcess)
    onTestFinished(() => process.close())
    return { extract: async (file: string) => readableOf(await process.parse(requestOf(file))), close: () => process.close() }
  }

  test('extracts the same as in this process', async () => {
    write('a.html', '<title>A</title><p>The pump.</p>')
    const pids: (number | null)[] = []
    const process = started({}, (pid) => pids.push(pid))
    expect(await process.extract('a.html')).toEqual(await extractFile(requestOf('a.html')))
    process.close()
    await expect.poll(() => pids).toEqual([expect.any(Number), null])
  })

  test.each([
    ['time', { timeMs: 0 }, 'It takes too long to read.'],
    ['memory', { residentBytes: 1 }, 'It takes too much memory to read.'],
  ])('leaves out a file that exceeds its %s, and ends the process', async (_, limits, reason) => {
    // A small document would be read before the memory watch runs.
    write('large.html', `<p>${'<b>word</b> '.repeat(1_000_000)}</p>`)
    const pids: (number | null)[] = []
    const process = started(limits, (pid) => pids.push(pid))
    expect(await process.extract('large.html')).toEqual({ kind: 'unreadable', reason })
    expect(pids).toEqual([expect.any(Number), null])
  })

  test('leaves out rich text that takes too much memory', async () => {
    write('many.rtf', `{\\rtf1 ${'{a}'.repeat(2_000_000)}}`)
    const process = started({ residentBytes: 200 * 1024 * 1024 })
    expect(await process.extract('many.rtf')).toEqual({ kind: 'unreadable', reason: 'It takes too much memory to read.' })
  })

  test('reads the file after one that ended the process in a new process', async () => {
    write('a.md', '# A\n\nThe pump.')
    write('b.md', '# B\n\nThe lid.')
    let pid: number | null = null
    const process = started({}, (id) => (pid = id ?? pid))
    const [first, second] = [process.extract('a.md'), process.extract('b.md')]
    globalThis.process.kill(pid ?? 0, 'SIGKILL')
    expect(await first).toEqual({ kind: 'unreadable', reason: 'It ends the process that reads it.' })
    expect(await second).toMatchObject({ kind: 'changed' })
  })
})
