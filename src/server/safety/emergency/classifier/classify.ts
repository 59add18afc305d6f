import { readFileSync } from 'node:fs'
import { EMERGENCY_KINDS, type EmergencyKind } from '../phrase-rules.ts'
import { EMERGENCY_BUCKETS, featuresOf, KIND_BUCKETS, scaleOfSum } from './features.ts'
import { decodeWeights } from './weights-file.ts'

/** Trained by `npm run train-emergency`. */
const WEIGHTS = decodeWeights(readFileSync(new URL('./weights.bin', import.meta.url)))

/**
 * The kind of emergency in a few normalised sentences; `null` for none. `phraseKind`: what the phrase rules found in them. Logistic
 * regression over hashed words and sequences of letters.
 */
export function classify(normalText: string, phraseKind: EmergencyKind | null): EmergencyKind | null {
  const features = featuresOf(normalText)
  let sum = WEIGHTS.bias + (phraseKind ? WEIGHTS.phraseWeight : 0)
  for (const hash of features) sum += (WEIGHTS.emergency[hash % EMERGENCY_BUCKETS] ?? 0) * WEIGHTS.emergencyScale
  if (sum * scaleOfSum(features.length) <= WEIGHTS.threshold) return null
  return phraseKind ?? likeliestKind(features)
}

function likeliestKind(features: readonly number[]): EmergencyKind {
  const sums = EMERGENCY_KINDS.map((_, kind) =>
    features.reduce((sum, hash) => sum + (WEIGHTS.kinds[kind * KIND_BUCKETS + (hash % KIND_BUCKETS)] ?? 0), 0),
  )
  return EMERGENCY_KINDS[sums.indexOf(Math.max(...sums))] ?? 'acute_illness'
}
