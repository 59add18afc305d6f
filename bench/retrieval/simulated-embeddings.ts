import { answers, type Question } from '../../eval/collections/collection.ts'

/** Cosine of the passage at the top of a simulated ranking, what it loses with each rank, and how many ranks there are. */
const [TOP_COSINE, COSINE_STEP, RANKS] = [0.6, 0.03, 20]
const DIMENSIONS = 256
/** Share of the other passages in a ranking that word search finds too: models and words are misled by the same passages. */
const MISLED_BY_WORDS = 0.5
/** How slowly a ranking that misses the first place finds the passage further down. */
const TAIL = 0.3
/** By its end a passage is told from the others: what stands before it when it is embedded does not matter. */
const KEY_CHARACTERS = 200

export interface SimulatedPassage {
  text: string
  breadcrumb: string
}

/** The ranking that a simulated model has for a question. */
export interface SimulatedRanking {
  query: string
  passages: SimulatedPassage[]
}

/**
 * Rankings in which the passage that answers is the first for a share `quality` of the questions, and further down or missing for the
 * others; the other places go to passages that words find, and to any.
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

/** 1 for a share `quality`; Infinity where the model does not find it. */
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

/** From 0 to 1, the same for a seed in every run. */
export function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
