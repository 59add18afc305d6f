import type { KnowledgeBase } from '../../knowledge/knowledge-base.ts'
import type { SearchKnowledgeResult } from '../../knowledge/retrieval/search.ts'
import type { ToolContext } from './tool-context.ts'
import type { SearchInput } from './search-knowledge.ts'

/** Most characters of all passages of one search. */
const MAX_CHARACTERS = 8_000
/** Most passages from one to those around it. */
const NEIGHBOURS = 3

/** Runs a tool's search in these folders; `null` if there is no passage of the given id. */
export async function lookUp(
  knowledge: Pick<KnowledgeBase, 'search' | 'neighbours'>,
  folders: readonly string[],
  { query = '', after, before }: SearchInput,
  { caller, maxCharacters, excludedFiles }: Pick<ToolContext, 'caller' | 'maxCharacters' | 'excludedFiles'>,
): Promise<SearchKnowledgeResult | null> {
  const id = after || before
  if (!id) {
    const room = caller === 'model' ? { maxCharacters: Math.min(MAX_CHARACTERS, maxCharacters) } : {}
    return withoutFiles(await knowledge.search(query, { folders, caller, ...room }), excludedFiles)
  }
  const around = await knowledge.neighbours(id, { folders, before: after ? 0 : NEIGHBOURS, after: after ? NEIGHBOURS : 0 })
  return around && withoutFiles({ passages: after ? around.after : around.before, topics: [], progress: null }, excludedFiles)
}

function withoutFiles(result: SearchKnowledgeResult, files: readonly string[]): SearchKnowledgeResult {
  return files.length === 0 ? result : { ...result, passages: result.passages.filter(({ file }) => !files.includes(file)) }
}
