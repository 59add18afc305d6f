import { answers, type Question } from '../../eval/collections/collection.ts'

/** Cosine of the passage at the top of a simulated ranking, its decrease per rank, and the number of ranks. */
const [TOP_COSINE, COSINE_STEP, RANKS] = [0.6, 0.03, 20]
const DIMENSIONS = 256
/** Share of the other passages in a ranking that the word search finds too, since both can fail on the same passages. */
const MISLED_BY_WORDS = 0.5
/** How far down a ranking finds the passage if it does not rank it first. */
const TAIL = 0.3
/** Number of last characters that identify a passage, whatever precedes it when it is embedded. */
const KEY_CHARACTERS = 200

export interface SimulatedPassage {
  text: string
  breadcrumb: string
}

/** The ranking of a simulated model for a question. */
export interface SimulatedRanking {
  query: string
  passages: SimulatedPassage[]
}

/**
 * Rankings in which the answering passage comes first for a share `quality` of the questions, and further down or not at all for the
 * others. The other places are filled with passages found by words, and with random ones.
 */
export function simulateRankings(
  questions: readonly { question: Question; query: string; byWords: readonly SimulatedPassage[]; right: SimulatedPassage | undefined }[],
  others: readonly SimulatedPassage[],
  quality: number,
  random: () => number,
): SimulatedRanking[] {
  return questions.map(({ question, query, byWords, right }) => {
    const passages: SimulatedPassage[] = []
    const wrong = (list: readonly SimulatedPassage[]) => list.filter(({ text }) => !answers(text, question))
    const [misleading, any] = [wrong(byWords), wrong(others)]
    const rank = rankOfRight(quality, random)
    const taken = new Set<string>()
    while (passages.length < RANKS) {
      const list = random() < MISLED_BY_WORDS && misleading.length > 0 ? misleading : any
      const drawn = passages.length + 1 === rank ? right : undefined
      const passage = drawn ?? list[Math.floor(random() * list.length)]
      if (!passage) break
      if (taken.has(passage.text) && random() > 0.01) continue
      taken.add(passage.text)
      passages.push(passage)
    }
    return { query, passages }
  })
}

/** 1 for a share `quality`; Infinity if the model does not find it. */
function rankOfRight(quality: number, random: () => number): number {
  const drawn = random()
  return drawn < quality ? 1 : Math.ceil(((1 - drawn) / (1 - quality)) ** (-1 / TAIL))
}

/**
 * Vectors that reproduce the rankings: a random unit vector for each question; the passage at rank r is 0.6 − 0.03 r times the vectors of
 * its questions, with noise up to length 1; all others are noise.
 */
export function simulatedVectors(rankings: readonly SimulatedRanking[], random: () => number): (text: string) => number[] {
  const ofQueries = new Map(rankings.map(({ query }) => [query, unit(DIMENSIONS, random)]))
  const signals = new Map<string, number[]>()
  for (const { query, passages } of rankings)
    for (const [rank, { text }] of passages.entries()) {
      const key = keyOf(text)
      const signal = signals.get(key) ?? Array.from({ length: DIMENSIONS }, () => 0)
      const direction = ofQueries.get(query) as number[]
      signals.set(
        key,
        signal.map((value, index) => value + (TOP_COSINE - COSINE_STEP * rank) * (direction[index] as number)),
      )
    }
  return (text) => {
    const query = ofQueries.get(text)
    if (query) return query
    const signal = signals.get(keyOf(text))
    const noise = unit(DIMENSIONS, random)
    if (!signal) return noise
    const noiseLength = Math.sqrt(Math.max(0, 1 - signal.reduce((sum, value) => sum + value * value, 0)))
    return signal.map((value, index) => value + noiseLength * (noise[index] as number))
  }
}

function keyOf(text: string): string {
  return text.slice(-KEY_CHARACTERS)
}

function unit(dimensions: number, random: () => number): number[] {
  const vector = Array.from({ length: dimensions }, () => Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random()))
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
  return vector.map((value) => value / length)
}

/** Random numbers from 0 to 1, the same in every run for a seed. */
export function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
