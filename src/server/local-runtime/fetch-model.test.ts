import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync, existsSync, readdirSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fetchModel, type FetchModelOptions, type Progress } from './fetch-model.ts'

const FILE = Buffer.concat([Buffer.from('GGUF'), Buffer.alloc(300_000, 'weights ')])
const SHA256 = createHash('sha256').update(FILE).digest('hex')

let directory: string
const closing: (() => unknown)[] = []
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'parley-model-'))
})
afterEach(() => {
  for (const close of closing.splice(0)) close()
  rmSync(directory, { recursive: true })
})

async function serving(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  closing.push(() => (server.closeAllConnections(), server.close()))
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/model.gguf`
}

/** Serves files with ranges and records each requested range. */
const file = (heard: (range: string | undefined) => void = () => undefined): RequestListener => {
  return ({ headers }, response) => {
    heard(headers.range)
    const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0)
    if (from >= FILE.length) return response.writeHead(416, { 'content-range': `bytes */${FILE.length}` }).end()
    const head = { 'content-length': FILE.length - from, 'content-range': `bytes ${from}-${FILE.length - 1}/${FILE.length}` }
    response.writeHead(headers.range ? 206 : 200, head).end(FILE.subarray(from))
  }
}

const fetching = (url: string, { sha256 = SHA256, ...options }: Partial<FetchModelOptions> & { sha256?: string } = {}) =>
  fetchModel({
    name: 'local model',
    source: { kind: 'fetched', url, sha256 },
    directory,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    ...options,
  })

const part = () => join(directory, `${SHA256}.gguf.part`)

test('downloads the file, reports progress, and sends no request the second time', async () => {
  const heard = vi.fn<(range: string | undefined) => void>()
  const url = await serving(file(heard))
  const progress: Progress[] = []
  const path = await fetching(url, { onProgress: (now) => progress.push(now) })
  expect(readFileSync(path).equals(FILE)).toBe(true)
  expect(progress.at(0)).toEqual({ bytes: 0, totalBytes: FILE.length })
  expect(progress.at(-1)).toEqual({ bytes: FILE.length, totalBytes: FILE.length })
  expect(await fetching(url)).toBe(path)
  expect(heard).toHaveBeenCalledTimes(1)
})

test('resumes an interrupted download, even across a redirect to another host', async () => {
  const heard = vi.fn<(range: string | undefined) => void>()
  const url = await serving(file(heard))
  const elsewhere = await serving((_, response) => response.writeHead(302, { location: url }).end())
  let cut = () => undefined as unknown
  const cutting = await serving((_, response) => {
    response.writeHead(200, { 'content-length': FILE.length }).write(FILE.subarray(0, 100_000))
    cut = () => response.destroy()
  })
  const cutWhenBegun = ({ bytes }: Progress) => bytes > 0 && cut()
  const sentence = 'Downloading the local model failed: the connection broke'
  await expect(fetching(cutting, { onProgress: cutWhenBegun })).rejects.toThrow(sentence)
  const had = readFileSync(part()).length
  expect(had).toBeGreaterThan(0)
  expect(readFileSync(await fetching(elsewhere)).equals(FILE)).toBe(true)
  expect(heard.mock.calls).toEqual([[`bytes=${had}-`]])
})

test('accepts a complete partial file, and starts over without range support', async () => {
  writeFileSync(part(), FILE)
  await fetching(await serving(file()))
  rmSync(join(directory, `${SHA256}.gguf`))
  writeFileSync(part(), 'something else')
  const path = await fetching(await serving((_, response) => response.writeHead(200).end(FILE)))
  expect(readFileSync(path).equals(FILE)).toBe(true)
})

test('two processes that share the folder can download at the same time', async () => {
  const url = await serving(file())
  const paths = await Promise.all([fetching(url), fetching(url)])
  expect(readFileSync(paths[0]).equals(FILE)).toBe(true)
  expect(readdirSync(directory)).toEqual([`${SHA256}.gguf`])
})

describe('reports in a sentence', () => {
  test.each<[string, RequestListener | null, string, string?]>([
    ['that nobody answers', null, 'Downloading the local model failed: the connection broke (ECONNREFUSED).'],
    ['that it is not there', (_, response) => response.writeHead(404).end(), 'Downloading the local model failed with status 404.'],
    [
      'that nothing comes any more',
      (_, response) => void response.writeHead(200, { 'content-length': 9 }).write('GGUF'),
      'no data arrived.',
    ],
    ['that it is another file', file(), 'does not match.', '0'.repeat(64)],
    [
      'that it needs more room',
      (_, response) => response.writeHead(200, { 'content-length': 1e15 }).flushHeaders(),
      '1000000000 MB more are needed.',
    ],
  ])('%s', async (_, listener, sentence, sha256 = SHA256) => {
    const url = listener ? await serving(listener) : 'http://127.0.0.1:1/model.gguf'
    await expect(fetching(url, { sha256, stallMs: 200 })).rejects.toThrow(sentence)
  })

  test('that a local file is missing or not GGUF', async () => {
    const path = join(directory, 'notes.gguf')
    writeFileSync(path, 'Dear diary')
    const source = { kind: 'file', path, sha256: null } as const
    await expect(fetching('', { source })).rejects.toThrow('The file of the local model is not a GGUF file.')
  })
})

test('deletes a file with a wrong checksum, and does not download it again at once', async () => {
  await expect(fetching(await serving(file()), { sha256: '0'.repeat(64) })).rejects.toMatchObject({ retryAfterMs: 6 * 60 * 60_000 })
  expect(existsSync(join(directory, `${'0'.repeat(64)}.gguf.part`))).toBe(false)
})
