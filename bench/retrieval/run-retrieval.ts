import { type Collection, pagesDirectory, readCollections } from '../../eval/collections/collection.ts'
import { type FetchedPackage, fetchCollections, fetchedPackage } from '../../eval/collections/fetch.ts'
import { chunksOf } from './bm25-baseline.ts'
import { lostQuestions, measureSystem, type SystemResults } from './measure.ts'
import type { OpenSystem } from './retrieval-system.ts'
import { extractedDocuments, extractedPassages, openBaseline, openMiniSearch, openOurs } from './systems.ts'

export interface CollectionResults {
  collection: Collection
  fetched: FetchedPackage
  systems: SystemResults[]
  passages: number
  /** Questions whose quotations occur in none of our passages: lost in extraction, or split. */
  lost: string[]
  /** Questions whose quotations are split between the baseline's chunks. */
  cut: string[]
}

/** Our system first, then the baselines. */
export const SYSTEMS: readonly OpenSystem[] = [openOurs, openBaseline, openMiniSearch]

/**
 * Measures every system on every collection, and downloads missing collections.
 * @throws {Error} if a collection cannot be downloaded, or lacks a quotation.
 */
export async function runRetrieval(
  say: (line: string) => void,
  systems: readonly OpenSystem[] = SYSTEMS,
  collections = readCollections(),
): Promise<CollectionResults[]> {
  if (!(await fetchCollections(say, collections))) throw new Error('The document collections are not complete; see above.')
  const results: CollectionResults[] = []
  for (const collection of collections) results.push(await measureCollection(collection, systems))
  return results
}

async function measureCollection(collection: Collection, openers: readonly OpenSystem[]): Promise<CollectionResults> {
  const directory = pagesDirectory(collection)
  const systems: SystemResults[] = []
  for (const open of openers) {
    const system = await open(directory)
    systems.push(await measureSystem(system, collection))
    await system.close?.()
  }
  const passages = await extractedPassages(directory)
  const [lost, cut] = [passages, chunksOf(await extractedDocuments(directory))].map((texts) =>
    lostQuestions(collection.questions, texts).map(({ natural }) => natural),
  ) as [string[], string[]]
  return { collection, fetched: fetchedPackage(collection), systems, passages: passages.length, lost, cut }
}
