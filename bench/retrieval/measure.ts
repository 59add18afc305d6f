import { answers, type Collection, type Question } from '../../eval/collections/collection.ts'
import { type FoundText, type RetrievalSystem, withinBudget } from './retrieval-system.ts'

export const WORDINGS = ['natural', 'keywords', 'german'] as const
export type Wording = (typeof WORDINGS)[number]

/** The result of a system for one question. */
export interface Result {
  /** Rank of the first answering text, from 1; null if none answers. */
  rank: number | null
  topScore: number
}

export interface SystemResults {
  system: string
  byWording: Record<Wording, Result[]>
  /** Best scores of the questions without an answer. */
  unanswerable: number[]
}

/** Asks one system every question of a collection. */
export async function measureSystem(system: RetrievalSystem, { questions, unanswerable }: Collection): Promise<SystemResults> {
  const byWording: Record<Wording, Result[]> = { natural: [], keywords: [], german: [] }
  for (const question of questions)
    for (const wording of WORDINGS) {
      const query = question[wording]
      if (query !== undefined) byWording[wording].push(resultOf(withinBudget(await system.search(query)), question))
    }
  const scores: number[] = []
  for (const query of unanswerable) scores.push((await system.search(query))[0]?.score ?? 0)
  return { system: system.name, byWording, unanswerable: scores }
}

/** A quotation that spans two texts counts for neither, because models read them separately. */
function resultOf(texts: readonly FoundText[], question: Question): Result {
  const at = texts.findIndex(({ text }) => answers(text, question))
  return { rank: at === -1 ? null : at + 1, topScore: texts[0]?.score ?? 0 }
}

/** Share of questions for which an answering text was returned. */
export function hitRate(results: readonly Result[]): number {
  return results.filter(({ rank }) => rank !== null).length / results.length
}

/** Mean of 1 / rank of the first answering text; 0 if none was returned. */
export function meanReciprocalRank(results: readonly Result[]): number {
  return results.reduce((sum, { rank }) => sum + (rank === null ? 0 : 1 / rank), 0) / results.length
}

/**
 * How well the best score separates questions with an answer from those without: the probability that a random one with an answer
 * scores higher than a random one without (area under the ROC curve; 0.5 is chance).
 */
export function scoreSeparation({ byWording, unanswerable }: SystemResults): number {
  const pairs = byWording.natural.flatMap(({ topScore }) =>
    unanswerable.map((other): number => (topScore > other ? 1 : topScore === other ? 0.5 : 0)),
  )
  return pairs.reduce((sum, pair) => sum + pair, 0) / pairs.length
}

export interface Ratio {
  ratio: number
  /** Bounds of the 95 % confidence interval. */
  low: number
  high: number
}

const RESAMPLES = 10_000

/** Ratio of two hit rates over the same questions, with a paired bootstrap confidence interval. */
export function hitRatio(ours: readonly Result[], theirs: readonly Result[], seed = 1): Ratio {
  const random = randomNumbers(seed)
  const ratios = Array.from({ length: RESAMPLES }, () => {
    const sample = ours.map(() => Math.floor(random() * ours.length))
    return ratioOf(
      sample.map((at) => ours[at] as Result),
      sample.map((at) => theirs[at] as Result),
    )
  }).toSorted((one, other) => one - other)
  const at = (share: number) => ratios[Math.floor(share * (RESAMPLES - 1))] ?? Number.NaN
  return { ratio: ratioOf(ours, theirs), low: at(0.025), high: at(0.975) }
}

function ratioOf(ours: readonly Result[], theirs: readonly Result[]): number {
  const hits = hitRate(theirs)
  return hits === 0 ? Number.POSITIVE_INFINITY : hitRate(ours) / hits
}

/** Random numbers from 0 to 1, the same in every run for a seed. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Questions whose quotations occur in none of the texts, so that no search can find them. */
export function lostQuestions(questions: readonly Question[], texts: readonly string[]): Question[] {
  return questions.filter((question) => !texts.some((text) => answers(text, question)))
}
