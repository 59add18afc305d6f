import type { SearchKnowledgeResult } from '../../knowledge/retrieval/search.ts'
import { type UntrustedContent, untrustedContent } from './untrusted-content.ts'

const NEAREST = 'These are the nearest passages; they may not answer the question.'
const NOTHING = 'No passage has any of these words.'

/** Fields of a passage for the model, in this order. The file name is for the page. */
const FIELDS = ['number', 'id', 'title', 'breadcrumb', 'place', 'address', 'asOf', 'score', 'text'] as const

/** Converts search results for the model: documents marked as untrusted. A stored result may be a sentence in place of the passages. */
export function searchDocuments(output: unknown): UntrustedContent {
  const { passages = [], progress = null } = (typeof output === 'object' ? (output ?? {}) : {}) as Partial<SearchKnowledgeResult>
  const documents = passages.map(documentOf)
  const incomplete = progress && { incomplete: `Only ${progress.indexed} of ${progress.total} files are indexed so far.` }
  return untrustedContent('the documents of this site', { note: documents.length > 0 ? NEAREST : NOTHING, ...incomplete, documents })
}

function documentOf(passage: Partial<Record<(typeof FIELDS)[number], unknown>>): Record<string, unknown> {
  const stated = FIELDS.filter((name) => passage[name] !== null && passage[name] !== undefined)
  return Object.fromEntries(stated.map((name) => [name, passage[name]]))
}
