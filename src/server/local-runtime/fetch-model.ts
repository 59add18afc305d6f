import { createHash } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, rename, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { EgressError, type EgressErrorReason } from '../egress/egress-error.ts'
import { createEgress, type EgressResponse } from '../egress/egress.ts'
import { OPERATOR_ALLOWED } from '../egress/address-policy.ts'
import type { ModelSource } from './model-source.ts'

/** Larger than any model that a CPU could run. */
const MAX_BYTES = 64 * 1024 ** 3
const LIMITS = { connectTimeoutMs: 10_000, totalTimeoutMs: Number.POSITIVE_INFINITY, maxBytes: MAX_BYTES, maxRedirects: 5 }
/** Time without data after which the download fails. */
const STALL_MS = 30_000
/** Retry delay after a wrong file: it will probably still be there, and downloading it costs its whole size. */
const ANOTHER_FILE_RETRY_MS = 6 * 60 * 60_000
/** First bytes of every GGUF file. */
const MAGIC = 'GGUF'
const MEGABYTE = 1_000_000

export interface Progress {
  bytes: number
  totalBytes: number | null
}

export interface FetchModelOptions {
  name: string
  source: ModelSource
  directory: string
  signal: AbortSignal
  onProgress: (progress: Progress) => void
  stallMs?: number
}

/** Why the model's file is unavailable, as one sentence for the operator without an address. */
export class ModelFileError extends Error {
  readonly retryAfterMs: number | null

  constructor(message: string, { retryAfterMs = null, ...options }: ErrorOptions & { retryAfterMs?: number | null } = {}) {
    super(message, options)
    this.retryAfterMs = retryAfterMs
  }
}

const sentences = (name: string): Record<EgressErrorReason, string> => ({
  'bad-address': `The address of the ${name} is not http or https.`,
  'forbidden-address': `The address of the ${name} is forbidden.`,
  unreachable: `Downloading the ${name} failed: the connection broke`,
  'too-slow': `Downloading the ${name} failed: no data arrived.`,
  'too-large': `The ${name} is larger than 64 GB.`,
  'too-many-redirects': `The address of the ${name} redirects too often.`,
  unreadable: `Downloading the ${name} failed: unknown content encoding.`,
})

/**
 * Returns the path of the model's file, downloading it if needed. A download resumes where an earlier one broke off and gets its final
 * name only after its checksum matched, so later starts don't check it again. Processes that share the folder may download at the same
 * time: they write the same bytes.
 * Rejects with `ModelFileError` or the signal's reason.
 */
export async function fetchModel(options: FetchModelOptions): Promise<string> {
  const { name, source, directory, signal } = options
  const path = source.kind === 'file' ? source.path : join(directory, `${source.sha256}.gguf`)
  try {
    if (source.kind === 'file') await check(name, path, source.sha256, signal)
    else if (!(await sizeOf(path))) await fetchTo(path, source, options)
    return path
  } catch (error) {
    if (signal.aborted) throw signal.reason
    // Another process was faster.
    if (source.kind === 'fetched' && (await sizeOf(path))) return path
    throw sentenceOf(name, error)
  }
}

async function fetchTo(
  path: string,
  { url, sha256 }: Extract<ModelSource, { kind: 'fetched' }>,
  options: FetchModelOptions,
): Promise<void> {
  await mkdir(options.directory, { recursive: true, mode: 0o700 })
  const part = `${path}.part`
  await complete(part, url, options)
  try {
    await check(options.name, part, sha256, options.signal)
  } catch (error) {
    // Resuming would produce the same file again.
    if (!(error instanceof ModelFileError)) throw error
    await rm(part, { force: true })
    throw new ModelFileError(error.message, { cause: error, retryAfterMs: ANOTHER_FILE_RETRY_MS })
  }
  await rename(part, path)
}

