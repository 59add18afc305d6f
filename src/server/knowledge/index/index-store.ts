import { mkdir, open, rename } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import type { IndexedDocument } from './passage-table.ts'
import type { PackedIndex, StoredIndex } from './knowledge-index.ts'

/** Raised whenever the format, extraction, cutting or analysis changes. */
const VERSION = 15
const MAGIC = Buffer.from('parley-knowledge')
/** The length of the header, at the very end. */
const TAIL_BYTES = 4
const MAX_HEADER_BYTES = 64 * 1024

const ARRAYS = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, f64: Float64Array } as const
type ArrayKind = keyof typeof ARRAYS
type StoredArray = Uint8Array | Uint16Array | Uint32Array | Float64Array

interface Header {
  version: number
  sections: { name: string; kind: ArrayKind; length: number; checksum: number }[]
}

export interface StoredFile {
  size: number
  mtimeMs: number
  hash: string
  warning?: string
}

export interface StoredKnowledge {
  files: Map<string, StoredFile>
  index: StoredIndex
}

type Section = [name: string, kind: ArrayKind, pieces: () => Iterable<StoredArray>]

/** Streams an index as typed arrays and texts, the header last: memory never holds a second copy. It must not change meanwhile. */
export async function writeIndex(path: string, files: ReadonlyMap<string, StoredFile>, index: PackedIndex): Promise<void> {
  const { terms, postings, passages } = index
  const sections: Section[] = [
    ['files', 'u8', () => [Buffer.from(JSON.stringify([...files]))]],
    ['documents', 'u8', () => [Buffer.from(JSON.stringify(passages.documents))]],
    ['terms', 'u8', () => [Buffer.from(terms.join('\n'))]],
    ['starts', 'u32', () => [postings.starts]],
    ['lengths', 'u32', () => [postings.lengths]],
    ['passages', 'u32', postings.passages],
    ['weights', 'u16', postings.weights],
    ['records', 'u8', () => passages.records],
    ['ends', 'f64', () => [passages.ends]],
    ['passageLengths', 'u16', () => [passages.lengths]],
  ]
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const part = `${path}.part`
  const file = await open(part, 'w', 0o600)
  try {
    await file.writeFile(MAGIC)
    const header: Header = { version: VERSION, sections: [] }
    for (const section of sections) header.sections.push(await writeSection(file, section))
    const headerBytes = Buffer.from(JSON.stringify(header))
    const tail = Buffer.alloc(TAIL_BYTES)
    tail.writeUInt32LE(headerBytes.length)
    await file.writeFile(Buffer.concat([headerBytes, tail]))
  } finally {
    await file.close()
  }
  await rename(part, path)
}

async function writeSection(file: FileHandle, [name, kind, pieces]: Section): Promise<Header['sections'][number]> {
  let length = 0
  let checksum = 0
  for (const piece of pieces()) {
    const bytes = bytesOf(piece)
    await file.writeFile(bytes)
    length += piece.length
    checksum = crc32(bytes, checksum)
  }
  return { name, kind, length, checksum }
}

/** The stored index; undefined if there is none, it is damaged, or it was written by another version. */
export async function readIndex(path: string): Promise<StoredKnowledge | undefined> {
  let file: FileHandle | undefined
  try {
    file = await open(path, 'r')
    return await readSections(file)
  } catch {
    return undefined
  } finally {
    await file?.close()
  }
}

async function readSections(file: FileHandle): Promise<StoredKnowledge | undefined> {
  const header = await readHeader(file)
  if (header?.version !== VERSION) return undefined
  const { size } = await file.stat()
  const arrays = new Map<string, StoredArray>()
  let position = MAGIC.length
  for (const { name, kind, length, checksum } of header.sections) {
    if (length * ARRAYS[kind].BYTES_PER_ELEMENT > size) return undefined
    const array = new ARRAYS[kind](length)
    if (crc32(await readBytes(file, bytesOf(array), position)) !== checksum) return undefined
    arrays.set(name, array)
    position += array.byteLength
  }
  return knowledgeOf(arrays)
}

async function readHeader(file: FileHandle): Promise<Header | undefined> {
  const { size } = await file.stat()
  const magic = await readBytes(file, Buffer.alloc(MAGIC.length), 0)
  const length = (await readBytes(file, Buffer.alloc(TAIL_BYTES), size - TAIL_BYTES)).readUInt32LE()
  if (!MAGIC.equals(magic) || length > MAX_HEADER_BYTES) return undefined
  return JSON.parse((await readBytes(file, Buffer.alloc(length), size - TAIL_BYTES - length)).toString()) as Header
}

function knowledgeOf(arrays: ReadonlyMap<string, StoredArray>): StoredKnowledge {
  const u8 = (name: string) => arrays.get(name) as Uint8Array
  const u16 = (name: string) => arrays.get(name) as Uint16Array<ArrayBuffer>
  const u32 = (name: string) => arrays.get(name) as Uint32Array<ArrayBuffer>
  const text = (name: string) => new TextDecoder().decode(u8(name))
  const [terms, lengths, weights] = [text('terms'), u32('lengths'), u16('weights')]
  const postings = { starts: u32('starts'), lengths, capacities: lengths.slice(), passages: u32('passages'), weights, used: weights.length }
  const documents = JSON.parse(text('documents')) as IndexedDocument[]
  const passages = {
    documents,
    records: [u8('records')],
    ends: arrays.get('ends') as Float64Array<ArrayBuffer>,
    lengths: u16('passageLengths'),
  }
  const files = new Map(JSON.parse(text('files')) as [string, StoredFile][])
  return { files, index: { terms: terms === '' ? [] : terms.split('\n'), postings, passages } }
}

function bytesOf(array: StoredArray): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
}

/** Fills the array from a position of the file. Throws if the file ends before. */
async function readBytes<Bytes extends Uint8Array>(file: FileHandle, into: Bytes, position: number): Promise<Bytes> {
  let filled = 0
  while (filled < into.length) {
    const { bytesRead } = await file.read(into, filled, into.length - filled, position + filled)
    if (bytesRead === 0) throw new Error('The file ends early.')
    filled += bytesRead
  }
  return into
}
