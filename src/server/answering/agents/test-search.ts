import { languageOf } from '../../language.ts'
import type { KnowledgeBase } from '../../knowledge/knowledge-base.ts'
import type { FoundPassage } from '../../knowledge/retrieval/search.ts'
import { findPassages } from '../passages/find-passages.ts'
import { informativeWords, judgePassages, MIN_CONFIDENCE, type UnquotedReason } from '../../models/builtin/relevance.ts'

/** Far more than agents answer from. */
const NEAR_MISSES = { maxPassages: 40, maxCharacters: 100_000 }

/** A passage, and why the agent doesn't answer from it; `null` if it can. `outranked` is one behind those that it is given. */
export type TestedPassage = FoundPassage & { missed: UnquotedReason | 'outranked' | 'stopped' | null }

export interface TestedSearch {
  /** Whether a model judges what it is sent, or the built-in assistant quotes a passage. */
  usedBy: 'model' | 'builtin'
  /** Below it, the built-in assistant quotes no passage; `null` for models, which have no threshold. */
  minRelevance: number | null
  /** Best first, after them those that were missed. */
  passages: TestedPassage[]
}

/** Finds the passages that an agent would answer from, then near misses. */
export async function testSearch(
  knowledge: Pick<KnowledgeBase, 'search'>,
  query: string,
  { folders, usedBy, stoppedFiles }: { folders: readonly string[]; usedBy: TestedSearch['usedBy']; stoppedFiles: readonly string[] },
): Promise<TestedSearch> {
  const options = { folders, caller: usedBy } as const
  const isStopped = ({ file }: FoundPassage) => stoppedFiles.includes(file)
  const given =
    usedBy === 'model'
      ? await findPassages(knowledge, folders, { prompt: query, earlierPrompt: null, excludedFiles: stoppedFiles })
      : (await knowledge.search(query, options)).passages.filter((passage) => !isStopped(passage))
  const { passages: all } = await knowledge.search(query, { ...options, ...NEAR_MISSES })
  const isBuiltin = usedBy === 'builtin'
  const minRelevance = isBuiltin ? MIN_CONFIDENCE : null
  const judgements = isBuiltin ? judgePassages(given, query, await informativeWords(languageOf(query))) : []
  const reasonOf = new Map(given.map(({ id }, index) => [id, judgements[index]?.reason ?? null]))
  const confidenceOf = new Map(given.map(({ id, relevance }, index) => [id, judgements[index]?.confidence ?? relevance]))
  const missOf = (passage: FoundPassage): TestedPassage['missed'] => {
    if (isStopped(passage)) return 'stopped'
    const reason = reasonOf.get(passage.id)
    if (reason !== undefined) return reason
    return minRelevance !== null && passage.relevance < minRelevance ? 'low_relevance' : 'outranked'
  }
  const passages = all.map((passage) => ({
    ...passage,
    relevance: confidenceOf.get(passage.id) ?? passage.relevance,
    missed: missOf(passage),
  }))
  const isUsed = ({ missed }: TestedPassage) => missed === null
  return { usedBy, minRelevance, passages: [...passages.filter(isUsed), ...passages.filter((one) => !isUsed(one))] }
}