async function complete(part: string, address: string, options: FetchModelOptions): Promise<void> {
  const { name, signal, onProgress, stallMs = STALL_MS } = options
  const egress = createEgress({ addressPolicy: OPERATOR_ALLOWED, limits: LIMITS })
  const stall = new AbortController()
  const timer = setTimeout(() => stall.abort(new EgressError('too-slow')), stallMs)
  const had = (await sizeOf(part)) ?? 0
  try {
    const headers = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'parley', ...(had > 0 && { range: `bytes=${had}-` }) }
    const reply = await egress({ url: new URL(address), headers, signal: AbortSignal.any([signal, stall.signal]) })
    const { from, totalBytes } = extentOf(name, reply, had)
    // The file is already complete.
    if (from === totalBytes) return void reply.body.destroy()
    await seeToRoom(name, part, totalBytes === null ? 0 : totalBytes - from)
    const file = await open(part, constants.O_RDWR | constants.O_CREAT, 0o600)
    try {
      const bytes = await write(reply, file, from, (written) => (timer.refresh(), onProgress({ bytes: written, totalBytes })))
      if (totalBytes !== null && bytes < totalBytes) throw new EgressError('unreachable')
      await file.truncate(bytes)
      await file.sync()
    } finally {
      reply.body.destroy()
      await file.close()
    }
  } finally {
    clearTimeout(timer)
  }
}

function extentOf(name: string, { status, headers, body }: EgressResponse, had: number): { from: number; totalBytes: number | null } {
  const range = /^bytes (?:(\d+)-\d+|\*)\/(\d+)$/.exec(headers.get('content-range') ?? '')
  const length = headers.get('content-length')
  if (status === 206 && Number(range?.[1]) === had) return { from: had, totalBytes: Number(range?.[2]) }
  if (status === 200) return { from: 0, totalBytes: length === null ? null : Number(length) }
  // A range at the end of the file is empty.
  if (status === 416 && Number(range?.[2]) === had) return { from: had, totalBytes: had }
  body.destroy()
  throw new ModelFileError(`Downloading the ${name} failed with status ${status}.`)
}

async function seeToRoom(name: string, path: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(join(path, '..'))
  if (bavail * bsize < bytes) throw noRoom(name, bytes)
}

function noRoom(name: string, bytes?: number): ModelFileError {
  const more = bytes === undefined ? '' : `: ${Math.ceil(bytes / MEGABYTE)} MB more are needed`
  return new ModelFileError(`The data folder has no space for the ${name}${more}.`)
}

async function* received(body: Readable): AsyncGenerator<Buffer> {
  try {
    yield* body as AsyncIterable<Buffer>
  } catch (cause) {
    throw cause instanceof EgressError ? cause : new EgressError('unreachable', cause)
  }
}

async function write({ body }: EgressResponse, file: FileHandle, from: number, onWritten: (bytes: number) => void): Promise<number> {
  let position = from
  onWritten(position)
  for await (const chunk of received(body)) {
    for (let done = 0; done < chunk.length; ) {
      const { bytesWritten } = await file.write(chunk, done, chunk.length - done, position)
      done += bytesWritten
      position += bytesWritten
    }
    onWritten(position)
  }
  return position
}

async function check(name: string, path: string, sha256: string | null, signal: AbortSignal): Promise<void> {
  const hash = createHash('sha256')
  let start = ''
  for await (const chunk of createReadStream(path, {
    highWaterMark: 1024 * 1024,
    signal,
    ...(sha256 === null && { end: MAGIC.length - 1 }),
  })) {
    start ||= (chunk as Buffer).subarray(0, MAGIC.length).toString('latin1')
    hash.update(chunk as Buffer)
  }
  if (sha256 !== null && hash.digest('hex') !== sha256) throw new ModelFileError(`The checksum of the ${name} does not match.`)
  if (start !== MAGIC) throw new ModelFileError(`The file of the ${name} is not a GGUF file.`)
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function sentenceOf(name: string, error: unknown): ModelFileError {
  if (error instanceof ModelFileError) return error
  const cause = { cause: error }
  if (error instanceof EgressError)
    return new ModelFileError(`${sentences(name)[error.reason]}${error.reason === 'unreachable' ? codeIn(error.message) : ''}`, cause)
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT') return noRoom(name)
  return new ModelFileError(`Reading or writing the file of the ${name} failed${code ? ` (${code})` : ''}.`, cause)
}

/** The message contains the cause, as in `unreachable (ECONNREFUSED)`. */
function codeIn(message: string): string {
  return `${/ \(\w+\)$/.exec(message)?.[0] ?? ''}.`
}
