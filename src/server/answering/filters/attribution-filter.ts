import { wordStems } from '../../../text/word-stems.ts'
import { detectLanguage } from '../../language.ts'
import { areFactsStated, type Evidence, hasFacts, readEvidence } from '../facts/facts.ts'
import type { TextFilter } from './filter-texts.ts'
import type { NumberedSources } from './numbered-sources.ts'

/** The passages that a sentence can be attributed to. */
type AttributableSources = Pick<NumberedSources, 'numbers' | 'passage' | 'cite'>

interface Passage {
  number: number
  /** As it is written, and in lower case. */
  written: string
  text: string
  words: ReadonlySet<string>
}

const CITED = /\[\d{1,3}[\],]/
/** Characters of a citation that can end what was read before. */
const CITED_BEFORE = 4
const FENCE = /^\s*(?:`{3,}|~{3,})/
/** The end of a sentence or line, with the white space after it. */
const SENTENCE_END = /(?:[.!?…]+["'”’»)*_]*|[。！？।؟]+["'”’」』）*_]*)(?=\s|$)|(?=\n)|$/u
/** Fewer words without a term say too little. */
const MIN_WORDS = 2
/** Words of a sentence that neither its passage nor the prompt has. */
const MAX_UNKNOWN_SHARE = 0.3
/** Words that its passage has: of all, if the sentence has a fact or a term of it; of those that the prompt doesn't have, if not. */
const MIN_SHARE = { withFacts: 0.3, withoutFacts: 0.5 }
/** Code, and capitalised words after others. */
const NAMES = /`([^`\n]{1,80})`|(?<=[\p{Ll}\p{N},;:)] )(\p{Lu}[\p{L}\p{N}'’-]+)/gu
/** Code, compounds such as "cron-apt" and "irc.example.org", and acronyms, which are too short or too special for a stem. */
const TERMS = /`([^`\n]{1,80})`|(?<![\p{L}\p{N}])(?:[\p{L}\p{N}]+(?:[-_./+#][\p{L}\p{N}]+)+|\p{Lu}{2,}\p{N}*(?!\p{L}))/gu
const WORD = /[\p{L}\p{N}]/u
/** Above this share, a language capitalises more than names. */
const MAX_NAMES_SHARE = 0.3

/**
 * Gives the sentences of an answer that cites nothing the number of the passage in which their facts and most of their words stand. Holds
 * back no more than the end of a sentence, since the model's own citation may follow. Code, headings and rows of tables stay as they are.
 */
export class AttributionFilter implements TextFilter {
  readonly #sources: AttributableSources
  readonly #prompt: string
  readonly #promptEvidence: Evidence
  readonly #asked: ReadonlySet<string>
  #passages: Passage[] | null = null
  /** The beginning of the sentence, which was emitted. */
  #begun = ''
  #pending = ''
  #isInCode = false
  #isDone = false
  #isForeign: boolean | null = null

  /** @param prompt What the answer repeats of it says nothing about its source. */
  constructor(sources: AttributableSources, prompt: string) {
    this.#sources = sources
    this.#prompt = prompt.toLowerCase()
    this.#promptEvidence = readEvidence(prompt)
    this.#asked = wordStems(prompt)
  }

  write(delta: string): string {
    this.#pending += delta
    return this.#drain(false)
  }

  end(): string {
    return this.#drain(true)
  }

  #drain(isEnd: boolean): string {
    let written = ''
    while (this.#pending !== '') {
      if (this.#isDone || CITED.test(this.#begun.slice(-CITED_BEFORE) + this.#pending)) {
        this.#isDone = true
        return written + this.#take(this.#pending.length)
      }
      const found = SENTENCE_END.exec(this.#pending)
      const [index, end] = [found?.index ?? this.#pending.length, found?.[0] ?? '']
      const [gap = ''] = /^\s*/.exec(this.#pending.slice(index + end.length)) ?? []
      const next = index + end.length + gap.length
      const isOver = isEnd || gap.includes('\n') || (next < this.#pending.length && gap !== '')
      // What follows a full stop tells whether it ends the sentence, and whether the model cites.
      if (!isOver) return written + this.#take(gap === '' && end === '' ? this.#pending.length : index)
      written += this.#take(index)
      written += this.#attributed(this.#pending.slice(0, next - index), /^[[【]/.test(this.#pending.slice(next - index)))
      this.#pending = this.#pending.slice(next - index)
    }
    return isEnd && !this.#isDone ? written + this.#attributed('', false) : written
  }

  /** The end of a sentence, with a citation if the sentence has a passage. */
  #attributed(end: string, isCited: boolean): string {
    const sentence = this.#begun
    const isProse = !this.#isInCode && !/^\s*(?:#|\||<|[`~]{3}|\[[^\]]*\]:)/.test(sentence)
    if (FENCE.test(sentence)) this.#isInCode = !this.#isInCode
    this.#begun = ''
    const number = isCited || !isProse ? null : this.#passageOf(sentence)
    if (number === null) return end
    this.#sources.cite(number)
    return ` [${number}]${end}`
  }

  #take(length: number): string {
    const taken = this.#pending.slice(0, length)
    this.#pending = this.#pending.slice(length)
    this.#begun += taken
    return taken
  }

  /** The passage that states the facts of a sentence in another language, whose words are no help. */
  #passageOfFacts(sentence: string): number | null {
    const passages = this.#passages ?? []
    if (!hasFacts(sentence)) return null
    this.#isForeign ??= this.#areForeign(passages)
    return this.#isForeign ? (passages.find(({ written }) => areFactsStated(sentence, [readEvidence(written)]))?.number ?? null) : null
  }

  #areForeign(passages: readonly Passage[]): boolean {
    const own = detectLanguage(this.#prompt)
    return own !== null && passages.length > 0 && passages.every(({ text }) => detectLanguage(text) !== own)
  }

  #passageOf(sentence: string): number | null {
    const words = [...wordStems(sentence)]
    const claims = words.filter((word) => !this.#asked.has(word))
    const terms = [...sentence.matchAll(TERMS)]
      .map(([term, code]) => code ?? term)
      .filter((term) => !this.#prompt.includes(term.toLowerCase()))
    this.#passages ??= [...this.#sources.numbers].flatMap((number) => {
      const text = this.#sources.passage(number)
      return text === null ? [] : { number, written: text, text: text.toLowerCase(), words: wordStems(text) }
    })
    const names = namesIn(sentence, words.length)
    const states = hasFacts(sentence)
    const [best] = this.#passages
      .map((passage) => ({ passage, share: shareIn(passage, words) }))
      .filter(({ passage, share }) => {
        const unknown = words.filter((word) => !passage.words.has(word) && !this.#asked.has(word)).length / Math.max(1, words.length)
        const isNew = (states && words.length >= MIN_WORDS) || terms.some((term) => hasTerm(passage.written, term))
        const hasClaims = words.length >= MIN_WORDS && claims.length > 0
        const isSaid = isNew ? share >= MIN_SHARE.withFacts : hasClaims && shareIn(passage, claims) >= MIN_SHARE.withoutFacts
        const isNamed = names.every((name) => passage.text.includes(name) || this.#prompt.includes(name))
        const isSupported = unknown <= MAX_UNKNOWN_SHARE && isSaid && isNamed
        return isSupported && (!states || areFactsStated(sentence, [readEvidence(passage.written), this.#promptEvidence]))
      })
      .toSorted((one, other) => other.share - one.share)
    return best?.passage.number ?? this.#passageOfFacts(sentence)
  }
}

/** A sentence of acronyms has no words, all of which are known. */
const shareIn = (passage: Passage, words: readonly string[]) =>
  words.length === 0 ? 1 : words.filter((word) => passage.words.has(word)).length / words.length

/** Whether a term stands in a text as it is written, not as a part of another. */
function hasTerm(text: string, term: string): boolean {
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1))
    if (!WORD.test(text[at - 1] ?? '') && !WORD.test(text[at + term.length] ?? '')) return true
  return false
}

/** Code and names in a sentence, in lower case. */
function namesIn(sentence: string, words: number): string[] {
  const capitalised = [...sentence.matchAll(NAMES)].flatMap(([, , name]) => name?.toLowerCase() ?? [])
  return capitalised.length > words * MAX_NAMES_SHARE ? codeIn(sentence) : [...codeIn(sentence), ...capitalised]
}

const codeIn = (sentence: string) => [...sentence.matchAll(NAMES)].flatMap(([, code]) => code?.toLowerCase() ?? [])
