import { createHash } from 'node:crypto'
import type { Passage } from '../ingestion/passages.ts'
import { resized } from './resized.ts'

const BLOCK_BYTES = 1 << 22
const FIRST_PASSAGES = 1 << 10
const GROWTH = 1.25
const ID_CHARACTERS = 12
/** Shorter texts with the same words in documents of different titles are different answers ("Yes."). */
const MIN_DUPLICATE_CHARACTERS = 200

/** A document and its passages in reading order. */
export interface IndexedDocument extends Pick<Passage, 'file' | 'title' | 'address' | 'asOf'> {
  passages: number[]
}

type Content = Pick<Passage, 'heading' | 'path' | 'text' | 'place' | 'keywords' | 'subheadings'>

export interface StoredPassages {
  documents: IndexedDocument[]
  records: readonly Uint8Array[]
  ends: Float64Array<ArrayBuffer>
  lengths: Uint16Array<ArrayBuffer>
}

/** Passages by number, as bytes outside the heap. One with the same text in several documents is one passage with several places. */
export class PassageTable {
  readonly #documents = new Map<string, IndexedDocument>()
  /** Documents of each passage: the first one's number, and all of them where there are several. */
  readonly #places = new Map<number, IndexedDocument[]>()
  readonly #numbers = new Map<string, number>()
  readonly #first: (IndexedDocument | undefined)[] = []
  /** Records do not move when the table grows, and none is in two blocks. */
  readonly #blocks: Buffer[] = []
  #used = 0
  #blockOf = new Uint16Array(FIRST_PASSAGES)
  #starts = new Float64Array(FIRST_PASSAGES)
  #ends = new Float64Array(FIRST_PASSAGES)
  /** In terms. */
  #lengths = new Uint16Array(FIRST_PASSAGES)
  #totalLength = 0

