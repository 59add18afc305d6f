import { type Block, type ExtractedDocument, type Section, textOf } from '../document.ts'
import { type Element, hasDescendant, type ParsedPage, parsePage, rawTextOf } from './html-tree.ts'
import { type IsLeftOut, mainContentOf } from './main-content.ts'
import { panelsOf } from './panels.ts'
import { addressOf, dateOf } from './page-facts.ts'

const BLOCKS = new Set(
  'address article aside blockquote caption center dd details div dl fieldset figcaption figure footer form header hgroup hr legend li main ol p section summary table tbody tfoot thead tr ul'.split(
    ' ',
  ),
)
const HEADING = /^h[1-6]$/

/** The main content of a page: its text as blocks below its headings, with its title, canonical address and date where it states them. */
export function readHtml(html: string): ExtractedDocument {
  return documentOf(parsePage(html))
}

/** The same of a parsed page. */
export function documentOf(page: ParsedPage): ExtractedDocument {
  const { element, isLeftOut } = mainContentOf(page, panelsOf(page.root))
  const sections = new BlockWriter(isLeftOut).write(element)
  const title = page.title === '' ? null : page.title
  const named = sections.map((section) => (title !== null && isTitle(section, title) ? { ...section, heading: '' } : section))
  return { title, address: addressOf(page), asOf: dateOf(page), sections: named }
}

/** All text of a piece of HTML that is content throughout. */
export function readFragment(html: string): ExtractedDocument {
  return { title: null, address: null, asOf: null, sections: new BlockWriter(() => false).write(parsePage(html).root) }
}

/** The main content of a page as Markdown. */
export function markdownOf(html: string): string {
  const { title, sections } = readHtml(html)
  const texts = sections.flatMap(({ level, heading, blocks }) => {
    // Escapes text that would otherwise read as a heading.
    const escaped = blocks.map((block) => (block.kind === 'code' ? block : { ...block, text: block.text.replace(/^(#{1,6}\s)/gm, '\\$1') }))
    return [heading === '' ? '' : `${'#'.repeat(level)} ${heading}`, textOf(escaped)]
  })
  return [title === null ? '' : `# ${title}`, ...texts].filter((text) => text !== '').join('\n\n')
}

/** A heading of the first level that only repeats the title, which often names the site too. */
function isTitle({ level, heading }: Section, title: string): boolean {
  return level === 1 && title.toLowerCase().includes(heading.toLowerCase())
}

class BlockWriter {
  readonly #isLeftOut: IsLeftOut
  readonly #sections: Section[] = [{ level: 0, heading: '', keywords: '', blocks: [] }]
  #text = ''
  #kind: Block['kind'] = 'paragraph'

  constructor(isLeftOut: IsLeftOut) {
    this.#isLeftOut = isLeftOut
  }

  write(element: Element): Section[] {
    this.#readChildren(element)
    this.#close()
    return this.#sections
  }

  #readChildren(element: Element): void {
    for (const child of element.children) {
      if (typeof child === 'string') this.#text += child.replace(/\s+/g, ' ')
      else if (!this.#isLeftOut(child)) this.#read(child)
    }
  }

  #read(element: Element): void {
    const { name } = element
    if (name === 'br') this.#text += '\n'
    else if (name === 'pre') this.#readCode(element)
    else if (HEADING.test(name)) this.#readHeading(element)
    else if (name === 'table' && !isLayout(element)) this.#readTable(element)
    else if (name === 'dt') this.#readTerm(element)
    else if (BLOCKS.has(name)) this.#readBlock(element)
    else if (name === 'td' || name === 'th') this.#readBlock(element)
    else this.#readChildren(element)
  }

  #readBlock(element: Element): void {
    this.#close()
    if (element.name === 'li') {
      this.#text = '- '
      this.#kind = 'item'
    }
    this.#readChildren(element)
    this.#close()
  }

  #readHeading(element: Element): void {
    this.#close()
    const heading = this.#inlineTextOf(element)
    if (heading !== '') this.#sections.push({ level: Number(element.name.slice(1)), heading, keywords: '', blocks: [] })
  }

  #readCode(element: Element): void {
    this.#close()
    const text = rawTextOf(element).replace(/^\n+/, '').trimEnd()
    if (text.trim() !== '') this.#push({ kind: 'code', text: `\`\`\`\n${text}\n\`\`\`` })
  }

  #readTerm(element: Element): void {
    this.#close()
    const text = this.#inlineTextOf(element)
    if (text !== '') this.#push({ kind: 'paragraph', text, isLead: true })
  }

  #readTable(element: Element): void {
    this.#close()
    for (const part of element.children) if (typeof part !== 'string') this.#readTablePart(part)
  }

  #readTablePart(element: Element): void {
    if (this.#isLeftOut(element)) return
    if (element.name === 'tr') {
      const cells = element.children.flatMap((cell) =>
        typeof cell === 'string' || this.#isLeftOut(cell) ? [] : [this.#inlineTextOf(cell)],
      )
      const text = cells.filter((cell) => cell !== '').join(' | ')
      if (text !== '') this.#push({ kind: 'row', text })
    } else if (element.name === 'caption') this.#readBlock(element)
    else for (const child of element.children) if (typeof child !== 'string') this.#readTablePart(child)
  }

  /** The text of an element on one line. */
  #inlineTextOf(element: Element): string {
    return this.#inlinePiecesOf(element).replace(/\s+/g, ' ').trim()
  }

  #inlinePiecesOf(element: Element): string {
    return element.children
      .map((child) => {
        if (typeof child === 'string') return child
        if (this.#isLeftOut(child)) return ''
        const text = this.#inlinePiecesOf(child)
        return BLOCKS.has(child.name) || child.name === 'br' || child.name === 'dt' ? ` ${text} ` : text
      })
      .join('')
  }

  #close(): void {
    const text = this.#text
      .split('\n')
      .map((line) => line.replace(/\s+/g, ' ').trim())
      .filter((line) => line !== '')
      .join('\n')
    if (text !== '' && text !== '-') this.#push({ kind: this.#kind, text })
    this.#text = ''
    this.#kind = 'paragraph'
  }

  #push(block: Block): void {
    this.#sections.at(-1)?.blocks.push(block)
  }
}

/** A table that arranges a page rather than data. */
function isLayout(table: Element): boolean {
  return hasDescendant(table, ({ name }) => name === 'table' || name === 'pre' || HEADING.test(name))
}
