import type { KnowledgeBase } from '../../knowledge/knowledge-base.ts'
import type { SearchKnowledgeResult } from '../../knowledge/retrieval/search.ts'
import { onlyRelevant } from '../model/builtin/only-relevant.ts'
import type { ToolContext } from './run-tool.ts'
import type { SearchInput } from './search-knowledge.ts'

/** All passages of one search together. */
const MAX_CHARACTERS = 8_000
/** Passages on the way from one to those around it. */
const NEIGHBOURS = 3

/** Searches these folders for what a tool was asked; null when there is no passage of the given id. */
export async function lookUp(
  knowledge: Pick<KnowledgeBase, 'search' | 'neighbours'>,
  folders: readonly string[],
  { query = '', after, before }: SearchInput,
  { caller, maxCharacters }: Pick<ToolContext, 'caller' | 'maxCharacters'>,
): Promise<SearchKnowledgeResult | null> {
  const id = after || before
  if (!id) {
    const room = caller === 'model' ? { maxCharacters: Math.min(MAX_CHARACTERS, maxCharacters) } : {}
    const found = await knowledge.search(query, { folders, caller, ...room })
    return caller === 'builtin' ? onlyRelevant(found, query) : found
  }
  const around = await knowledge.neighbours(id, { folders, before: after ? 0 : NEIGHBOURS, after: after ? NEIGHBOURS : 0 })
  return around && { passages: after ? around.after : around.before, topics: [], progress: null }
}