  constructor(stored?: StoredPassages) {
    if (!stored) return
    const [first = new Uint8Array(0), ...more] = stored.records
    const records = more.length > 0 ? Buffer.concat(stored.records) : Buffer.from(first.buffer, first.byteOffset, first.byteLength)
    this.#blocks.push(records)
    this.#used = records.length
    this.#blockOf = new Uint16Array(stored.ends.length)
    this.#ends = stored.ends
    this.#lengths = stored.lengths
    this.#starts = new Float64Array(stored.ends.length)
    if (stored.ends.length > 0) this.#starts.set(stored.ends.subarray(0, -1), 1)
    for (const length of stored.lengths) this.#totalLength += length
    for (const document of stored.documents) {
      this.#documents.set(document.file, document)
      for (const number of document.passages) this.#addPlace(number, document)
    }
    for (let number = 0; number < this.#first.length; number += 1) this.#numbers.set(this.id(number), number)
  }

  get size(): number {
    return this.#numbers.size
  }

  /** One more than the highest number ever given. */
  get capacity(): number {
    return this.#first.length
  }

  get averageLength(): number {
    return this.size === 0 ? 1 : Math.max(1, this.#totalLength / this.size)
  }

  get documents(): ReadonlyMap<string, IndexedDocument> {
    return this.#documents
  }

  lengthOf(number: number): number {
    return this.#lengths[number] ?? 0
  }

  placesOf(number: number): readonly IndexedDocument[] {
    const first = this.#first[number]
    return this.#places.get(number) ?? (first ? [first] : [])
  }

  numberOf(id: string): number | undefined {
    return this.#numbers.get(id)
  }

  /** Stable while the content of the passage stays the same. */
  id(number: number): string {
    const start = this.#starts[number] as number
    return this.#blockWith(number).toString('latin1', start, start + ID_CHARACTERS)
  }

  passage(number: number, document = this.#first[number]): Passage | undefined {
    if (!document) return undefined
    const [start, end] = [this.#starts[number] as number, this.#ends[number] as number]
    const content = JSON.parse(this.#blockWith(number).toString('utf8', start + ID_CHARACTERS, end)) as Content
    const { file, title, address, asOf } = document
    const heading = content.heading === '' ? title : content.heading
    return { ...content, heading, file, title, address, asOf }
  }

  /** Adds passages to the end of their document. `addNew` adds one that no document has yet, and returns its length. Returns the numbers of all in this document. */
  add(passages: readonly Passage[], addNew: (number: number, passage: Passage) => number): number[] {
    const [first] = passages
    if (!first) return []
    const { file, title, address, asOf } = first
    const document = this.#documents.get(file) ?? { file, title, address, asOf, passages: [] }
    this.#documents.set(file, document)
    const known = new Set(document.passages)
    for (const passage of passages) {
      const id = idOf(passage)
      let number = this.#numbers.get(id)
      if (number === undefined) {
        number = this.#append(id, passage)
        this.#lengths[number] = Math.min(addNew(number, passage), 0xffff)
        this.#totalLength += this.lengthOf(number)
      }
      if (known.has(number)) continue
      known.add(number)
      document.passages.push(number)
      this.#addPlace(number, document)
    }
    return document.passages
  }

  /**
   * Removes the last passages of a document, at most `limit`, and the document with the first. Calls `onChange` for each passage with its
   * old form and its form in the next document that has it, if any. Returns whether more are left.
   */
  remove(file: string, limit: number, onChange: (number: number, before: Passage, after: Passage | undefined) => void): boolean {
    const document = this.#documents.get(file)
    if (!document) return false
    for (const number of document.passages.splice(-limit)) {
      const before = this.#first[number] === document ? this.passage(number) : undefined
      const rest = this.placesOf(number).filter((place) => place !== document)
      this.#first[number] = rest[0]
      if (rest.length > 1) this.#places.set(number, rest)
      else this.#places.delete(number)
      if (before) onChange(number, before, this.passage(number))
      if (rest.length > 0) continue
      this.#numbers.delete(this.id(number))
      this.#totalLength -= this.lengthOf(number)
    }
    if (document.passages.length > 0) return true
    this.#documents.delete(file)
    return false
  }

  /** The table without gaps and copies, valid until the next change, and the new number of each passage. */
  stored(): { passages: StoredPassages; numbers: Uint32Array } {
    const numbers = new Uint32Array(this.capacity)
    const ends = new Float64Array(this.size)
    const lengths = new Uint16Array(this.size)
    const kept = this.#first.flatMap((document, number) => (document ? [number] : []))
    let used = 0
    for (const [index, number] of kept.entries()) {
      numbers[number] = index
      used += (this.#ends[number] as number) - (this.#starts[number] as number)
      ends[index] = used
      lengths[index] = this.lengthOf(number)
    }
    const documents = [...this.#documents.values()].map((document) => ({
      ...document,
      passages: document.passages.map((number) => numbers[number] as number),
    }))
    return { passages: { documents, records: this.#piecesOf(kept), ends, lengths }, numbers }
  }

  #piecesOf(kept: readonly number[]): Uint8Array[] {
    const pieces: Uint8Array[] = []
    for (let index = 0; index < kept.length; ) {
      const first = kept[index] as number
      let last = first
      for (index += 1; index < kept.length && this.#isAfter(kept[index] as number, last); index += 1) last = kept[index] as number
      pieces.push(this.#blockWith(first).subarray(this.#starts[first], this.#ends[last]))
    }
    return pieces
  }

  #isAfter(number: number, before: number): boolean {
    return this.#blockOf[number] === this.#blockOf[before] && this.#starts[number] === this.#ends[before]
  }

  #blockWith(number: number): Buffer {
    return this.#blocks[this.#blockOf[number] as number] as Buffer
  }

  #addPlace(number: number, document: IndexedDocument): void {
    const before = this.placesOf(number)
    if (before.length === 0) this.#first[number] = document
    else this.#places.set(number, [...before, document])
  }

  #append(id: string, { title, heading, path, text, place, keywords, subheadings }: Passage): number {
    const number = this.#first.length
    const content: Content = { heading: heading === title ? '' : heading, path, text, place, keywords, subheadings }
    const record = Buffer.from(id + JSON.stringify(content))
    this.#reserve(number, record.length)
    this.#blockOf[number] = this.#blocks.length - 1
    this.#starts[number] = this.#used
    this.#used += record.copy(this.#blockWith(number), this.#used)
    this.#ends[number] = this.#used
    this.#numbers.set(id, number)
    this.#first.push(undefined)
    return number
  }

  #reserve(number: number, bytes: number): void {
    if (this.#used + bytes > (this.#blocks.at(-1)?.length ?? 0)) {
      this.#blocks.push(Buffer.allocUnsafeSlow(Math.max(BLOCK_BYTES, bytes)))
      this.#used = 0
    }
    if (number < this.#starts.length) return
    const length = Math.ceil((number + 1) * GROWTH)
    this.#blockOf = new Uint16Array(resized(this.#blockOf, length))
    this.#starts = new Float64Array(resized(this.#starts, length))
    this.#ends = new Float64Array(resized(this.#ends, length))
    this.#lengths = new Uint16Array(resized(this.#lengths, length))
  }
}

function idOf({ title, heading, text }: Passage): string {
  const ownHeading = heading === title ? '' : heading
  const content = text.length < MIN_DUPLICATE_CHARACTERS ? [title, ownHeading, text] : [ownHeading, text]
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, ID_CHARACTERS)
}
