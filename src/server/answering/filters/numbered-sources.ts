import type { JSONValue, ToolSet } from 'ai'
import {
  boundedCitation,
  type Citation,
  citationMetadata,
  citationOf,
  MAX_QUOTE_CHARACTERS,
  sourceNumber,
} from '../../../contract/chat/citation.ts'
import type { ChatChunk, ChatMessage } from '../../../contract/chat/message.ts'
import { mediaTypeOf } from '../../knowledge/ingestion/media-type.ts'
import { type FoundPassage, type SearchKnowledgeResult, sourceTitle } from '../../knowledge/retrieval/search.ts'
import { searchDocuments } from '../tools/search-documents.ts'
import { CitationFilter } from './citation-filter.ts'
import { cutAtSentence } from './trim-output.ts'

type SourceChunk = Extract<ChatChunk, { type: 'source-document' }>
export type NumberedPassage = FoundPassage & { number: number }
export const SEARCH = 'search_knowledge'

/** Citations have at most three digits. */
const MAX_NUMBER = 999
/** Beginning of a passage that tells it from others. */
const KEY_CHARACTERS = 200

function sourceMetadata({ breadcrumb, text, asOf, address, place }: FoundPassage): { parley: Citation } {
  const quote = cutAtSentence(text, MAX_QUOTE_CHARACTERS)
  return citationMetadata(boundedCitation({ breadcrumb, quote, asOf, address, place }))
}

/** A passage as the model reads it and a sentence is compared with it. */
export interface NumberedText {
  number: number
  /** `Title › Section, page 3`. */
  place: string
  asOf: string | null
  text: string
}

/** Characters of the passages of earlier answers that go with a prompt. */
const MAX_EARLIER_CHARACTERS = 4_000

/**
 * Numbers the passages that the model reads, so that it can cite them. Numbers go on through the chat: a passage that is found again keeps
 * its number, and one that an earlier answer cites can still be cited. The sources that the answer cites are sent, no others, with the
 * numbers that the visitor sees: these begin with each answer.
 */
export class NumberedSources {
  /** The conversation with citations by the model's numbers. */
  readonly messages: ChatMessage[]
  readonly #numbers = new Map<string, number>()
  readonly #found = new Map<number, NumberedPassage>()
  /** Sources of earlier answers, the newest last. */
  readonly #earlier = new Map<number, SourceChunk>()
  readonly #titles = new Map<string, number>()
  readonly #cited = new Set<number>()
  /** The visitor's numbers, by the model's. */
  #shown = new Map<number, number>()
  #last = 0
  #sent = new Set<number>()
  /** `#shown` and `#sent` at the beginning of the step. */
  #before: [shown: Map<number, number>, sent: Set<number>] = [new Map(), new Set()]
  readonly #unsent: number[] = []

  /** @param messages The conversation, with an answer that this one continues. */
  constructor(messages: readonly ChatMessage[] = []) {
    this.messages = messages.map((message) => this.#readEarlier(message))
  }

  #readEarlier(message: ChatMessage): ChatMessage {
    if (message.role !== 'assistant') this.#shown = new Map()
    if (message.role !== 'assistant') return message
    const read = new Map<number, number>()
    for (const part of message.parts) {
      const shown = part.type === 'source-document' ? sourceNumber(part) : undefined
      if (part.type !== 'source-document' || shown === undefined) continue
      const { modelNumber = shown, ...citation } = citationOf(part) ?? {}
      const key = keyOf({ file: part.filename ?? '', ...citation })
      const number = this.#numbers.get(key) ?? (this.#earlier.has(modelNumber) ? this.#last + 1 : modelNumber)
      this.#earlier.delete(number)
      this.#earlier.set(number, part)
      this.#numbers.set(key, number)
      this.#last = Math.max(this.#last, number)
      this.#shown.set(number, shown)
      read.set(shown, number)
    }
    if ([...read].every(([shown, number]) => shown === number)) return message
    const sources = { cite: (shown: number) => read.get(shown), size: read.size }
    const parts = message.parts.map((part) => {
      const filter = new CitationFilter(sources)
      return part.type === 'text' ? { ...part, text: filter.write(part.text) + filter.end() } : part
    })
    return { ...message, parts }
  }

