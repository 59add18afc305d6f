/** Vectors in a form that structured clone accepts. */
export interface StoredVectors {
  dimensions: number
  size: number
  codes: Int8Array
  scales: Float32Array
}

export interface VectorMatch {
  slot: number
  /** Approximate cosine similarity. */
  similarity: number
}

const LARGEST_CODE = 127
const BITS_A_WORD = 32
/** Up to this many numbers, every vector is compared in full. Beyond it, only those with the nearest signs are. */
const MAX_COMPARED_NUMBERS = 8_000_000
/** Vectors compared in full when signs preselect. */
const CANDIDATES = 1_000
/** Vectors that tell the average, and the average similarity. */
const MAX_SAMPLE = 500
const FIRST_CAPACITY = 256
const GROWTH = 1.5

/** Nearest neighbours by cosine similarity, on a byte per number. In a large index, only the vectors with the nearest signs are compared. */
export class VectorIndex {
  readonly dimensions: number
  readonly #words: number
  readonly #maxComparedNumbers: number
  /** Slots in use or free: one more than the largest. */
  size = 0
  #codes: Int8Array
  #scales: Float32Array
  /** Signs of what distinguishes a vector from the average, since a model’s vectors have much in common. Made when they are first needed. */
  #signs: Uint32Array
  #average: Float32Array | null = null
  readonly #free: number[] = []
  #distances = new Uint16Array(0)

  /** Up to `maxComparedNumbers` in all, every vector is compared in full. */
  constructor(dimensions: number, stored?: StoredVectors, maxComparedNumbers = MAX_COMPARED_NUMBERS) {
    this.#maxComparedNumbers = maxComparedNumbers
    this.dimensions = dimensions
    this.#words = Math.ceil(dimensions / BITS_A_WORD)
    this.size = stored?.size ?? 0
    this.#codes = stored?.codes ?? new Int8Array(FIRST_CAPACITY * dimensions)
    this.#scales = stored?.scales ?? new Float32Array(FIRST_CAPACITY)
    this.#signs = new Uint32Array(0)
  }

  stored(): StoredVectors {
    const size = this.size
    return {
      dimensions: this.dimensions,
      size,
      codes: this.#codes.slice(0, size * this.dimensions),
      scales: this.#scales.slice(0, size),
    }
  }

