import { sentencesOf } from '../../../../text/sentences.ts'
import { type Block, type ExtractedDocument, type Section, textOf } from '../document.ts'
import { tableText } from '../table.ts'
import { altOf, codeOf, decoded, isNoteLink, isUnread, numeralOf, signOf, superscriptAfter } from './html-inline.ts'
import { gridOf, isLayout } from './html-table.ts'
import { CONTENT_LINK, type Element, hasDescendant, lengthOf, type ParsedPage, parsePage, rawTextOf } from './html-tree.ts'
import { type IsLeftOut, mainContentOf } from './main-content.ts'
import { addressOf, dateOf } from './page-facts.ts'
import type { PageKind } from './page-frame.ts'
import { type Panels, panelsOf } from './panels.ts'

const BLOCKS = new Set(
  'address article aside blockquote caption center datalist dd details dialog div dl fieldset figcaption figure footer form header hgroup hr label legend li main ol option p section select summary table tbody td template tfoot th thead tr ul'.split(
    ' ',
  ),
)
const HEADING = /^h[1-6]$/
const LABEL = /^[^\n]{1,40}:\s*$/
const PICTURE_FILE = /\.(?:avif|gif|jpe?g|png|svg|webp)(?:[?#]|$)/i
const EMPTY_ITEM = /^(?:-|-? ?\w{1,8}[.)])$/
const MAX_OPTIONS = 100
const MAX_ADDRESS_CHARACTERS = 500
/** A paragraph with more links refers to other pages, and is left as it reads. */
const MAX_ADDRESSES = 3
const MAX_CALL_CHARACTERS = 150
const MAX_LABEL_CHARACTERS = 60
/** Ends a sentence, or belongs to a script without full stops. */
const TEXT_MARK = /[\p{Sentence_Terminal}:;：；…"”»」』)）]$|\n|[\p{Script=Thai}\p{Script=Lao}]/u
/** The date of an event, a telephone number or a price is what a page is about. */
const TEXT_OR_NUMBER = /[\p{Sentence_Terminal}\p{Nd}:;：；…"”»)@]/u
const MIN_REPEATED_CHARACTERS = 40
/** Stands where a link ends, until its sentence is known. */
const LINK_MARK = /\ue000(\d+)\ue001/g
const PRIVATE = /[\ue000\ue001]/g

/** The main content of a page: its text as blocks below its headings, with its title, canonical address and date where it states them. */
export function readHtml(html: string): ExtractedDocument {
  return documentOf(parsePage(html))
}

/** The same of a parsed page; `address` is where it was fetched from. */
export function documentOf(page: ParsedPage, address: string | null = null): ExtractedDocument {
  const panels = panelsOf(page.root)
  const { element, isLeftOut, kind } = mainContentOf(page, panels)
  const own = addressOf(page)
  const sections = new BlockWriter({ isLeftOut, panels, base: baseOf(page, address ?? own), genre: kind.genre }).write(element)
  const title = page.title === '' ? null : page.title
  if (kind.isProse) dropLabels(sections, kind)
  const named = sections.map((section) => (title !== null && isTitle(section, title) ? { ...section, heading: '' } : section))
  return { title, address: own, asOf: dateOf(page), sections: named }
}

/** Drops the labels before the first and after the last sentence of a text: names, "Back to top", and of an article dates and times to read. */
function dropLabels(sections: readonly Section[], { genre }: PageKind): void {
  const isLabel = ({ kind, text }: Block) =>
    kind === 'paragraph' &&
    lengthOf(text) <= MAX_LABEL_CHARACTERS &&
    !TEXT_MARK.test(text) &&
    (genre === 'article' || !TEXT_OR_NUMBER.test(text))
  // What stands alone under a heading is its text.
  const isRest = ({ level, blocks }: Section) => blocks.length > 1 || (level <= 1 && blocks.length > 0)
  for (const section of sections) {
    while (isRest(section) && isLabel(section.blocks[0] as Block)) section.blocks.shift()
    if (section.blocks.length > 0) break
  }
  for (const section of sections.toReversed()) {
    while (isRest(section) && isLabel(section.blocks.at(-1) as Block)) section.blocks.pop()
    if (section.blocks.length > 0) break
  }
}

function baseOf({ facts }: ParsedPage, address: string | null): string | undefined {
  const stated = facts.find(({ name, attributes }) => name === 'base' && attributes['href'])?.attributes['href']
  return URL.parse(stated ?? '', address ?? undefined)?.href ?? address ?? undefined
}

/** All text of a piece of HTML that is content throughout but for what is hidden, below a heading of a level. */
export function readFragment(html: string, level = 1): ExtractedDocument {
  const { root } = parsePage(html)
  const panels = panelsOf(root)
  const isLeftOut = (element: Element) => panels.hidden.has(element)
  const sections = new BlockWriter({ isLeftOut, panels, base: undefined, genre: 'page' }, level).write(root)
  return { title: null, address: null, asOf: null, sections }
}

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

interface Writing {
  isLeftOut: IsLeftOut
  panels: Panels
  base: string | undefined
  genre: PageKind['genre']
}

class BlockWriter {
  readonly #page: Writing
  readonly #sections: Section[] = [{ level: 0, heading: '', keywords: '', blocks: [] }]
  readonly #links: { text: string; address: string }[] = []
  readonly #cut = new Set<Section>()
  readonly #said = new Set<string>()
  #text = ''
  /** Its end: looking at that of a long text takes time for all of it. */
  #last = ''
  #kind: Block['kind'] = 'paragraph'
  #level: number

  constructor(page: Writing, level = 1) {
    this.#page = page
    this.#level = level
  }

  write(element: Element): Section[] {
    this.#readChildren(element)
    this.#close()
    return this.#sections.filter((section, index, { [index + 1]: next }) => {
      const isEmpty = section.blocks.length === 0 && (next?.level ?? 0) <= section.level
      return section.level <= 1 || !isEmpty || !this.#cut.has(section)
    })
  }

  #readChildren(element: Element): void {
    for (const child of element.children) {
      if (typeof child === 'string') this.#add(child.replace(/\s+/g, ' ').replace(PRIVATE, ''))
      else if (this.#page.isLeftOut(child)) this.#dropLabelOf(child)
      else if (!isUnread(child) && !isNoteLink(child)) this.#read(child)
    }
  }

  /** Drops what only introduces a part that is left out: "Share this:" and a heading without other text. */
  #dropLabelOf({ links, controls }: Element): void {
    if (links + controls === 0) return
    const section = this.#sections.at(-1)
    if (section) this.#cut.add(section)
    if (this.#text.length < 60 && LABEL.test(this.#text)) this.#text = ''
    else if (this.#text.length < 60 && this.#text.trim() === '' && LABEL.test(section?.blocks.at(-1)?.text ?? '')) section?.blocks.pop()
  }

  #read(element: Element): void {
    const { name, attributes } = element
    const label = this.#page.panels.opened.get(element)
    const level = this.#level
    if (label) this.#openPanel(this.#inlineTextOf(label))
    if (name === 'br') this.#add('\n')
    else if (name === 'pre') this.#readCode(element)
    else if (HEADING.test(name) || attributes['role'] === 'heading') this.#readHeading(element)
    else if (this.#page.panels.openers.has(element) && !hasDescendant(element, ({ name: inner }) => HEADING.test(inner)))
      this.#openPanel(this.#inlineTextOf(element))
    else if (name === 'table' && !isLayout(element)) this.#readTable(element)
    else if (name === 'dt') this.#readTerm(element)
    else if (name === 'li') this.#readItem(element)
    else if (name === 'ol') this.#readNumbered(element)
    else if (name === 'select' || name === 'datalist') this.#readOptions(element)
    else if (BLOCKS.has(name) || attributes['slot'] !== undefined) this.#readBlock(element)
    else if (!this.#readInline(element)) this.#readChildren(element)
    if (this.#page.panels.opened.has(element)) this.#closePanel(level)
  }

  /** Reads what stands in a line but isn't its text; false for the rest. */
  #readInline(element: Element): boolean {
    const { name, attributes } = element
    if (name === 'img' || name === 'svg') this.#add(this.#page.genre === 'article' ? ' ' : ` ${altOf(element).replace(PRIVATE, '')} `)
    else if (name === 'sup') this.#add(superscriptAfter(this.#last, element))
    else if (name === 'a' && attributes['href'] !== undefined) this.#readLink(element, attributes['href'])
    else if (name === 'abbr' && attributes['title'] && !attributes['title'].includes(rawTextOf(element))) {
      this.#readChildren(element)
      this.#add(` (${attributes['title']})`)
    } else if (name.includes('-') && this.#readCustom(element)) return true
    else return false
    return true
  }

  /** A custom element that has its heading in an attribute. */
  #readCustom(element: Element): boolean {
    const heading = ['heading', 'header', 'summary', 'label', 'title'].flatMap((key) => element.attributes[key] ?? [])[0]
    if (heading === undefined || element.characters === 0) return false
    const level = this.#level
    this.#openPanel(heading)
    this.#readBlock(element)
    this.#closePanel(level)
    return true
  }

  #readLink(element: Element, href: string): void {
    const outer = this.#text
    this.#text = ''
    this.#readChildren(element)
    const text = this.#text.replace(LINK_MARK, '').replace(/\s+/g, ' ').trim()
    this.#text = outer + this.#text
    const address = this.#addressOf(href)
    // A picture that shows itself larger.
    if (PICTURE_FILE.test(href) && hasDescendant(element, ({ name }) => name === 'img')) return
    if (address === null || text === '' || text.includes(address) || address.includes(text.replace(/\s/g, ''))) return
    this.#add(`\ue000${this.#links.push({ text, address }) - 1}\ue001`)
  }

  /** The address of a link to elsewhere, as a reader would type it; in an article, links but to files and contacts are further reading. */
  #addressOf(href: string): string | null {
    const trimmed = href.trim()
    if (trimmed.startsWith('#') || trimmed.length > MAX_ADDRESS_CHARACTERS) return null
    const url = URL.parse(trimmed, this.#page.base ?? (trimmed.startsWith('//') ? 'https:' : undefined))
    if (!url || url.username !== '' || url.password !== '') return null
    if (url.protocol === 'mailto:' || url.protocol === 'tel:') return decoded(url.pathname)
    if (this.#page.genre === 'article' && !CONTENT_LINK.test(url.pathname)) return null
    return /^https?:$/.test(url.protocol) ? url.href : null
  }

  #readBlock(element: Element): void {
    // The first paragraph of an item begins after its mark.
    if (this.#kind !== 'item' || !EMPTY_ITEM.test(this.#text.trim())) this.#close()
    this.#readChildren(element)
    this.#close()
  }

  #readItem(element: Element, mark = '-'): void {
    this.#close()
    this.#text = `${mark} `
    this.#kind = 'item'
    this.#readChildren(element)
    this.#close()
  }

  #readNumbered(list: Element): void {
    this.#close()
    const items = list.children.filter((child) => typeof child !== 'string' && child.name === 'li')
    const isReversed = list.attributes['reversed'] !== undefined
    let number = Number.parseInt(list.attributes['start'] ?? '', 10)
    if (Number.isNaN(number)) number = isReversed ? items.length : 1
    for (const item of list.children) {
      if (typeof item === 'string' || this.#page.isLeftOut(item) || isUnread(item)) continue
      if (item.name !== 'li') {
        this.#read(item)
        continue
      }
      const value = Number.parseInt(item.attributes['value'] ?? '', 10)
      if (!Number.isNaN(value)) number = value
      this.#readItem(item, numeralOf(number, list.attributes['type']))
      number += isReversed ? -1 : 1
    }
  }

  #readOptions(list: Element): void {
    this.#close()
    const options: string[] = []
    const collect = (element: Element) => {
      for (const child of element.children) {
        if (typeof child === 'string') continue
        if (child.name !== 'option') collect(child)
        else if (child.attributes['value'] !== '' || list.name === 'datalist')
          options.push(this.#inlineTextOf(child) || (child.attributes['label'] ?? child.attributes['value'] ?? ''))
      }
    }
    collect(list)
    if (options.length > MAX_OPTIONS) return
    for (const option of options) if (option !== '') this.#push({ kind: 'item', text: `- ${option}` })
  }

  #readHeading(element: Element): void {
    this.#close()
    const heading = this.#inlineTextOf(element)
    const level = Number(HEADING.test(element.name) ? element.name.slice(1) : (element.attributes['aria-level'] ?? 2))
    this.#level = level >= 1 && level <= 6 ? level : 2
    if (heading !== '') this.#open(this.#level, heading)
  }

  #open(level: number, heading: string): void {
    this.#sections.push({ level, heading, keywords: '', blocks: [] })
  }

  #openPanel(heading: string): void {
    this.#close()
    if (heading !== '') this.#open(Math.min(6, this.#level + 1), heading)
  }

  /** Ends the heading of a panel: the text after it stands under the one before, of this level. */
  #closePanel(level: number): void {
    this.#close()
    this.#level = level
    if ((this.#sections.at(-1)?.level ?? 0) > this.#level) this.#open(Math.min(6, this.#level + 1), '')
  }

  #readCode(element: Element): void {
    this.#close()
    const text = codeOf(element).replace(/^\n+/, '').trimEnd()
    if (text.trim() !== '') this.#push({ kind: 'code', text: `\`\`\`\n${text}\n\`\`\`` })
  }

  #readTerm(element: Element): void {
    this.#close()
    const text = this.#inlineTextOf(element)
    if (text !== '') this.#push({ kind: 'paragraph', text, isLead: true })
  }

  #readTable(table: Element): void {
    this.#close()
    for (const child of table.children) if (typeof child !== 'string' && child.name === 'caption') this.#readBlock(child)
    const isLeftOut = (element: Element) => this.#page.isLeftOut(element) || isUnread(element)
    const { rows, headerRows } = gridOf(table, (cell) => (isLeftOut(cell) ? '' : this.#inlineTextOf(cell) || signOf(cell)), isLeftOut)
    const text = tableText(rows, headerRows)
    if (text !== '') this.#push({ kind: 'row', text })
  }

  #inlineTextOf(element: Element): string {
    const outer = this.#text
    this.#text = ''
    this.#readPieces(element)
    const text = this.#withAddresses(this.#text.replace(/\s+/g, ' ').trim())
    this.#text = outer
    return text
  }

  #readPieces(element: Element): void {
    for (const child of element.children) {
      if (typeof child === 'string') this.#add(child.replace(PRIVATE, ''))
      else if (this.#page.isLeftOut(child) || isUnread(child) || isNoteLink(child)) continue
      else if (child.name === 'a' && child.attributes['href'] !== undefined) this.#readLink(child, child.attributes['href'])
      else if (child.name === 'img' || child.name === 'svg' || child.name === 'sup') this.#readInline(child)
      else {
        const isBlock = BLOCKS.has(child.name) || HEADING.test(child.name) || child.name === 'br' || child.name === 'dt'
        if (isBlock) this.#add(child.name === 'li' && this.#last.trim() !== '' ? ', ' : ' ')
        this.#readPieces(child)
        if (isBlock) this.#add(' ')
      }
    }
  }

  #add(piece: string): void {
    this.#text += piece
    this.#last = piece
  }

  #close(): void {
    const text = this.#text
      .split('\n')
      .map((line) => line.replace(/\s+/g, ' ').trim())
      .filter((line) => line !== '')
      .map((line) => this.#withAddresses(line))
      .join('\n')
    if (text !== '' && !(this.#kind === 'item' && EMPTY_ITEM.test(text))) this.#push({ kind: this.#kind, text })
    this.#text = ''
    this.#last = ''
    this.#kind = 'paragraph'
  }

  /** Puts the addresses of links at the ends of their sentences. */
  #withAddresses(line: string): string {
    const marks = [...line.matchAll(LINK_MARK)].map(([, index]) => this.#links[Number(index)])
    if (marks.length === 0) return line
    if (marks.length > MAX_ADDRESSES || (this.#page.genre === 'text' && line.length > MAX_CALL_CHARACTERS))
      return line.replace(LINK_MARK, '')
    // A short text is a call to act, which is quoted by the sentence.
    const parts = line.length <= MAX_CALL_CHARACTERS ? sentencesOf(line) : [line]
    return parts
      .map((sentence) => {
        const links = [...sentence.matchAll(LINK_MARK)].flatMap(([, index]) => this.#links[Number(index)] ?? [])
        if (links.length === 0) return sentence
        const addresses = links.map(({ text, address }) => (links.length === 1 ? address : `${text}: ${address}`)).join(' ; ')
        return sentence.replace(LINK_MARK, '').replace(/([.!?:;,]*\s*)$/, (end) => ` (${addresses})${end}`)
      })
      .join('')
  }

  /** In an article, a paragraph that repeats another is a picture's caption in each size of a gallery, or the like. */
  #push(block: Block): void {
    if (this.#page.genre === 'article' && block.kind === 'paragraph' && block.text.length >= MIN_REPEATED_CHARACTERS) {
      if (this.#said.has(block.text)) return
      this.#said.add(block.text)
    }
    this.#sections.at(-1)?.blocks.push(block)
  }
}
