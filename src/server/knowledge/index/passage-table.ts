import { createHash } from 'node:crypto'
import type { Passage } from '../ingestion/passages.ts'

const FIRST_BYTES = 1 << 20
const FIRST_PASSAGES = 1 << 10
const GROWTH = 1.25
const ID_CHARACTERS = 12
/** Shorter texts with the same words in documents of different titles are different answers ("Yes."). */
const MIN_DUPLICATE_CHARACTERS = 200

/** A document and its passages in reading order. */
export interface IndexedDocument {
  file: string
  title: string
  address: string | null
  asOf: string | null
  passages: number[]
}

type Content = Pick<Passage, 'heading' | 'path' | 'text' | 'place' | 'keywords' | 'subheadings'>

export interface StoredPassages {
  documents: IndexedDocument[]
  records: Uint8Array
  ends: Float64Array<ArrayBuffer>
  lengths: Uint16Array<ArrayBuffer>
}

/**
 * Passages by number, kept as bytes outside the heap and decoded on demand. A passage with the same text in several documents is one
 * passage with several places.
 */
export class PassageTable {
  readonly #documents = new Map<string, IndexedDocument>()
  /** Documents of each passage: the first one's number, and all of them where there are several. */
  readonly #places = new Map<number, IndexedDocument[]>()
  readonly #numbers = new Map<string, number>()
  readonly #first: (IndexedDocument | undefined)[] = []
  #records: Buffer = Buffer.allocUnsafe(FIRST_BYTES)
  #used = 0
  #starts = new Float64Array(FIRST_PASSAGES)
  #ends = new Float64Array(FIRST_PASSAGES)
  /** In terms. */
  #lengths = new Uint16Array(FIRST_PASSAGES)
  #totalLength = 0

  constructor(stored?: StoredPassages) {
    if (!stored) return
    this.#records = Buffer.from(stored.records.buffer, stored.records.byteOffset, stored.records.byteLength)
    this.#used = stored.records.byteLength
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

  /** Passages in use. */
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

  /** The documents that contain a passage, the first one first. */
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
    return this.#records.toString('latin1', start, start + ID_CHARACTERS)
  }

  /** The passage as it stands in one of its documents. */
  passage(number: number, document = this.#first[number]): Passage | undefined {
    if (!document) return undefined
    const [start, end] = [this.#starts[number] as number, this.#ends[number] as number]
    const content = JSON.parse(this.#records.toString('utf8', start + ID_CHARACTERS, end)) as Content
    const { file, title, address, asOf } = document
    const heading = content.heading === '' ? title : content.heading
    return { ...content, heading, file, title, address, asOf }
  }

  /** Adds passages to the end of their document. `onNew` hears of each that is in no document yet. Returns the numbers of all in this one. */
  add(passages: readonly Passage[], lengthOf: (passage: Passage) => number, onNew: (number: number, passage: Passage) => void): number[] {
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
        number = this.#append(id, passage, lengthOf(passage))
        onNew(number, passage)
      }
      if (known.has(number)) continue
      known.add(number)
      document.passages.push(number)
      this.#addPlace(number, document)
    }
    return document.passages
  }

  /**
   * Removes the last passages of a document, at most `limit`, and the document with the first. `onChange` hears of each passage as it
   * was, and as it stands in the next document that has it, if any. Returns whether more are left.
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

  /** The table without gaps, valid until the next change, and the new number of each passage. */
  stored(): { passages: StoredPassages; numbers: Uint32Array } {
    const numbers = new Uint32Array(this.capacity)
    if (this.size === this.capacity) return { passages: this.#storedAsIs(), numbers: numbers.map((_, number) => number) }
    const kept = this.#first.flatMap((document, number) => (document ? [number] : []))
    const ends = new Float64Array(kept.length)
    const lengths = new Uint16Array(kept.length)
    const bytes = kept.reduce((sum, number) => sum + this.#bytesOf(number), 0)
    const records = Buffer.allocUnsafe(bytes)
    let used = 0
    for (const [index, number] of kept.entries()) {
      numbers[number] = index
      used += this.#records.copy(records, used, this.#starts[number], this.#ends[number])
      ends[index] = used
      lengths[index] = this.lengthOf(number)
    }
    const documents = [...this.#documents.values()].map((document) => ({
      ...document,
      passages: document.passages.map((number) => numbers[number] as number),
    }))
    return { passages: { documents, records, ends, lengths }, numbers }
  }

  /** Without a copy: nothing was ever removed. */
  #storedAsIs(): StoredPassages {
    return {
      documents: [...this.#documents.values()],
      records: this.#records.subarray(0, this.#used),
      ends: this.#ends.slice(0, this.capacity),
      lengths: this.#lengths.slice(0, this.capacity),
    }
  }

  #bytesOf(number: number): number {
    return (this.#ends[number] as number) - (this.#starts[number] as number)
  }

  #addPlace(number: number, document: IndexedDocument): void {
    const before = this.placesOf(number)
    if (before.length === 0) this.#first[number] = document
    else this.#places.set(number, [...before, document])
  }

  #append(id: string, { title, heading, path, text, place, keywords, subheadings }: Passage, length: number): number {
    const number = this.#first.length
    const content: Content = { heading: heading === title ? '' : heading, path, text, place, keywords, subheadings }
    const record = Buffer.from(id + JSON.stringify(content))
    this.#reserve(number, record.length)
    this.#starts[number] = this.#used
    this.#used += record.copy(this.#records, this.#used)
    this.#ends[number] = this.#used
    this.#lengths[number] = Math.min(length, 0xffff)
    this.#totalLength += this.lengthOf(number)
    this.#numbers.set(id, number)
    this.#first.push(undefined)
    return number
  }

  #reserve(number: number, bytes: number): void {
    if (this.#used + bytes > this.#records.length) {
      const records = Buffer.allocUnsafe(Math.ceil((this.#used + bytes) * GROWTH))
      this.#records.copy(records, 0, 0, this.#used)
      this.#records = records
    }
    if (number < this.#starts.length) return
    const length = Math.ceil((number + 1) * GROWTH)
    this.#starts = grown(this.#starts, new Float64Array(length))
    this.#ends = grown(this.#ends, new Float64Array(length))
    this.#lengths = grown(this.#lengths, new Uint16Array(length))
  }
}

function grown<T extends Float64Array<ArrayBuffer> | Uint16Array<ArrayBuffer>>(from: T, to: T): T {
  to.set(from)
  return to
}

function idOf({ title, heading, text }: Passage): string {
  const ownHeading = heading === title ? '' : heading
  const content = text.length < MIN_DUPLICATE_CHARACTERS ? [title, ownHeading, text] : [ownHeading, text]
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, ID_CHARACTERS)
}
