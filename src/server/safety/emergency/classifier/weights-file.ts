import { EMERGENCY_KINDS } from '../phrase-rules.ts'
import { EMERGENCY_BUCKETS, KIND_BUCKETS } from './features.ts'

/** A trained classifier: whole numbers from -127 to 127 for the buckets, and what they are multiplied with. */
export interface ClassifierWeights {
  emergency: Int8Array
  emergencyScale: number
  /** Weights, one kind after the other. */
  kinds: Int8Array
  bias: number
  /** Log odds that a match of the phrase rules adds. */
  phraseWeight: number
  /** Log odds above which a text is an emergency. */
  threshold: number
  /** Checksum of what it was trained on. */
  trainedOn: number
}

const HEADER_BYTES = 20
const BYTES = HEADER_BYTES + EMERGENCY_BUCKETS + EMERGENCY_KINDS.length * KIND_BUCKETS

/** The weights as a file that `decodeWeights` reads. */
export function encodeWeights(weights: ClassifierWeights): Buffer {
  const file = Buffer.alloc(BYTES)
  for (const [index, value] of [weights.emergencyScale, weights.bias, weights.phraseWeight, weights.threshold].entries())
    file.writeFloatLE(value, index * 4)
  file.writeUInt32LE(weights.trainedOn, 16)
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
    phraseWeight: file.readFloatLE(8),
    threshold: file.readFloatLE(12),
    trainedOn: file.readUInt32LE(16),
    emergency: new Int8Array(file.buffer, start, EMERGENCY_BUCKETS),
    kinds: new Int8Array(file.buffer, start + EMERGENCY_BUCKETS, EMERGENCY_KINDS.length * KIND_BUCKETS),
  }
}
