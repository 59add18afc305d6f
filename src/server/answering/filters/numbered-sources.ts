import type { JSONValue, ToolSet } from 'ai'
import { boundedCitation, type Citation, citationMetadata, MAX_QUOTE_CHARACTERS, sourceNumber } from '../../../contract/chat/citation.ts'
import type { ChatChunk, ChatMessagePart } from '../../../contract/chat/message.ts'
import { mediaTypeOf } from '../../knowledge/ingestion/media-type.ts'
import { type FoundPassage, type SearchKnowledgeResult, sourceTitle } from '../../knowledge/retrieval/search.ts'
import type { CitableSources } from './citation-filter.ts'
import { searchDocuments } from '../tools/search-documents.ts'
import { cutAtSentence } from './trim-output.ts'

type SourceChunk = Extract<ChatChunk, { type: 'source-document' }>
export type NumberedPassage = FoundPassage & { number: number }
export const SEARCH = 'search_knowledge'

/** Citations have at most three digits. */
const MAX_NUMBER = 999

/** `providerMetadata` of a passage's source. */
function sourceMetadata({ breadcrumb, text, asOf, address, place }: FoundPassage): { parley: Citation } {
  const quote = cutAtSentence(text, MAX_QUOTE_CHARACTERS)
  return citationMetadata(boundedCitation({ breadcrumb, quote, asOf, address, place }))
}

/**
 * Numbers the passages that an answer's searches find, from 1, so that the model can cite them. A passage that is found again keeps
 * its number.
 */
export class NumberedSources implements CitableSources {
  readonly #numbers = new Map<string, number>()
  readonly #found = new Map<number, NumberedPassage>()
  /** Sources of the continued answer, sent again when cited. */
  readonly #earlier: ReadonlyMap<number, SourceChunk>
  readonly #titles: Set<string>
  readonly #resent = new Set<number>()
  #unsent: number[] = []
  #isCited = false

  /** @param earlier Parts of the answer that this one continues. */
  constructor(earlier: readonly ChatMessagePart[] = []) {
    const chunks = earlier.flatMap((part): [number, SourceChunk][] => {
      const number = part.type === 'source-document' ? sourceNumber(part) : undefined
      return part.type === 'source-document' && number !== undefined ? [[number, part]] : []
    })
    this.#earlier = new Map(chunks)
    this.#titles = new Set(chunks.map(([, { title }]) => title))
  }

  /** Wraps the search so that its results are numbered and passed to the model as documents. */
  numbering<T extends ToolSet>(tools: T): T {
    const search = tools[SEARCH]
    const execute = search?.execute
    if (!execute) return tools
    const numbered: typeof execute = async (input, options) => this.#numbered((await execute(input, options)) as SearchKnowledgeResult)
    const toModelOutput = ({ output }: { output: unknown }) => ({
      type: 'json' as const,
      value: searchDocuments(output) as unknown as JSONValue,
    })
    return { ...tools, [SEARCH]: { ...search, execute: numbered, toModelOutput } }
  }

  /** Registers the passages that the model has read; they can be cited from now on. */
  addResults(output: unknown): void {
    for (const passage of passagesIn(output)) {
      if (!this.#found.has(passage.number)) this.#unsent.push(passage.number)
      this.#found.set(passage.number, passage)
    }
  }

  cite(number: number): boolean {
    const isKnown = this.#found.has(number) || this.#earlier.has(number)
    this.#isCited ||= isKnown
    if (this.#earlier.has(number) && !this.#resent.has(number)) {
      this.#resent.add(number)
      this.#unsent.push(number)
    }
    return isKnown
  }

  /** Whether the text cites a source. */
  get isCited(): boolean {
    return this.#isCited
  }

  /** Text of a passage, or the quotation of one that the continued answer cites; `null` if no passage has this number. */
  passage(number: number): string | null {
    const found = this.#found.get(number)
    const quote = this.#earlier.get(number)?.providerMetadata?.['parley']?.['quote']
    return found ? textOf(found) : typeof quote === 'string' ? quote : null
  }

  /** Texts of all passages. */
  passages(): string[] {
    return [...new Set([...this.#found.keys(), ...this.#earlier.keys()])].flatMap((number) => this.passage(number) ?? [])
  }

  get size(): number {
    return this.#found.size + this.#earlier.size
  }

  /** Takes the sources that were not sent yet, by number. */
  *takeNewSources(): Generator<SourceChunk> {
    const unsent = this.#unsent.toSorted((one, other) => one - other)
    this.#unsent = []
    for (const number of unsent) {
      const passage = this.#found.get(number)
      const chunk = passage ? this.#chunkOf(passage) : this.#earlier.get(number)
      if (chunk) yield chunk
    }
  }

  #chunkOf(passage: NumberedPassage): SourceChunk {
    const { file, number } = passage
    return {
      type: 'source-document',
      sourceId: String(number),
      mediaType: mediaTypeOf(file),
      title: this.#titleOf(passage),
      filename: file,
      providerMetadata: sourceMetadata(passage),
    }
  }

  /** Titles are unique within an answer. */
  #titleOf(passage: FoundPassage): string {
    const title = sourceTitle(passage)
    const candidates = [title, withHeading(title, passage), `${title} › ${passage.breadcrumb}`]
    const free = candidates.find((candidate) => !this.#titles.has(candidate)) ?? this.#counted(title)
    this.#titles.add(free)
    return free
  }

  #counted(title: string): string {
    for (let count = 2; ; count += 1) if (!this.#titles.has(`${title} (${count})`)) return `${title} (${count})`
  }

  #numbered({ passages, ...rest }: SearchKnowledgeResult) {
    return { ...rest, passages: passages.flatMap((passage) => this.#withNumber(passage)) }
  }

  #withNumber(passage: FoundPassage): NumberedPassage[] {
    const number = this.#numbers.get(passage.id) ?? Math.max(0, ...this.#earlier.keys()) + this.#numbers.size + 1
    if (number > MAX_NUMBER) return []
    this.#numbers.set(passage.id, number)
    return [{ number, ...passage }]
  }
}

function withHeading(title: string, { heading }: Pick<FoundPassage, 'heading'>): string {
  return heading === '' || title.startsWith(heading) ? title : `${title} › ${heading}`
}

/** Its headings count as its text. */
function textOf({ title, breadcrumb, text, asOf }: FoundPassage): string {
  return [title, breadcrumb, text, asOf].filter((part) => part !== null && part !== undefined && part !== '').join('\n')
}

function passagesIn(output: unknown): NumberedPassage[] {
  if (typeof output !== 'object' || output === null || !('passages' in output) || !Array.isArray(output.passages)) return []
  return output.passages.filter(isNumbered)
}

/** Trimming may have removed fields of the last passage, which then can't be a source. */
function isNumbered(passage: unknown): passage is NumberedPassage {
  const { number, ...fields } = (passage ?? {}) as Partial<NumberedPassage>
  return (
    typeof number === 'number' && [fields.title, fields.breadcrumb, fields.file, fields.text].every((field) => typeof field === 'string')
  )
}
