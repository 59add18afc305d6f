import { readFileSync } from 'node:fs'
import { CLASSIFIED_KINDS, type EmergencyKind } from '../kinds.ts'
import { featuresOf, KIND_BUCKETS } from './features.ts'
import { decodeWeights, oddsOf } from './weights-file.ts'

/** Trained by `npm run train-emergency`. */
const WEIGHTS = decodeWeights(readFileSync(new URL('./weights.bin', import.meta.url)))

/**
 * The kind of emergency in a few normalised sentences; `null` for none. Logistic regression over hashed words and sequences of letters.
 */
export function classify(normalText: string): EmergencyKind | null {
  const features = featuresOf(normalText)
  return oddsOf(features, WEIGHTS) > WEIGHTS.threshold ? likeliestKind(features) : null
}

function likeliestKind(features: readonly number[]): EmergencyKind {
  const sums = CLASSIFIED_KINDS.map((_, kind) =>
    features.reduce((sum, hash) => sum + (WEIGHTS.kinds[kind * KIND_BUCKETS + (hash % KIND_BUCKETS)] ?? 0), 0),
  )
  return CLASSIFIED_KINDS[sums.indexOf(Math.max(...sums))] ?? 'acute_illness'
}
