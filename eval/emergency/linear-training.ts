import { EMERGENCY_BUCKETS, KIND_BUCKETS, featuresOf, scaleOfSum } from '../../src/server/safety/emergency/classifier/features.ts'
import { normalizeText } from '../../src/server/safety/emergency/classifier/normalize-text.ts'
import { CLASSIFIED_KINDS } from '../../src/server/safety/emergency/kinds.ts'

/** A sentence to train on, with its weight in the loss. */
export interface Example {
  text: string
  kind: string
  weight: number
}

/** Weights of a linear classifier: of emergency or not, and of each kind. */
export interface LinearModel {
  emergency: Float32Array
  kinds: readonly Float32Array[]
  bias: number
}

interface PreparedExample {
  features: number[]
  scale: number
  weight: number
  kind: string
}

const EPOCHS = 5
const STEP = 0.25
const REGULARISATION = 2e-6
/** How many features of an example are left out at a time, so that no single one decides. */
const DROPPED = 0.25
const SLIPPED = 0.3
const SEEDS = [1, 2, 3] as const

/** Random numbers that are the same each time (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The mean of models of different seeds, which errs less than each. The same examples give the same model. */
export function trainLinear(examples: readonly Example[]): LinearModel {
  const [first, ...others] = SEEDS
  return meanOf([trainOnce(examples, first), ...others.map((seed) => trainOnce(examples, seed))])
}

/** Trains by AdaGrad on the logistic loss. */
function trainOnce(examples: readonly Example[], seed: number): LinearModel {
  const random = seededRandom(seed)
  const prepared = examples.flatMap((example) => [
    prepare(example),
    prepare({ ...example, text: withSlip(example.text, random), weight: example.weight * SLIPPED }),
  ])
  const emergency = new Weights(EMERGENCY_BUCKETS + 1)
  const kinds = CLASSIFIED_KINDS.map(() => new Weights(KIND_BUCKETS))
  for (let epoch = 0; epoch < EPOCHS; epoch += 1) {
    for (const example of shuffled(prepared, random)) {
      const kept = example.features.filter(() => random() >= DROPPED)
      const buckets = kept.map((hash) => hash % EMERGENCY_BUCKETS)
      buckets.push(EMERGENCY_BUCKETS)
      emergency.learn(buckets, example.scale, example.kind !== 'none', example.weight)
      if (example.kind === 'none') continue
      const kindBuckets = kept.map((hash) => hash % KIND_BUCKETS)
      for (const [index, kind] of CLASSIFIED_KINDS.entries())
        kinds[index]?.learn(kindBuckets, example.scale, example.kind === kind, example.weight)
    }
  }
  return {
    emergency: emergency.values.subarray(0, EMERGENCY_BUCKETS),
    kinds: kinds.map(({ values }) => values),
    bias: emergency.values[EMERGENCY_BUCKETS] ?? 0,
  }
}

function meanOf(models: readonly [LinearModel, ...LinearModel[]]): LinearModel {
  const mean = (valueOf: (model: LinearModel) => number) => models.reduce((sum, model) => sum + valueOf(model), 0) / models.length
  const means = (valuesOf: (model: LinearModel) => Float32Array) =>
    Float32Array.from(valuesOf(models[0]), (_, index) => mean((model) => valuesOf(model)[index] ?? 0))
  return {
    emergency: means(({ emergency }) => emergency),
    kinds: models[0].kinds.map((_, kind) => means(({ kinds }) => kinds[kind] ?? new Float32Array())),
    bias: mean(({ bias }) => bias),
  }
}

function prepare({ text, kind, weight }: Example): PreparedExample {
  const features = featuresOf(normalizeText(text))
  return { features, scale: scaleOfSum(features.length), kind, weight }
}

class Weights {
  readonly values: Float32Array
  readonly #squares: Float32Array

  constructor(size: number) {
    this.values = new Float32Array(size)
    this.#squares = new Float32Array(size).fill(1e-4)
  }

  learn(buckets: readonly number[], scale: number, isTrue: boolean, weight: number): void {
    let sum = 0
    for (const bucket of buckets) sum += this.values[bucket] ?? 0
    const gradient = (1 / (1 + Math.exp(-sum * scale)) - (isTrue ? 1 : 0)) * scale * weight
    for (const bucket of buckets) {
      const value = this.values[bucket] ?? 0
      const step = gradient + REGULARISATION * value
      const squares = (this.#squares[bucket] ?? 0) + step * step
      this.#squares[bucket] = squares
      this.values[bucket] = value - (STEP * step) / Math.sqrt(squares)
    }
  }
}

function shuffled<T>(list: readonly T[], random: () => number): T[] {
  const copy = [...list]
  for (let at = copy.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1))
    ;[copy[at], copy[other]] = [copy[other] as T, copy[at] as T]
  }
  return copy
}

/** The text with a letter of one of its longer words left out, doubled or swapped. */
function withSlip(text: string, random: () => number): string {
  const words = text.split(' ')
  const index = Math.floor(random() * words.length)
  const word = words[index] ?? ''
  if (word.length < 5) return text
  const at = 1 + Math.floor(random() * (word.length - 3))
  const kind = random()
  words[index] =
    kind < 0.4
      ? word.slice(0, at) + word.slice(at + 1)
      : kind < 0.7
        ? word.slice(0, at) + word.charAt(at) + word.slice(at)
        : word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2)
  return words.join(' ')
}
