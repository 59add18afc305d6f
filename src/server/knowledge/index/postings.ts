import { resized } from './resized.ts'

const FIRST_CAPACITY = 2
const FIRST_ARENA = 1 << 16
const FIRST_TERMS = 1 << 12
const GROWTH = 1.25
const PIECE_POSTINGS = 1 << 18

/** Postings as they are loaded: three numbers a term, two a posting. Each array owns all of its buffer. */
export interface StoredPostings {
  starts: Uint32Array<ArrayBuffer>
  lengths: Uint32Array<ArrayBuffer>
  capacities: Uint32Array<ArrayBuffer>
  passages: Uint32Array<ArrayBuffer>
  weights: Uint16Array<ArrayBuffer>
  used: number
}

export interface PackedPostings {
  starts: Uint32Array
  lengths: Uint32Array
  passages: () => Iterable<Uint32Array>
  weights: () => Iterable<Uint16Array>
}

/** The postings of one term: passages in ascending order, from `start` to `end` in both arrays. */
export interface PostingsList {
  passages: Uint32Array
  weights: Uint16Array
  start: number
  end: number
}

/** For each term its passages in ascending order, with 16 bits each, all in one arena; a list that outgrows its place moves. */
export class Postings {
  #starts: Uint32Array<ArrayBuffer>
  #lengths: Uint32Array<ArrayBuffer>
  #capacities: Uint32Array<ArrayBuffer>
  #passages: Uint32Array<ArrayBuffer>
  #weights: Uint16Array<ArrayBuffer>
  #used: number
  readonly #free = new Map<number, number[]>()

  constructor(stored?: StoredPostings) {
    this.#starts = stored?.starts ?? new Uint32Array(FIRST_TERMS)
    this.#lengths = stored?.lengths ?? new Uint32Array(FIRST_TERMS)
    this.#capacities = stored?.capacities ?? new Uint32Array(FIRST_TERMS)
    this.#passages = stored?.passages ?? new Uint32Array(FIRST_ARENA)
    this.#weights = stored?.weights ?? new Uint16Array(FIRST_ARENA)
    this.#used = stored?.used ?? 0
  }

  frequencyOf(term: number): number {
    return this.#lengths[term] ?? 0
  }

  listOf(term: number): PostingsList {
    const start = this.#starts[term] ?? 0
    return { passages: this.#passages, weights: this.#weights, start, end: start + this.frequencyOf(term) }
  }

  weightOf(term: number, passage: number): number | undefined {
    const at = this.#find(term, passage)
    const { end } = this.listOf(term)
    return at < end && this.#passages[at] === passage ? this.#weights[at] : undefined
  }

  add(term: number, passage: number, weight: number): void {
    if (term >= this.#starts.length) this.#growTerms(term + 1)
    const length = this.#lengths[term] as number
    if (length === this.#capacities[term]) this.#move(term, Math.max(FIRST_CAPACITY, length * 2))
    const at = this.#find(term, passage)
    const end = (this.#starts[term] as number) + length
    if (at < end) {
      this.#passages.copyWithin(at + 1, at, end)
      this.#weights.copyWithin(at + 1, at, end)
    }
    this.#passages[at] = passage
    this.#weights[at] = weight
    this.#lengths[term] = length + 1
  }

  remove(term: number, passage: number): void {
    const at = this.#find(term, passage)
    const { end } = this.listOf(term)
    if (at >= end || this.#passages[at] !== passage) return
    this.#passages.copyWithin(at, at + 1, end)
    this.#weights.copyWithin(at, at + 1, end)
    this.#lengths[term] = (this.#lengths[term] as number) - 1
  }

  /** Packed without gaps in pieces, with passages renumbered by `numbers`, which must keep their order. Valid until the next change. */
  packed(terms: number, numbers: Uint32Array): PackedPostings {
    const lengths = this.#lengths.slice(0, terms)
    const starts = new Uint32Array(terms)
    for (let term = 1; term < terms; term += 1) starts[term] = (starts[term - 1] as number) + (lengths[term - 1] as number)
    return {
      starts,
      lengths,
      passages: () => this.#pieces(terms, Uint32Array, (at) => numbers[this.#passages[at] as number] as number),
      weights: () => this.#pieces(terms, Uint16Array, (at) => this.#weights[at] as number),
    }
  }

  *#pieces<T extends Uint32Array | Uint16Array>(
    terms: number,
    Piece: new (length: number) => T,
    valueOf: (at: number) => number,
  ): Generator<T> {
    let piece = new Piece(PIECE_POSTINGS)
    let filled = 0
    for (let term = 0; term < terms; term += 1) {
      const { start, end } = this.listOf(term)
      for (let at = start; at < end; at += 1) {
        piece[filled] = valueOf(at)
        filled += 1
        if (filled < PIECE_POSTINGS) continue
        yield piece
        piece = new Piece(PIECE_POSTINGS)
        filled = 0
      }
    }
    yield piece.subarray(0, filled) as T
  }

  /** Where a passage is, or would be, in the list of a term. */
  #find(term: number, passage: number): number {
    let { start: low, end: high } = this.listOf(term)
    // Most passages are added at the end.
    if (high > low && (this.#passages[high - 1] as number) < passage) return high
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#passages[middle] as number) < passage) low = middle + 1
      else high = middle
    }
    return low
  }

  #move(term: number, capacity: number): void {
    const { start, end } = this.listOf(term)
    const to = this.#allocate(capacity)
    this.#passages.copyWithin(to, start, end)
    this.#weights.copyWithin(to, start, end)
    const before = this.#capacities[term] as number
    if (before > 0) this.#release(before, start)
    this.#starts[term] = to
    this.#capacities[term] = capacity
  }

  #release(capacity: number, start: number): void {
    const starts = this.#free.get(capacity)
    if (starts) starts.push(start)
    else this.#free.set(capacity, [start])
  }

  #allocate(capacity: number): number {
    const reused = this.#free.get(capacity)?.pop()
    if (reused !== undefined) return reused
    const start = this.#used
    this.#used += capacity
    if (this.#used > this.#passages.length) {
      const length = Math.ceil(Math.max(this.#used, this.#passages.length * GROWTH))
      this.#passages = new Uint32Array(resized(this.#passages, length))
      this.#weights = new Uint16Array(resized(this.#weights, length))
    }
    return start
  }

  #growTerms(terms: number): void {
    const length = Math.ceil(Math.max(terms, this.#starts.length * GROWTH))
    this.#starts = new Uint32Array(resized(this.#starts, length))
    this.#lengths = new Uint32Array(resized(this.#lengths, length))
    this.#capacities = new Uint32Array(resized(this.#capacities, length))
  }
}
