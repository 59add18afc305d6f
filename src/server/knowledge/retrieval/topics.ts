import type { KnowledgeIndex } from '../index/knowledge-index.ts'
import { rank } from './rank.ts'

/** Minimum relevance for suggesting a passage's heading. */
const MIN_RELEVANCE = 0.3
/** Passages whose headings are considered. */
const MAX_LOOKED_AT = 2_000

/** Headings to ask about: those nearest to the query, then those of one document after the other. */
export function topicsFor(index: KnowledgeIndex, query: string, limit: number, isOpen: (file: string) => boolean): string[] {
  const near = rank(index, query, { limit, isOpen }).filter(({ relevance }) => relevance >= MIN_RELEVANCE)
  const headings = near.filter(({ heading, title }) => heading !== title).map(({ heading }) => heading)
  return [...new Set([...headings, ...headingsInTurn(index, isOpen)])].slice(0, limit)
}

function headingsInTurn(index: KnowledgeIndex, isOpen: (file: string) => boolean): string[] {
  const documents: string[][] = []
  let lookedAt = 0
  for (const document of index.documents.values()) {
    if (!isOpen(document.file)) continue
    const passages = document.passages.slice(0, MAX_LOOKED_AT - lookedAt).map((number) => index.passage(number, document))
    lookedAt += passages.length
    documents.push(passages.flatMap((passage) => (passage && passage.heading !== passage.title ? passage.heading : [])))
    if (lookedAt >= MAX_LOOKED_AT) break
  }
  const longest = Math.max(0, ...documents.map((headings) => headings.length))
  return Array.from({ length: longest }, (_, turn) => documents.flatMap((headings) => headings[turn] ?? [])).flat()
}
