import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { BackupHeader } from '../../../contract/backup-header.ts'
import { parseJson } from '../../../text/parse-json.ts'

/** SHA-256 in hexadecimal and a line break. */
const CHECKSUM_BYTES = 65
const MAX_HEADER_BYTES = 1024 * 1024

/** The file is no backup, or is damaged; the message is for the operator. */
export class UnusableBackup extends Error {}

/** Writes a backup under a temporary name and renames it when the disk has it. Replaces a file of that name. */
export async function writeArchive(
  file: string,
  header: BackupHeader,
  payload: Readable | AsyncIterable<Buffer | string>,
): Promise<number> {
  const draft = `${file}.part`
  await rm(draft, { force: true })
  try {
    const output = createWriteStream(draft, { mode: 0o600, flags: 'wx', flush: true })
    await pipeline(payload, createGzip({ level: 6 }), (chunks: AsyncIterable<Buffer>) => framed(header, chunks), output)
    await rename(draft, file)
    await syncFolder(dirname(file))
    return (await stat(file)).size
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

export interface Archive {
  header: BackupHeader
  bytes: number
  payload(): Readable
}

/** Reads the whole file and verifies it. @throws {UnusableBackup} */
export async function openArchive(file: string): Promise<Archive> {
  const { size } = await stat(file).catch((error: unknown) => {
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? new UnusableBackup(`There is no file ${file}.`) : error
  })
  const first = await firstLine(file)
  const header = BackupHeader.safeParse(first === undefined ? undefined : parseJson(first))
  if (!header.success || first === undefined) throw new UnusableBackup(`${file} is not a backup that this release of Parley can read.`)
  const start = Buffer.byteLength(first) + 1
  const end = size - CHECKSUM_BYTES - 1
  const isWhole = end >= start && (await checksumOf(file, end)) === (await readAt(file, end + 1)).trimEnd()
  if (!isWhole) throw new UnusableBackup(`${file} is damaged: its checksum is wrong. Take another backup.`)
  return {
    header: header.data,
    bytes: size,
    payload: () => {
      const input = createReadStream(file, { start, end })
      const output = createGunzip()
      input.once('error', (error) => output.destroy(error))
      return input.pipe(output)
    },
  }
}

/** Prepends the header, and appends a checksum of everything. */
async function* framed(header: BackupHeader, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer | string> {
  const hash = createHash('sha256')
  const first = `${JSON.stringify(header)}\n`
  hash.update(first)
  yield first
  for await (const chunk of chunks) {
    hash.update(chunk)
    yield chunk
  }
  yield `${hash.digest('hex')}\n`
}

async function firstLine(file: string): Promise<string | undefined> {
  await using handle = await open(file)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_HEADER_BYTES), 0, MAX_HEADER_BYTES, 0)
  const end = buffer.subarray(0, bytesRead).indexOf('\n')
  return end === -1 ? undefined : buffer.toString('utf8', 0, end)
}

async function checksumOf(file: string, end: number): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file, { end })) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

async function readAt(file: string, start: number): Promise<string> {
  let text = ''
  for await (const chunk of createReadStream(file, { start, encoding: 'utf8' })) text += String(chunk)
  return text
}

async function syncFolder(directory: string): Promise<void> {
  await using folder = await open(directory, 'r')
  await folder.sync()
}
