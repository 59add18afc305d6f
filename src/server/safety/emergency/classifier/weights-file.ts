import { CLASSIFIED_KINDS } from '../kinds.ts'
import { EMERGENCY_BUCKETS, KIND_BUCKETS, scaleOfSum } from './features.ts'

/** A trained classifier: whole numbers from -127 to 127 for the buckets, and what they are multiplied with. */
export interface ClassifierWeights {
  emergency: Int8Array
  emergencyScale: number
  /** Weights, one kind after the other. */
  kinds: Int8Array
  bias: number
  /** Log odds above which a text is an emergency. */
  threshold: number
  /** Checksum of what it was trained on. */
  trainedOn: number
}

const HEADER_BYTES = 16
const BYTES = HEADER_BYTES + EMERGENCY_BUCKETS + CLASSIFIED_KINDS.length * KIND_BUCKETS

/** The weights as a file that `decodeWeights` reads. */
export function encodeWeights(weights: ClassifierWeights): Buffer {
  const file = Buffer.alloc(BYTES)
  for (const [index, value] of [weights.emergencyScale, weights.bias, weights.threshold].entries()) file.writeFloatLE(value, index * 4)
  file.writeUInt32LE(weights.trainedOn, 12)
  file.set(new Uint8Array(weights.emergency.buffer), HEADER_BYTES)
  file.set(new Uint8Array(weights.kinds.buffer), HEADER_BYTES + EMERGENCY_BUCKETS)
  return file
}

/** Throws for a file of another size. */
export function decodeWeights(file: Buffer): ClassifierWeights {
  if (file.length !== BYTES) throw new Error(`weights.bin has ${file.length} bytes instead of ${BYTES}: run npm run train-emergency`)
  const start = file.byteOffset + HEADER_BYTES
  return {
    emergencyScale: file.readFloatLE(0),
    bias: file.readFloatLE(4),
    threshold: file.readFloatLE(8),
    trainedOn: file.readUInt32LE(12),
    emergency: new Int8Array(file.buffer, start, EMERGENCY_BUCKETS),
    kinds: new Int8Array(file.buffer, start + EMERGENCY_BUCKETS, CLASSIFIED_KINDS.length * KIND_BUCKETS),
  }
}

/** Log odds that a text with these features is an emergency. */
export function oddsOf(
  features: readonly number[],
  { emergency, emergencyScale, bias }: Pick<ClassifierWeights, 'emergency' | 'emergencyScale' | 'bias'>,
): number {
  const sum = features.reduce((total, hash) => total + (emergency[hash % EMERGENCY_BUCKETS] ?? 0) * emergencyScale, bias)
  return sum * scaleOfSum(features.length)
}
