import { mkdir, open, rename } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import type { IndexedDocument } from './passage-table.ts'
import type { StoredIndex } from './knowledge-index.ts'

/** Raised whenever the format, extraction, cutting or analysis changes. */
const VERSION = 3
const MAGIC = 'parley-knowledge'
const HEAD_BYTES = MAGIC.length + 4
const MAX_HEADER_BYTES = 64 * 1024

const ARRAYS = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, f64: Float64Array } as const
type ArrayKind = keyof typeof ARRAYS
type StoredArray = Uint8Array | Uint16Array | Uint32Array | Float64Array

interface Header {
  version: number
  /** What the index depends on beside its files. */
  identity: string
  sections: { name: string; kind: ArrayKind; length: number; checksum: number }[]
}

export interface StoredFile {
  size: number
  mtimeMs: number
  hash: string
}

export interface StoredKnowledge {
  files: Map<string, StoredFile>
  index: StoredIndex
}

/** Writes an index as typed arrays and texts, so that reading it back is little more than reading the file. */
export async function writeIndex(path: string, identity: string, { files, index }: StoredKnowledge): Promise<void> {
  const { terms, postings, passages } = index
  const sections: [string, ArrayKind, StoredArray][] = [
    ['files', 'u8', Buffer.from(JSON.stringify([...files]))],
    ['documents', 'u8', Buffer.from(JSON.stringify(passages.documents))],
    ['terms', 'u8', Buffer.from(terms.join('\n'))],
    ['starts', 'u32', postings.starts],
    ['lengths', 'u32', postings.lengths],
    ['passages', 'u32', postings.passages],
    ['weights', 'u16', postings.weights],
    ['records', 'u8', passages.records],
    ['ends', 'f64', passages.ends],
    ['passageLengths', 'u16', passages.lengths],
  ]
  const header: Header = {
    version: VERSION,
    identity,
    sections: sections.map(([name, kind, array]) => ({ name, kind, length: array.length, checksum: crc32(bytesOf(array)) })),
  }
  const headerBytes = Buffer.from(JSON.stringify(header))
  const head = Buffer.alloc(HEAD_BYTES)
  head.write(MAGIC, 'latin1')
  head.writeUInt32LE(headerBytes.length, MAGIC.length)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const part = `${path}.part`
  const file = await open(part, 'w', 0o600)
  try {
    for (const bytes of [head, headerBytes, ...sections.map(([, , array]) => bytesOf(array))]) await file.writeFile(bytes)
  } finally {
    await file.close()
  }
  await rename(part, path)
}

/** The stored index; undefined if there is none, it is damaged, or it was written by another version or for another identity. */
export async function readIndex(path: string, identity: string): Promise<StoredKnowledge | undefined> {
  let file: FileHandle | undefined
  try {
    file = await open(path, 'r')
    return await readSections(file, identity)
  } catch {
    return undefined
  } finally {
    await file?.close()
  }
}

async function readSections(file: FileHandle, identity: string): Promise<StoredKnowledge | undefined> {
  const head = await readBytes(file, new Uint8Array(HEAD_BYTES))
  const headerBytes = Buffer.from(head.buffer).readUInt32LE(MAGIC.length)
  if (Buffer.from(head.buffer).toString('latin1', 0, MAGIC.length) !== MAGIC || headerBytes > MAX_HEADER_BYTES) return undefined
  const header = JSON.parse(Buffer.from(await readBytes(file, new Uint8Array(headerBytes))).toString()) as Header
  if (header.version !== VERSION || header.identity !== identity) return undefined
  const { size } = await file.stat()
  const arrays = new Map<string, StoredArray>()
  for (const { name, kind, length, checksum } of header.sections) {
    if (length * ARRAYS[kind].BYTES_PER_ELEMENT > size) return undefined
    const array = new ARRAYS[kind](length)
    if (crc32(await readBytes(file, bytesOf(array))) !== checksum) return undefined
    arrays.set(name, array)
  }
  return knowledgeOf(arrays)
}

function knowledgeOf(arrays: ReadonlyMap<string, StoredArray>): StoredKnowledge {
  const u8 = (name: string) => arrays.get(name) as Uint8Array
  const u16 = (name: string) => arrays.get(name) as Uint16Array<ArrayBuffer>
  const u32 = (name: string) => arrays.get(name) as Uint32Array
  const text = (name: string) => new TextDecoder().decode(u8(name))
  const [terms, lengths, weights] = [text('terms'), u32('lengths'), u16('weights')]
  const postings = { starts: u32('starts'), lengths, capacities: lengths.slice(), passages: u32('passages'), weights, used: weights.length }
  const documents = JSON.parse(text('documents')) as IndexedDocument[]
  const passages = {
    documents,
    records: u8('records'),
    ends: arrays.get('ends') as Float64Array<ArrayBuffer>,
    lengths: u16('passageLengths'),
  }
  const files = new Map(JSON.parse(text('files')) as [string, StoredFile][])
  return { files, index: { terms: terms === '' ? [] : terms.split('\n'), postings, passages } }
}

function bytesOf(array: StoredArray): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
}

/** Fills the array from where the file stands. Throws if it ends before. */
async function readBytes(file: FileHandle, into: Uint8Array): Promise<Uint8Array> {
  let filled = 0
  while (filled < into.length) {
    const { bytesRead } = await file.read(into, filled, into.length - filled)
    if (bytesRead === 0) throw new Error('The file ends early.')
    filled += bytesRead
  }
  return into
}
