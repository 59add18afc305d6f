import { type Block, type ExtractedDocument, MAX_ANSWERS_CHARACTERS, type Section } from './document.ts'

const HEADING = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/
const FENCE = /^\s*(`{3,}|~{3,})/
const ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])\s/
const ROW = /^\s*\|/
const KEYWORDS = /^\s*keywords:(.*)$/i

/** Reads Markdown or plain text. Lines in code fences are never headings or comments. */
export function readMarkdown(markdown: string): ExtractedDocument {
  const reader = new MarkdownReader()
  for (const line of markdown.replace(/\r\n?/g, '\n').split('\n')) reader.read(line)
  return {
    title: null,
    address: null,
    asOf: null,
    sections: reader.end(),
    hasStandaloneSections: markdown.length <= MAX_ANSWERS_CHARACTERS,
  }
}

/** The comments of a line and the rest. A regular expression would take quadratic time. */
function withoutComments(line: string): { comments: string[]; rest: string } {
  const comments: string[] = []
  let rest = ''
  let from = 0
  for (let start = line.indexOf('<!--'); start !== -1; start = line.indexOf('<!--', from)) {
    const end = line.indexOf('-->', start + 4)
    if (end === -1) break
    comments.push(line.slice(start + 4, end))
    rest += line.slice(from, start)
    from = end + 3
  }
  return { comments, rest: rest + line.slice(from) }
}

class MarkdownReader {
  readonly #sections: Section[] = []
  #section: Section = { level: 0, heading: '', keywords: '', blocks: [] }
  #lines: string[] = []
  #kind: Block['kind'] = 'paragraph'
  #fence: string | null = null

  read(line: string): void {
    const mark = FENCE.exec(line)?.[1]
    if (this.#fence !== null) {
      this.#lines.push(line)
      if (mark?.startsWith(this.#fence) && line.trim() === mark) this.#closeFence()
      return
    }
    if (mark) return this.#openFence(line, mark)
    const heading = HEADING.exec(line)
    if (heading) return this.#openSection(heading[1]?.length ?? 1, (heading[2] ?? '').replace(/\s+#+\s*$/, '').trim())
    if (line.includes('<!--')) return this.#readComment(line)
    if (line.trim() === '') this.#closeBlock()
    else this.#readText(line)
  }

  end(): Section[] {
    this.#closeBlock()
    this.#sections.push(this.#section)
    return this.#sections
  }

  #readText(line: string): void {
    const kind = ITEM.test(line) ? 'item' : ROW.test(line) ? 'row' : null
    if (kind !== null || this.#kind === 'row') {
      this.#closeBlock()
      this.#kind = kind ?? 'paragraph'
    }
    this.#lines.push(line.trimEnd())
  }

  #readComment(line: string): void {
    const { comments, rest } = withoutComments(line)
    const keywords = comments.flatMap((comment) => KEYWORDS.exec(comment)?.[1]?.trim() ?? [])
    this.#section.keywords = [this.#section.keywords, ...keywords].filter((words) => words !== '').join(' ')
    if (rest.trim() !== '') this.#readText(rest)
  }

  #openSection(level: number, heading: string): void {
    this.end()
    this.#section = { level, heading, keywords: '', blocks: [] }
  }

  #openFence(line: string, mark: string): void {
    this.#closeBlock()
    this.#fence = mark
    this.#kind = 'code'
    this.#lines.push(line)
  }

  #closeFence(): void {
    this.#fence = null
    this.#closeBlock()
  }

  #closeBlock(): void {
    const text = this.#lines.join('\n').replace(/^\n+/, '').trimEnd()
    if (text !== '') this.#section.blocks.push({ kind: this.#kind, text })
    this.#lines = []
    this.#kind = 'paragraph'
  }
}
