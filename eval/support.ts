import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { findMismatch, readEvidence } from '../src/server/policy/support/compare-claims.ts'

const SETS = ['seen', 'unseen'] as const

const Pairs = z.array(
  z.strictObject({ sentence: z.string(), passage: z.string(), language: z.string(), supported: z.boolean(), why: z.string() }),
)
type Pair = z.infer<typeof Pairs>[number]

/** Prints how many sentences that their passage does not support are found, beside a baseline fitted on the seen half. */
export function measureSupport(say: (line: string) => void, sets: readonly (typeof SETS)[number][] = SETS): void {
  const pairsOf = (set: string) => Pairs.parse(parse(readFileSync(join(import.meta.dirname, 'support', `${set}.yaml`), 'utf8')))
  const threshold = bestThreshold(pairsOf('seen'))
  for (const set of sets) {
    const pairs = pairsOf(set)
    const ours = ({ sentence, passage }: Pair) => findMismatch(sentence, [readEvidence(passage)]) !== null
    const baseline = (pair: Pair) => sharedWords(pair) < threshold
    say(`support, ${set}: ${figures(pairs, ours)}; share of words below ${threshold.toFixed(2)}: ${figures(pairs, baseline)}`)
    const kinds = [...new Set(pairs.map(({ why }) => why))].filter((why) => why !== 'none')
    const found = kinds.map((kind) => {
      const part = pairs.filter(({ why }) => why === kind)
      return `${kind} ${part.filter(ours).length}/${part.length}`
    })
    say(`  unsupported that are found, by what differs: ${found.join(', ')}`)
  }
}

function figures(pairs: readonly Pair[], isFound: (pair: Pair) => boolean): string {
  const found = pairs.filter(isFound)
  const right = found.filter(({ supported }) => !supported).length
  const all = pairs.filter(({ supported }) => !supported).length
  return `precision ${right} of ${found.length}, recall ${right} of ${all}`
}

/** The threshold with the best F1 on the seen half. */
function bestThreshold(pairs: readonly Pair[]): number {
  const f1 = (threshold: number) => {
    const found = pairs.filter((pair) => sharedWords(pair) < threshold)
    const right = found.filter(({ supported }) => !supported).length
    return (2 * right) / (found.length + pairs.filter(({ supported }) => !supported).length)
  }
  const candidates = Array.from({ length: 21 }, (_, index) => index / 20)
  return candidates.reduce((best, candidate) => (f1(candidate) > f1(best) ? candidate : best))
}

function sharedWords({ sentence, passage, language }: Pair): number {
  const segmenter = new Intl.Segmenter(language, { granularity: 'word' })
  const wordsOf = (text: string) =>
    [...segmenter.segment(text.toLowerCase())].flatMap(({ segment, isWordLike }) => (isWordLike ? segment : []))
  const known = new Set(wordsOf(passage))
  const words = wordsOf(sentence)
  return words.filter((word) => known.has(word)).length / words.length
}
