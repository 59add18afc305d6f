import { NOT_CONFIRMED, UNSUPPORTED_ANSWER } from '../../replies/fixed-sentences.ts'
import { translated } from '../../translations/translations.ts'
import { languageOf } from '../../language.ts'
import { wordStems } from '../../../text/word-stems.ts'
import type { NumberedSources } from '../filters/numbered-sources.ts'
import { areFactsStated, type Evidence, readEvidence } from './facts.ts'
import { type AnswerPiece, SentenceSplitter } from '../../../text/sentence-splitter.ts'

/** Sources that an answer can be compared with, as far as read. */
type Sources = Pick<NumberedSources, 'passage' | 'passages' | 'numbers' | 'cite'>

/** Treatment of a sentence that its sources don't support. */
export type Unsupported = 'drop' | 'mark'

interface SupportRules {
  unsupported: Unsupported
  /** Whether facts are compared; otherwise only what a judge rejects is unsupported. */
  comparesFacts: boolean
  /** Whether a sentence that cites nothing is unsupported: a small model's citations are found, so it has no passage. */
  needsSource: boolean
}

/** Passes a text as it is. */
const UNCHECKED = { write: (delta: string) => delta, end: () => '' }

const CITATION = /\[(\d{1,3}(?:, \d{1,3})*)\]/g
const MAX_KNOWN_TEXTS = 200
const MAX_TOOL_RESULTS = 50
const MAX_LANGUAGE_CHARACTERS = 1_000
/** Shorter remains, such as "Sure!", are no answer. */
const MIN_ANSWER_WORDS = 4
/** A sentence of fewer words that say what it is about, such as "Yes, it is.", has no source of its own. */
const MIN_SOURCED_WORDS = 3

/** Compares the facts of an answer's sentences with its sources, before they are shown, over all of its text parts. */
export class SupportCheck {
  readonly #sources: Sources
  readonly #rules: SupportRules
  #rejected: ReadonlySet<string> = new Set()
  readonly #evidence = new Map<string, Evidence>()
  readonly #results: Evidence[] = []
  #text = ''
  /** Number of sentences that were dropped or marked. */
  count = 0
  #hasAnswer = false
  /** Short sentences at the start, such as "Yes, it does.". */
  #lead = ''

  constructor(sources: Sources, rules: SupportRules) {
    this.#sources = sources
    this.#rules = rules
  }

  /** Makes sentences unsupported, whatever the comparison of facts says. */
  reject(sentences: Iterable<string>): void {
    this.#rejected = new Set(sentences)
  }

