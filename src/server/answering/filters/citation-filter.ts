import type { TextFilter } from './filter-texts.ts'

/** `cite` returns the number to write for a cited one, `undefined` if no source has it; `size` is the number of sources. */
export type CitableSources = { cite(number: number): number | undefined; size: number }

type Mode =
  | { kind: 'prose' }
  /** Between two runs of equally many backticks or dollars. */
  | { kind: 'inline'; mark: string }
  /** In the opening line of a fence: a backtick there makes it inline code. */
  | { kind: 'opening'; mark: string }
  | { kind: 'fence'; mark: string }

interface Piece {
  /** Characters read of the pending text; 0 if more must arrive first. */
  read: number
  written: string
}

const MORE: Piece = { read: 0, written: '' }

const NUMBER = String.raw`\^?[0-9]{1,3}`
const BETWEEN = String.raw`\s{0,3}[,;\u2013-]\s{0,3}`
const NOTE = String.raw`(?:\u2020[^\]\u3011\n]{0,80})?`
/** A word before the number, as models write it whatever they are told. */
const LABEL = String.raw`(?:source|quelle|fuente|fonte|\u0438\u0441\u0442\u043e\u0447\u043d\u0438\u043a|\u6765\u6e90|\u51fa\u5178|\ucd9c\ucc98|document|dokument|documento|doc|passage|reference|ref)s?\.?\s?[:#]?\s?`
const INSIDE = String.raw`\s{0,3}((?:${LABEL})?${NUMBER}(?:${BETWEEN}${NUMBER}){0,19})\.?${NOTE}\s{0,3}`
/** `[1]`, `[^1]`, `[1, 2]`, `[1-3]`, `[1.]`, `[[1]]`, `[Source 1]`, `【1】` and `【1†source】`. */
const CITATION = new RegExp(String.raw`^(?:\[\[${INSIDE}\]\]|[[\u3010]${INSIDE}[\]\u3011])`, 'iu')
const CITATION_BEGUN = new RegExp(String.raw`^[[\u3010]\[?\s{0,3}\p{L}{0,11}\.?\s?[:#]?[\^\s\d,;\u2013-]{0,160}\.?${NOTE}\s{0,3}\]?$`, 'u')
/** The address of a link whose text is a number. */
const LINK = /^\([^)\n]{0,500}\)/
const LINK_BEGUN = /^\([^)\n]{0,500}$/
const FENCE = /^ {0,3}(`{3,}|~{3,})/
const FENCE_BEGUN = /^ {0,3}(?:`*|~*)$/
/** Text before the next of these passes unchanged. */
const NEXT_MARK = /[[【`$\n ]/
const MAX_RANGE = 20
/** Longest citation that is buffered. */
const MAX_HELD_CHARACTERS = 1_000

/**
 * Streams a Markdown text with the citations that have a source, as `[1]` or `[1, 2]`, and removes the others. Emitted text never
 * changes. Code and formulas are not touched.
 */
export class CitationFilter implements TextFilter {
  readonly #sources: CitableSources
  #mode: Mode = { kind: 'prose' }
  #pending = ''
  #isLineStart = true
  /** About the text before `#pending`. */
  #last = ''

  constructor(sources: CitableSources) {
    this.#sources = sources
  }

  write(delta: string): string {
    this.#pending += delta
    const written = this.#drain(false)
    return this.#pending.length > MAX_HELD_CHARACTERS ? written + this.#drain(true) : written
  }

  end(): string {
    return this.#drain(true)
  }

  #drain(isEnd: boolean): string {
    let written = ''
    while (this.#pending !== '') {
      const piece = this.#next(isEnd)
      if (piece.read === 0) break
      this.#isLineStart = this.#pending[piece.read - 1] === '\n'
      this.#pending = this.#pending.slice(piece.read)
      this.#last = piece.written.at(-1) ?? this.#last
      written += piece.written
    }
    return written
  }

  #next(isEnd: boolean): Piece {
    switch (this.#mode.kind) {
      case 'prose':
        return this.#prose(isEnd)
      case 'inline':
        return this.#inline(this.#mode.mark, isEnd)
      case 'opening':
        return this.#opening(this.#mode.mark)
      case 'fence':
        return this.#fence(this.#mode.mark, isEnd)
    }
  }

  #prose(isEnd: boolean): Piece {
    const text = this.#pending
    if (this.#isLineStart) {
      const fence = FENCE.exec(text)
      if (!isEnd && (FENCE_BEGUN.test(text) || fence?.[0].length === text.length)) return MORE
      if (fence?.[1]) return this.#enter({ kind: 'opening', mark: fence[1] }, fence[0])
    }
    const at = text.search(NEXT_MARK)
    if (at < 0) return asIs(text)
    if (at > 0) return asIs(text.slice(0, at))
    switch (text[0]) {
      case '`':
      case '$':
        return this.#mark(text[0], isEnd)
      case ' ':
        return this.#space(isEnd)
      case '[':
      case '【':
        return this.#bracket(isEnd, '')
      default:
        return asIs('\n')
    }
  }

  /** A single dollar is money. */
  #mark(character: string, isEnd: boolean): Piece {
    const [run = ''] = /^(?:`+|\$+)/.exec(this.#pending) ?? []
    if (run.length === this.#pending.length && !isEnd) return MORE
    const isMark = (character === '`' || run.length === 2) && this.#last !== '\\'
    return isMark ? this.#enter({ kind: 'inline', mark: run }, run) : asIs(run)
  }

  /** The space before a removed citation is removed too. */
  #space(isEnd: boolean): Piece {
    const [space = ''] = /^ +/.exec(this.#pending) ?? []
    const rest = this.#pending.slice(space.length)
    if (rest === '') return isEnd ? asIs(space) : MORE
    if (this.#isLineStart || !/^[[【]/.test(rest)) return asIs(space)
    return this.#bracket(isEnd, space)
  }

  #bracket(isEnd: boolean, space: string): Piece {
    const text = this.#pending.slice(space.length)
    const citation = CITATION.exec(text)
    if (!citation) return !isEnd && CITATION_BEGUN.test(text) ? MORE : asIs(space + text.slice(0, 1))
    const after = text.slice(citation[0].length)
    if (after === '' && !isEnd) return MORE
    // Escaped, or the text of a picture.
    if (space === '' && /[\\!]/.test(this.#last)) return asIs(citation[0])
    const named = citation[1] ?? citation[2] ?? ''
    // The text of a link to a document.
    if (/^\p{L}/u.test(named) && after.startsWith('(')) return asIs(space + citation[0])
    const link = LINK.exec(after)
    if (!link && !isEnd && LINK_BEGUN.test(after)) return MORE
    // A definition would make a link of each citation of this number.
    const definition = (this.#isLineStart || this.#last === '\n') && space === '' && after.startsWith(':') ? ':' : ''
    const tail = link?.[0] ?? definition
    const read = space.length + citation[0].length + tail.length
    const citable = this.#citable(named)
    if (citable === null) return asIs(space + citation[0])
    if (citable.length > 0) return { read, written: `${space}[${citable.join(', ')}]` }
    const follows = after.slice(tail.length, tail.length + 1)
    return { read, written: space !== '' && /[\p{L}\p{N}]/u.test(follows) ? ' ' : '' }
  }

  /** Numbers of a citation that have a source; `null` for a list of numbers or a footnote in an answer without sources. */
  #citable(named: string): number[] | null {
    const isOther = /[,;–^\p{L}-]/u.test(named)
    const all = named
      .replace(/^[^\d^]+/, '')
      .split(/[,;]/)
      .flatMap(numbersOf)
    if (all.includes(0) || all.length > MAX_RANGE) return null
    if (isOther && this.#sources.size === 0) return null
    return [...new Set(all.flatMap((number) => this.#sources.cite(number) ?? []))]
  }

  #inline(mark: string, isEnd: boolean): Piece {
    const text = this.#pending
    const blankLine = text.search(/\n[ \t]*\n/)
    const runs = text.matchAll(mark.startsWith('`') ? /`+/g : /\$+/g)
    for (const { 0: run, index } of runs) {
      if (blankLine >= 0 && index > blankLine) break
      const end = index + run.length
      if (end === text.length && !isEnd) return index > 0 ? asIs(text.slice(0, index)) : MORE
      if (run === mark) return this.#leave(text.slice(0, end))
    }
    // A paragraph ends what was never closed.
    if (blankLine >= 0) return this.#leave(text.slice(0, blankLine + 1))
    const trailing = isEnd ? 0 : (/\n[ \t]*$/.exec(text)?.[0].length ?? 0)
    return trailing < text.length ? asIs(text.slice(0, text.length - trailing)) : MORE
  }

  #opening(mark: string): Piece {
    const [line = ''] = /^[^\n]*/.exec(this.#pending) ?? []
    const tick = mark.startsWith('`') ? line.indexOf('`') : -1
    if (tick >= 0) return this.#enter({ kind: 'inline', mark }, line.slice(0, tick))
    const hasEnd = line.length < this.#pending.length
    return hasEnd ? this.#enter({ kind: 'fence', mark }, `${line}\n`) : asIs(line)
  }

  #fence(mark: string, isEnd: boolean): Piece {
    const text = this.#pending
    const [line = ''] = /^[^\n]*\n?/.exec(text) ?? []
    if (!this.#isLineStart) return asIs(line)
    const closing = new RegExp(`^ {0,3}${mark[0] === '~' ? '~' : '`'}{${mark.length},}[ \\t]*\\n?$`)
    const mayClose = /^ {0,3}(?:`*|~*)[ \t]*$/.test(line)
    if (mayClose && !isEnd) return MORE
    return closing.test(line) ? this.#leave(line) : asIs(line)
  }

  #enter(mode: Mode, text: string): Piece {
    this.#mode = mode
    // An empty piece would mean that more text must arrive.
    return text === '' ? this.#next(false) : asIs(text)
  }

  #leave(text: string): Piece {
    this.#mode = { kind: 'prose' }
    return asIs(text)
  }
}

function numbersOf(range: string): number[] {
  const [first = 0, last = first] = range
    .replaceAll('^', '')
    .split(/[–-]/)
    .map((number) => Number(number.trim()))
  return last - first > MAX_RANGE || last < first ? [first, last] : Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

function asIs(text: string): Piece {
  return { read: text.length, written: text }
}
