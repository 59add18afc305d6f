/** A piece of an answer in Markdown that is shown or dropped as a whole. */
export interface AnswerPiece {
  kind: 'sentence' | 'table-row' | 'heading' | 'code'
  /** List and quotation marks at the beginning of a line, before its first sentence. */
  prefix: string
  text: string
  /** White space before it, line breaks included. */
  gap: string
}

/** Longer sentences are cut between words. */
const MAX_SENTENCE_CHARACTERS = 1_500
/** Needed after a full stop to see whether a citation follows, or a month after a German day. */
const LOOKAHEAD_CHARACTERS = 12

/** A long text is read in parts, so that reading takes time in proportion to it. */
const WRITTEN_CHARACTERS = 500
/** Enough for an abbreviation. */
const BEFORE_CHARACTERS = 20
const MAX_PREFIX_CHARACTERS = 100

const FENCE = /^\s*(`{3,}|~{3,})/
const PREFIX = /^(?:>\s?|[-*+]\s+|\d{1,9}[.)]\s+|\[[ xX]\]\s+)+/
const NEW_BLOCK = /^[ \t]*(?:\n|>|[-*+]\s|\d{1,9}[.)]\s|#{1,6}\s|\||`{3}|~{3})/
/** Begins where the marks begin, so that a long run of them is read once. */
const SENTENCE_END = /(?:(?<![.!?…])[.!?…]+["'”’»)\]*_]*(?=\s)|(?<![。！？।؟])[。！？।؟]+["'”’」』）*_]*)/g
const CITATIONS = /^(?:\s?\[\d{1,3}(?:, \d{1,3})*\])+[.。]?/
const CITATION_BEGUN = /^\s?\[[\d, ]*$/
/** Before a full stop: abbreviations and initials. */
const ABBREVIATION =
  /(?:^|[\s(„"“])(?:\p{L}|dr|mr|mrs|ms|prof|st|no|nr|art|abs|bzw|ca|inkl|zzgl|usw|evtl|ggf|vgl|str|tel|max|min|etc|e\.g|i\.e|z\.\s?b|d\.\s?h|u\.\s?a|p\.\s?ex|sra?|dott|av|núm|approx|incl|vs|ул|руб|коп|г|т\.\s?е|т\.\s?д)\.$/iu
const ORDINAL = /(?:^|\s)\d{1,2}\.$/

/** Splits streamed Markdown into sentences, headings, rows and lines of code, as soon as each is complete. */
export class SentenceSplitter {
  #pending = ''
  #isLineStart = true
  #fence: string | null = null

  /** Accepts text and returns the pieces that are complete. */
  write(delta: string): AnswerPiece[] {
    const pieces: AnswerPiece[] = []
    for (let at = 0; at < delta.length; at += WRITTEN_CHARACTERS) {
      this.#pending += delta.slice(at, at + WRITTEN_CHARACTERS)
      pieces.push(...this.#drain(false))
    }
    return pieces
  }

  end(): AnswerPiece[] {
    return this.#drain(true)
  }

  #drain(isEnd: boolean): AnswerPiece[] {
    const pieces: AnswerPiece[] = []
    for (let piece = this.#next(isEnd); piece; piece = this.#next(isEnd)) pieces.push(piece)
    return pieces
  }

  #next(isEnd: boolean): AnswerPiece | null {
    if (this.#fence !== null) return this.#line('code', isEnd)
    const [gap = ''] = /^\s*/.exec(this.#pending) ?? []
    const rest = this.#pending.slice(gap.length)
    if (rest === '') return (isEnd && gap !== '') || gap.length > MAX_SENTENCE_CHARACTERS ? this.#take('sentence', gap, '', '') : null
    const isLineStart = this.#isLineStart || gap.includes('\n')
    // Indentation belongs to the line.
    if (isLineStart && !isEnd && rest.length < 4 && !rest.includes('\n')) return null
    if (isLineStart) {
      if (FENCE.test(rest)) return this.#line('code', isEnd)
      if (/^#{1,6}\s/.test(rest)) return this.#line('heading', isEnd)
      if (rest.startsWith('|')) return this.#line('table-row', isEnd)
    }
    const [found = ''] = (isLineStart && PREFIX.exec(rest)) || []
    const prefix = found.length > MAX_PREFIX_CHARACTERS ? '' : found
    const body = rest.slice(prefix.length)
    if (body === '' && !isEnd) return null
    const length = sentenceLength(body, isEnd)
    return length === null ? null : this.#take('sentence', gap, prefix, body.slice(0, length))
  }

  /** A whole line; of code, the line break before it belongs to it. */
  #line(kind: 'code' | 'heading' | 'table-row', isEnd: boolean): AnswerPiece | null {
    const [gap = ''] = (kind === 'code' && this.#fence !== null ? /^\n?/ : /^\s*/).exec(this.#pending) ?? []
    const rest = this.#pending.slice(gap.length)
    const lineEnd = rest.indexOf('\n')
    const end = lineEnd < 0 ? (cutLength(rest) ?? -1) : lineEnd
    if (end < 0 && !isEnd) return null
    if (end < 0 && rest === '' && gap === '') return null
    const text = end < 0 ? rest : rest.slice(0, end)
    const mark = FENCE.exec(text)?.[1]
    if (kind === 'code' && mark) {
      if (this.#fence === null) this.#fence = mark
      else if (text.trim() === mark && mark.startsWith(this.#fence)) this.#fence = null
    }
    return this.#take(kind, gap, '', text)
  }

  #take(kind: AnswerPiece['kind'], gap: string, prefix: string, text: string): AnswerPiece {
    this.#pending = this.#pending.slice(gap.length + prefix.length + text.length)
    this.#isLineStart = false
    return { kind, gap, prefix, text }
  }
}

/** Length of the first sentence with its citations; `null` if more text must arrive first. */
function sentenceLength(text: string, isEnd: boolean): number | null {
  const lineEnd = lineLength(text, isEnd)
  const line = lineEnd === null ? text : text.slice(0, lineEnd)
  const isWhole = lineEnd !== null
  for (const match of `${line}${isWhole ? '\n' : ''}`.matchAll(SENTENCE_END)) {
    const at = match.index + match[0].length
    const after = line.slice(at)
    if (!isWhole && after.length < LOOKAHEAD_CHARACTERS) return cutLength(line)
    if (!isBoundary(line.slice(Math.max(0, at - BEFORE_CHARACTERS), at), after)) continue
    const citations = CITATIONS.exec(after)?.[0].length ?? 0
    if (!isWhole && CITATION_BEGUN.test(after.slice(citations))) return cutLength(line)
    return at + citations
  }
  return isWhole ? line.trimEnd().length || line.length : cutLength(line)
}

/** Length of the text before the line break that ends a paragraph or item; a break within a sentence is a space. */
function lineLength(text: string, isEnd: boolean): number | null {
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    const before = text.slice(0, at).trimEnd()
    const after = text.slice(at + 1)
    if (/[.!?…。！？।؟:;：\]*]$/.test(before) || / {2}$/.test(text.slice(0, at)) || NEW_BLOCK.test(after)) return at
    if (after.trimStart().length < 4 && !isEnd) return null
  }
  return isEnd ? text.length : null
}

function isBoundary(sentence: string, after: string): boolean {
  if (ABBREVIATION.test(sentence)) return false
  if (!sentence.endsWith('.')) return true
  if (/^\s+\p{Ll}/u.test(after)) return false
  return !(ORDINAL.test(sentence) && /^\s+\p{L}/u.test(after) && !/^\s+(?:The|It|You|This|Die|Das|Der|Sie|Es)\b/.test(after))
}

/** A sentence that doesn't end is cut between words. */
function cutLength(text: string): number | null {
  if (text.length < MAX_SENTENCE_CHARACTERS) return null
  const space = text.lastIndexOf(' ', MAX_SENTENCE_CHARACTERS)
  return space > 0 ? space : MAX_SENTENCE_CHARACTERS
}
