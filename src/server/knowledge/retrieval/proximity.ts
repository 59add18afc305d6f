import { readTokens, termsOf } from '../index/analyzer.ts'
import type { Language } from '../index/grammars.ts'
import type { QueryWord } from './query.ts'

/** Words farther apart than this are unrelated. */
const WINDOW = 12
const MAX_CHARACTERS = 6_000

/** Closeness, 0 to 1, of the words that follow each other in the query; 1 where all are adjacent in the same order. */
export function proximityOf(words: readonly QueryWord[], text: string, languages: readonly Language[]): number {
  if (words.length < 2) return 0
  const wordOf = new Map<string, number>()
  for (const [word, { terms }] of words.entries()) for (const { term } of terms) wordOf.set(term, word)
  const nearest = new Float64Array(words.length - 1)
  const last = new Int32Array(words.length).fill(-1_000)
  for (const [position, { text: token }] of readTokens(text.slice(0, MAX_CHARACTERS), 'outline').entries()) {
    for (const term of termsOf(token, languages)) {
      const word = wordOf.get(term)
      if (word === undefined) continue
      if (word > 0) note(word - 1, position - (last[word - 1] as number), 1)
      if (word < words.length - 1) note(word, position - (last[word + 1] as number), 0.8)
      last[word] = position
    }
  }
  return nearest.reduce((sum, closeness) => sum + closeness, 0) / nearest.length

  function note(pair: number, distance: number, factor: number): void {
    if (distance <= 0 || distance > WINDOW) return
    nearest[pair] = Math.max(nearest[pair] as number, factor / distance)
  }
}
