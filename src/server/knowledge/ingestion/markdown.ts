import { Lexer, type Tokens } from 'marked'
import { type Block, type ExtractedDocument, MAX_ANSWERS_CHARACTERS, type Section } from './document.ts'
import { readFrontMatter } from './front-matter.ts'
import { readInline } from './markdown-inline.ts'
import { takeKeywords, withoutComments } from './markdown-comments.ts'
import { headerRowsOf, tableText } from './table.ts'

const NEXT_ITEM = /\n(?=[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t])/
/** The mark before a footnote's text. */
const FOOTNOTE = /^[ \t>]*\[(\^[^\]\n]*)\]:[ \t]*/gm
const COMPONENT = /(<\/?)(?=[A-Z]\w*[a-z])/g
/** The beginning of a component whose heading is an attribute, and the end of a part that a visitor opens. */
const PANEL = /<(?:[A-Z]\w*|\w+-[\w-]+)\s(?:[^<>]*\s)?(?:header|heading|label|summary|title)\s*=\s*["']([^"'<>]+)["'](?:[^<>]*[^<>/])?>\s*$/
const PANEL_END = /<\/(?:details|[A-Z]\w*|\w+-[\w-]+)>\s*$/
const ROW = /^[ \t]*\|/
/** `{#id}`, `{.class}` and `{: …}` after a heading or on a line of their own. */
const ATTRIBUTES = /[ \t]*\{[#.:][^{}\n]*\}[ \t]*$/gm

/** A short first line of plain text that a blank line or an underline follows, before more text. */
const PLAIN_TITLE = /^\s*(?![-*+#>|])(?=.*\p{L})(\S.{0,78}[^\s.,;:])[ \t]*\n(?:[ \t]*|={3,}[ \t]*|-{3,}[ \t]*)\n(?=\s*\S)/u

export type ReadFragment = (html: string, level: number) => Pick<ExtractedDocument, 'sections'>

/** Reads Markdown without comments and struck text, or plain text, whose lines are as written. Without `readFragment`, HTML is text between tags. */
export function readMarkdown(untidy: string, readFragment?: ReadFragment, isPlain = false): ExtractedDocument {
  const markdown = untidy.replace(/\r\n?/g, '\n').replace(/[\u00AD\u200B\u2060]/g, '')
  const { title, asOf, length } = readFrontMatter(markdown)
  const text = withoutComments(markdown.slice(length), !isPlain)
  const sections = new MarkdownReader(readFragment, isPlain).read(isPlain ? text.replace(PLAIN_TITLE, '# $1\n\n') : text)
  return { title, address: null, asOf, sections, hasStandaloneSections: markdown.length <= MAX_ANSWERS_CHARACTERS }
}

class MarkdownReader {
  readonly #lexer = new Lexer()
  readonly #readFragment: ReadFragment | undefined
  readonly #isPlain: boolean
  #level = 1
  readonly #sections: Section[] = [{ level: 0, heading: '', keywords: '', blocks: [] }]

  constructor(readFragment: ReadFragment | undefined, isPlain: boolean) {
    this.#readFragment = readFragment
    this.#isPlain = isPlain
  }

  read(markdown: string): Section[] {
    // The marks of a footnote that there is are links to it.
    for (const [, label = ''] of markdown.matchAll(FOOTNOTE)) this.#lexer.tokens.links[label.toLowerCase()] = { href: '', title: '' }
    for (const token of this.#blocksOf(markdown)) this.#readBlock(token)
    return this.#sections
  }

  #blocksOf(markdown: string): Tokens.Generic[] {
    try {
      return this.#lexer.blockTokens(markdown)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      // A block overflows the stack: halves are read until it stands alone, as text.
      const end = markdown.lastIndexOf('\n', Math.floor(markdown.length / 2)) + 1 || markdown.indexOf('\n') + 1
      if (end === 0 || end === markdown.length) return [{ type: 'text', raw: markdown }]
      return [...this.#blocksOf(markdown.slice(0, end)), ...this.#blocksOf(markdown.slice(end))]
    }
  }

  #readBlock(token: Tokens.Generic): void {
    switch (token.type === 'def' && this.#isPlain ? 'text' : token.type) {
      case 'heading':
        return this.#open(token['depth'] as number, this.#inline(token['text'] as string, true).replace(/\s+/g, ' '))
      case 'code':
        return this.#push('code', token.raw)
      case 'list':
        for (const item of token.raw.split(NEXT_ITEM)) this.#push('item', this.#inline(item))
        return
      case 'table':
        return this.#readTable(token as Tokens.Table)
      case 'html':
        return this.#readHtml(token.raw)
      case 'def':
        // A footnote; other definitions are addresses of links.
        if ((token['tag'] as string).startsWith('^')) this.#push('paragraph', token.raw.replace(/^[^:]*:/, '').trim())
        return
      case 'space':
      case 'hr':
        return
      default:
        return this.#readParagraph(token.raw)
    }
  }

  /** Lines between bars are rows also without a line below their headers. */
  #readParagraph(raw: string): void {
    let lines: string[] = []
    const close = () => {
      this.#push('paragraph', this.#inline(lines.join('\n')))
      lines = []
    }
    for (const line of (this.#isPlain ? raw : raw.replace(FOOTNOTE, '')).split('\n')) {
      if (!ROW.test(line)) lines.push(line.trimEnd())
      else {
        close()
        this.#push('row', this.#inline(line))
      }
    }
    close()
  }

  #readTable({ header, rows }: Tokens.Table): void {
    const cells = [header, ...rows].map((row) => row.map(({ text }) => this.#inline(text, true).replace(/\s+/g, ' ')))
    this.#push('row', tableText(cells, headerRowsOf(cells, 1)))
  }

  #readHtml(raw: string): void {
    if (!this.#readFragment) return this.#readParagraph(raw)
    const { text, keywords } = takeKeywords(raw)
    this.#addKeywords(keywords)
    for (const { level, heading, blocks } of this.#readFragment(text.replace(COMPONENT, '$1x-'), this.#level).sections) {
      if (heading !== '') this.#open(level, heading, this.#level)
      this.#section.blocks.push(...blocks)
    }
    // What follows an opened part stands under the heading before it.
    const [, label] = PANEL.exec(raw) ?? []
    if (label !== undefined) this.#open(Math.min(6, this.#level + 1), label, this.#level)
    else if (PANEL_END.test(raw)) this.#open(Math.min(6, this.#level + 1), '', this.#level)
  }

  get #section(): Section {
    return this.#sections.at(-1) as Section
  }

  /** `outline`: the level of the heading that parts after it stand under. */
  #open(level: number, untidy: string, outline = level): void {
    const { text, keywords } = takeKeywords(untidy)
    this.#level = outline
    this.#sections.push({ level, heading: text.replace(ATTRIBUTES, '').trim(), keywords: '', blocks: [] })
    this.#addKeywords(keywords)
  }

  #push(kind: Block['kind'], untidy: string): void {
    const { text, keywords } = kind === 'code' ? { text: untidy, keywords: [] } : takeKeywords(untidy)
    this.#addKeywords(keywords)
    const tidy = (kind === 'code' ? text : text.replace(ATTRIBUTES, '')).replace(/^\n+/, '').trimEnd()
    if (tidy !== '') this.#section.blocks.push({ kind, text: tidy })
  }

  #addKeywords(keywords: readonly string[]): void {
    this.#section.keywords = [this.#section.keywords, ...keywords].filter((words) => words !== '').join(' ')
  }

  #inline(text: string, isPlain = false): string {
    return this.#isPlain ? text : readInline(this.#lexer, text, isPlain)
  }
}