  /** Wraps the search so that its results are numbered and passed to the model as documents. */
  numbering<T extends ToolSet>(tools: T): T {
    const search = tools[SEARCH]
    const execute = search?.execute
    if (!execute) return tools
    const numbered: typeof execute = async (input, options) => {
      const { passages, ...rest } = (await execute(input, options)) as SearchKnowledgeResult
      return { ...rest, passages: this.#numbered(passages) }
    }
    const toModelOutput = ({ output }: { output: unknown }) => ({
      type: 'json' as const,
      value: searchDocuments(output) as unknown as JSONValue,
    })
    return { ...tools, [SEARCH]: { ...search, execute: numbered, toModelOutput } }
  }

  /** Numbers passages for the prompt. Returns them after those that earlier answers cite, by number, as far as these fit. */
  offer(passages: readonly FoundPassage[]): NumberedText[] {
    const numbered = this.#numbered(passages)
    this.addResults({ passages: numbered })
    let characters = 0
    const earlier = [...this.#earlier.keys()].toReversed().flatMap((number) => {
      const text = this.#found.has(number) ? null : this.#text(number)
      characters += text?.text.length ?? 0
      return text && characters <= MAX_EARLIER_CHARACTERS ? text : []
    })
    const texts = [...earlier, ...numbered.flatMap(({ number }) => this.#text(number) ?? [])]
    return texts.toSorted((one, other) => one.number - other.number)
  }

  /** Registers the passages that the model has read; they can be cited from now on. */
  addResults(output: unknown): void {
    for (const passage of passagesIn(output)) this.#found.set(passage.number, passage)
  }

  /** Registers a citation. Returns the number, or `undefined` if no source has it. */
  cite(number: number): number | undefined {
    if (!this.#found.has(number) && !this.#earlier.has(number)) return undefined
    this.#cited.add(number)
    return number
  }

  /** The number that the visitor sees: the next one for a source that the answer has not shown. `undefined` if no source has `number`. */
  show(number: number): number | undefined {
    if (this.cite(number) === undefined) return undefined
    const shown = this.#shown.get(number) ?? Math.max(0, ...this.#shown.values()) + 1
    this.#shown.set(number, shown)
    if (!this.#sent.has(number)) this.#unsent.push(number)
    this.#sent.add(number)
    return shown
  }

  /** The passage that the answer cites first; `null` if it cites none. */
  get firstCited(): NumberedText | null {
    const [number] = this.#cited
    return number === undefined ? null : this.#text(number)
  }

  get isCited(): boolean {
    return this.#cited.size > 0
  }

  /** Text of a passage with its headings; `null` if no passage has this number. */
  passage(number: number): string | null {
    const passage = this.#text(number)
    return passage && [passage.place, passage.text, passage.asOf].filter((part) => part !== null && part !== '').join('\n')
  }

  passages(): string[] {
    return [...this.numbers].flatMap((number) => this.passage(number) ?? [])
  }

  get numbers(): Set<number> {
    return new Set([...this.#found.keys(), ...this.#earlier.keys()])
  }

  get size(): number {
    return this.numbers.size
  }

  /** Begins a step, or forgets what the current one has shown if that is discarded. */
  beginStep(isReset: boolean): void {
    if (isReset) [this.#shown, this.#sent] = this.#before
    this.#before = [new Map(this.#shown), new Set(this.#sent)]
  }

  /** Takes the shown sources that were not sent yet, in the order in which they appear. */
  *takeNewSources(): Iterable<SourceChunk> {
    for (const number of this.#unsent.splice(0)) {
      const passage = this.#found.get(number)
      const chunk = passage ? this.#chunkOf(passage) : this.#earlier.get(number)
      const citation = chunk && citationOf(chunk)
      if (!citation) continue
      yield {
        ...chunk,
        sourceId: String(this.#shown.get(number)),
        providerMetadata: citationMetadata({ ...citation, modelNumber: number }),
      }
    }
  }

  #text(number: number): NumberedText | null {
    const found = this.#found.get(number)
    if (found) return { number, place: placeOf(found), asOf: found.asOf, text: found.text }
    const source = this.#earlier.get(number)
    const citation = source && citationOf(source)
    return citation ? { number, place: placeOf(citation), asOf: citation.asOf, text: citation.quote } : null
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
  #titleOf(passage: NumberedPassage): string {
    const title = sourceTitle(passage)
    const candidates = [title, withHeading(title, passage), `${title} › ${passage.breadcrumb}`]
    const isFree = (candidate: string) => (this.#titles.get(candidate) ?? passage.number) === passage.number
    const free = candidates.find(isFree) ?? this.#counted(title)
    this.#titles.set(free, passage.number)
    return free
  }

  #counted(title: string): string {
    for (let count = 2; ; count += 1) if (!this.#titles.has(`${title} (${count})`)) return `${title} (${count})`
  }

  #numbered(passages: readonly FoundPassage[]): NumberedPassage[] {
    return passages.flatMap((passage) => {
      const key = keyOf({ ...passage, quote: passage.text })
      const number = this.#numbers.get(key) ?? this.#last + 1
      if (number > MAX_NUMBER) return []
      this.#numbers.set(key, number)
      this.#last = Math.max(this.#last, number)
      return [{ number, ...passage }]
    })
  }
}

/** Identifies a passage by what its stored source says of it. */
function keyOf({ file, breadcrumb = '', quote = '' }: { file: string; breadcrumb?: string; quote?: string }): string {
  return JSON.stringify([file, breadcrumb, quote.trim().slice(0, KEY_CHARACTERS)])
}

function placeOf({ breadcrumb, place }: Pick<Citation, 'breadcrumb' | 'place'>): string {
  return place === undefined ? breadcrumb : `${breadcrumb}, ${place}`
}

function withHeading(title: string, { heading }: Pick<FoundPassage, 'heading'>): string {
  return heading === '' || title.startsWith(heading) ? title : `${title} › ${heading}`
}

/** The passages of a search; none if there was no room for its result. */
function passagesIn(output: unknown): NumberedPassage[] {
  return typeof output === 'object' && output !== null && 'passages' in output ? (output.passages as NumberedPassage[]) : []
}