  add(vector: readonly number[]): number {
    const slot = this.#free.pop() ?? this.size
    if (slot === this.size) this.size += 1
    if (slot >= this.#scales.length) this.#grow()
    const unit = unitOf(vector)
    const scale = unit.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / LARGEST_CODE || 1
    this.#scales[slot] = scale
    this.#codes.set(
      unit.map((value) => Math.round(value / scale)),
      slot * this.dimensions,
    )
    if (this.#average) this.#signs.set(this.#signsOf(unit, this.#average), slot * this.#words)
    return slot
  }

  remove(slot: number): void {
    this.#free.push(slot)
  }

  /** The average similarity of the vectors to a query, without the nearest one: what texts about anything else have. */
  usual(query: readonly number[]): number {
    const unit = Float32Array.from(unitOf(query))
    const similarities = this.#sampled().map((slot) => this.#similarity(slot, unit))
    const sum = similarities.reduce((total, one) => total + one, 0) - Math.max(...similarities)
    return similarities.length < 2 ? 0 : sum / (similarities.length - 1)
  }

  #sampled(): number[] {
    const free = new Set(this.#free)
    const step = Math.max(1, Math.floor(this.size / MAX_SAMPLE))
    return Array.from({ length: Math.floor(this.size / step) }, (_, index) => index * step).filter((slot) => !free.has(slot))
  }

  nearest(query: readonly number[], limit: number, isOpen: Uint8Array): VectorMatch[] {
    const unit = Float32Array.from(unitOf(query))
    const slots = this.size * this.dimensions <= this.#maxComparedNumbers ? allOf(isOpen) : this.#likely(unit, isOpen)
    return slots
      .map((slot) => ({ slot, similarity: this.#similarity(slot, unit) }))
      .toSorted((one, other) => other.similarity - one.similarity)
      .slice(0, limit)
  }

  #similarity(slot: number, unit: Float32Array): number {
    const codes = this.#codes
    let sum = 0
    for (let index = 0, at = slot * this.dimensions; index < unit.length; index += 1, at += 1)
      sum += (unit[index] as number) * (codes[at] as number)
    return sum * (this.#scales[slot] ?? 0)
  }

  /** The open slots whose signs differ least from the query's: `CANDIDATES` of them, plus ties with the last. */
  #likely(unit: Float32Array, isOpen: Uint8Array): number[] {
    const wanted = this.#signsOf(unit, (this.#average ??= this.#compared()))
    if (this.#distances.length < this.size) this.#distances = new Uint16Array(this.#scales.length)
    const counts = new Uint32Array(this.dimensions + 1)
    for (let slot = 0; slot < this.size; slot += 1) {
      if (isOpen[slot] !== 1) continue
      const distance = differingBits(wanted, this.#signs, slot * this.#words)
      this.#distances[slot] = distance
      counts[distance] = (counts[distance] as number) + 1
    }
    let farthest = 0
    for (let found = 0; farthest < this.dimensions; farthest += 1) {
      found += counts[farthest] as number
      if (found >= CANDIDATES) break
    }
    const slots: number[] = []
    for (let slot = 0; slot < this.size; slot += 1)
      if (isOpen[slot] === 1 && (this.#distances[slot] as number) <= farthest) slots.push(slot)
    return slots
  }

  /** The average, to which the signs of all vectors are set. */
  #compared(): Float32Array {
    const vectorAt = (slot: number) => {
      const codes = this.#codes.subarray(slot * this.dimensions, (slot + 1) * this.dimensions)
      return Float32Array.from(codes, (code) => code * (this.#scales[slot] ?? 0))
    }
    const sampled = this.#sampled()
    const average = new Float32Array(this.dimensions)
    for (const slot of sampled) for (const [index, value] of vectorAt(slot).entries()) average[index]! += value / sampled.length
    this.#signs = new Uint32Array(this.#scales.length * this.#words)
    for (let slot = 0; slot < this.size; slot += 1) this.#signs.set(this.#signsOf(vectorAt(slot), average), slot * this.#words)
    return average
  }

  #signsOf(vector: ArrayLike<number>, average: Float32Array): Uint32Array {
    const signs = new Uint32Array(this.#words)
    for (let index = 0; index < vector.length; index += 1)
      if ((vector[index] as number) > (average[index] as number)) signs[index >> 5]! |= 1 << (index & 31)
    return signs
  }

  #grow(): void {
    const capacity = Math.ceil(this.#scales.length * GROWTH)
    this.#codes = grown(this.#codes, new Int8Array(capacity * this.dimensions))
    this.#scales = grown(this.#scales, new Float32Array(capacity))
    this.#average = null
  }
}

function grown<T extends Int8Array | Float32Array>(from: T, to: T): T {
  to.set(from)
  return to
}

/** Scaled to length 1; zeros stay. */
function unitOf(vector: readonly number[]): number[] {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0)) || 1
  return vector.map((value) => value / length)
}

function differingBits(wanted: Uint32Array, signs: Uint32Array, start: number): number {
  let count = 0
  for (let index = 0; index < wanted.length; index += 1) {
    // Counts the bits of a word in parallel: https://graphics.stanford.edu/~seander/bithacks.html#CountBitsSetParallel
    let bits = (wanted[index] as number) ^ (signs[start + index] as number)
    bits -= (bits >>> 1) & 0x55555555
    bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
    count += Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
  }
  return count
}

function allOf(isOpen: Uint8Array): number[] {
  const slots: number[] = []
  for (let slot = 0; slot < isOpen.length; slot += 1) if (isOpen[slot] === 1) slots.push(slot)
  return slots
}
