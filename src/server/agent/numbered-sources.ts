import type { ToolSet } from 'ai'
import type { ChatChunk } from '../../contract/message.ts'
import { mediaTypeOf } from '../knowledge/ingestion/media-type.ts'
import { type FoundPassage, type SearchKnowledgeResult, sourceTitle } from '../knowledge/retrieval/search.ts'

type SourceChunk = Extract<ChatChunk, { type: 'source-document' }>
const SEARCH = 'search_knowledge'

/**
 * Numbers the passages that one answer finds, from 1 over all its searches, as the page numbers its sources: so a model can write [2],
 * and the visitor finds it.
 */
export class NumberedSources {
  #found: FoundPassage[] = []
  #told = 0

  /** The tools, with numbers in what the search of knowledge returns. */
  numbering<T extends ToolSet>(tools: T): T {
    const search = tools[SEARCH]
    const execute = search?.execute
    if (!execute) return tools
    const numbered: typeof execute = async (input, options) => this.#numbered((await execute(input, options)) as SearchKnowledgeResult)
    return { ...tools, [SEARCH]: { ...search, execute: numbered } }
  }

  /** What was found since the last time, in the order of its numbers. */
  *news(): Generator<SourceChunk> {
    for (const passage of this.#found.slice(this.#told)) {
      this.#told += 1
      const { file } = passage
      yield {
        type: 'source-document',
        sourceId: String(this.#told),
        mediaType: mediaTypeOf(file),
        title: sourceTitle(passage),
        filename: file,
      }
    }
  }

  #numbered({ passages, topics }: SearchKnowledgeResult) {
    const before = this.#found.length
    this.#found.push(...passages)
    return { passages: passages.map((passage, index) => ({ number: before + index + 1, ...passage })), topics }
  }
}
