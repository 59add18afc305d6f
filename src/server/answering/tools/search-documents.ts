import type { IndexingProgress } from '../../knowledge/index/folder-indexer.ts'
import { type UntrustedContent, untrustedContent } from './untrusted-content.ts'

const NEAREST = 'These are the nearest passages; they may not answer the question.'
const NOTHING = 'No passage has any of these words.'

/** Fields of a passage for the model, in this order. The file name is for the page. */
const FIELDS = ['number', 'id', 'title', 'breadcrumb', 'place', 'address', 'asOf', 'score', 'text'] as const

/** Converts search results for the model: documents marked as untrusted. Accepts stored results of any shape. */
export function searchDocuments(output: unknown): UntrustedContent {
  const { passages, progress } = (typeof output === 'object' && output !== null ? output : {}) as { passages?: unknown; progress?: unknown }
  const documents = (Array.isArray(passages) ? passages : []).map(documentOf)
  const incomplete = isProgress(progress) && { incomplete: `Only ${progress.indexed} of ${progress.total} files are indexed so far.` }
  return untrustedContent('the documents of this site', { note: documents.length > 0 ? NEAREST : NOTHING, ...incomplete, documents })
}

function documentOf(passage: unknown): Record<string, unknown> {
  const fields = (typeof passage === 'object' && passage !== null ? passage : {}) as Record<string, unknown>
  return Object.fromEntries(FIELDS.flatMap((name) => (fields[name] === null || fields[name] === undefined ? [] : [[name, fields[name]]])))
}

function isProgress(progress: unknown): progress is IndexingProgress {
  return typeof progress === 'object' && progress !== null && 'indexed' in progress && 'total' in progress
}