  /** All that can support a sentence: the passages by their numbers, and the calls of tools. */
  get material(): string {
    const passages = [...this.#sources.numbers].map((number) => `[${number}] ${this.#sources.passage(number)}`)
    return [...passages, ...this.#results.map(({ text }) => text)].join('\n\n')
  }

  /** Adds a call of a tool other than the search. It can support every sentence. */
  addToolResult(call: { input: unknown; output: unknown }): void {
    if (this.#results.length < MAX_TOOL_RESULTS) this.#results.push(readEvidence(JSON.stringify(call)))
  }

  openFilter(): Pick<SupportFilter, 'write' | 'end'> {
    return this.#rules.comparesFacts || this.#rejected.size > 0 ? new SupportFilter(this) : UNCHECKED
  }

  /** Whether sentences were dropped and nothing is left that answers. */
  get isEmpty(): boolean {
    return (this.count > 0 || this.#rules.needsSource) && !this.#hasAnswer
  }

  /** The reply in place of an answer of which nothing is left. */
  get emptyReply(): string {
    return translated(UNSUPPORTED_ANSWER, languageOf(this.#text))
  }

  /** The text to show for a sentence or row; `null` to drop it. */
  check(text: string): string | null {
    const { needsSource } = this.#rules
    if (this.#text.length < MAX_LANGUAGE_CHARACTERS) this.#text += ` ${text}`
    // What a small model announces is often dropped.
    if (needsSource && /[:：](?:\s*\[[\d, ]+\])?\s*$/.test(text)) return ''
    const isShort = wordStems(text).size < MIN_SOURCED_WORDS
    if (needsSource && isShort && !this.#hasAnswer && !/\[\d/.test(text)) {
      // Shown with the first sentence that has a source.
      this.#lead += `${text} `
      return ''
    }
    const isSourced = !needsSource || /\[\d/.test(text) || isShort
    if (isSourced && !this.#rejected.has(text) && this.#areFactsStated(text)) {
      this.#hasAnswer ||= !/[:：]\s*$/.test(text) && (needsSource || wordsIn(text) >= MIN_ANSWER_WORDS)
      const lead = this.#lead
      this.#lead = ''
      return lead + text
    }
    this.count += 1
    if (this.#rules.unsupported === 'drop') return null
    this.#hasAnswer = true
    const mark = `(${translated(NOT_CONFIRMED, languageOf(this.#text))})`
    const row = /^(.*?)(\s*\|\s*)$/s.exec(text)
    return row && text.startsWith('|') ? `${row[1]} ${mark}${row[2]}` : `${text.trimEnd()} ${mark}`
  }

  /** The text to show for a line of code; `null` to drop it. Of a small model, only what a passage says is shown, without its block. */
  checkCode(line: string): string | null {
    if (!this.#rules.needsSource) return line
    const code = line.trim()
    if (code === '' || /^(?:`{3,}|~{3,})/.test(code)) return null
    const number = [...this.#sources.numbers].find((one) => this.#sources.passage(one)?.includes(code))
    if (number === undefined) return null
    this.#sources.cite(number)
    this.#hasAnswer = true
    return `\`${code}\` [${number}]`
  }

  #areFactsStated(text: string): boolean {
    return !this.#rules.comparesFacts || areFactsStated(text, [...this.#passagesFor(text), ...this.#results])
  }

  /** The passages that a sentence cites, else all of them. */
  #passagesFor(text: string): Evidence[] {
    const numbers = [...text.matchAll(CITATION)].flatMap(([, list = '']) => list.split(', ').map(Number))
    const cited = numbers.flatMap((number) => this.#sources.passage(number) ?? [])
    return (cited.length > 0 ? cited : this.#sources.passages()).slice(0, MAX_KNOWN_TEXTS).map((source) => this.#read(source))
  }

  #read(text: string): Evidence {
    const known = this.#evidence.get(text)
    if (known) return known
    const read = readEvidence(text)
    if (this.#evidence.size < MAX_KNOWN_TEXTS) this.#evidence.set(text, read)
    return read
  }
}

/** Streams one text part of an answer in Markdown without what its sources don't support. Emitted text never changes. */
class SupportFilter {
  readonly #check: SupportCheck
  readonly #splitter = new SentenceSplitter()
  /** White space since the last text, in front of each piece. */
  #gaps: string[] = []
  #prefix = ''
  #isBegun = false
  /** Whether something was dropped since the last text. */
  #hasDropped = false
  /** Whether the heading of the table that is open was dropped. */
  #dropsTable = false
  #isInTable = false

  constructor(check: SupportCheck) {
    this.#check = check
  }

  write(delta: string): string {
    return this.#splitter
      .write(delta)
      .map((piece) => this.#shown(piece))
      .join('')
  }

  end(): string {
    const rest = this.#splitter
      .end()
      .map((piece) => this.#shown(piece))
      .join('')
    const gap = this.#hasDropped ? '' : this.#gaps.join('')
    this.#gaps = []
    return rest + gap
  }

  #shown(piece: AnswerPiece): string {
    this.#gaps.push(piece.gap)
    if (piece.gap.includes('\n')) this.#prefix = ''
    if (piece.prefix !== '') this.#prefix = piece.prefix
    const text = this.#checked(piece)
    if (text === null) this.#hasDropped = true
    return text === null || text === '' ? '' : this.#emit(text)
  }

  #checked({ kind, text, gap }: AnswerPiece): string | null {
    if (kind !== 'table-row') this.#dropsTable = false
    const isHead = kind === 'table-row' && (!this.#isInTable || /\n\s*\n/.test(gap))
    this.#isInTable = kind === 'table-row'
    if (kind === 'code') return this.#check.checkCode(text)
    if (kind === 'heading' || text === '') return text
    if (isHead) this.#dropsTable = false
    if (this.#dropsTable) return null
    if (kind === 'table-row' && /^[|\s:-]+$/.test(text)) return text
    const checked = this.#check.check(text)
    if (isHead && checked === null) this.#dropsTable = true
    return checked
  }

  #emit(text: string): string {
    const gap = this.#hasDropped ? joinedGap(this.#gaps, this.#isBegun) : this.#gaps.join('')
    const written = gap + this.#prefix + text
    this.#gaps = []
    this.#prefix = ''
    this.#isBegun = true
    this.#hasDropped = false
    return written
  }
}

/** White space around what was dropped, as if it had not been there: the widest of the gaps, indented as the last. */
function joinedGap(gaps: readonly string[], isBegun: boolean): string {
  if (!isBegun) return ''
  const lineBreaks = Math.min(2, Math.max(...gaps.map((gap) => gap.split('\n').length - 1)))
  if (lineBreaks === 0) return ' '
  return '\n'.repeat(lineBreaks) + (/\n([^\n]*)$/.exec(gaps.at(-1) ?? '')?.[1] ?? '')
}

function wordsIn(text: string): number {
  return text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+/gu)?.length ?? 0
}
