import { DomUtils, ElementType } from 'htmlparser2'
import type { ExtractedDocument } from '../../document.ts'
import { numeralOf } from '../html-inline.ts'
import { documentOfHtml, sectionsOfSlide } from './document-of-html.ts'
import { documentOfSheets, MAX_ROWS, type Sheet } from '../sheet-sections.ts'
import { allOf, childrenOf, escaped, modifiedOf, type XmlDocument, type XmlElement, type XmlNode, xmlPartOf } from './xml.ts'
import { openZip } from './zip-parts.ts'

/** Notes of editors, deleted text, notes of speakers, and what stands for objects. */
const UNSEEN = new Set(
  'office:annotation office:annotation-end text:tracked-changes text:hidden-text text:hidden-paragraph presentation:notes office:forms text:table-of-content text:note-citation svg:title svg:desc text:sequence-decls presentation:footer presentation:date-time text:page-number'.split(
    ' ',
  ),
)
/** Stands for the numbers of headings among lists. */
const OUTLINE = ' outline'
/** Repeated empty cells fill a sheet to its end. */
const MAX_COLUMNS = 500
const MAX_REPEATED_ROWS = 1_000

/** Text, spreadsheets and presentations of OpenDocument. Hidden and struck text, notes and comments are left out. */
export async function readOdf(bytes: Buffer, maxInflatedBytes?: number): Promise<ExtractedDocument> {
  const zip = await openZip(bytes, maxInflatedBytes)
  if (allOf(await xmlPartOf(zip, 'META-INF/manifest.xml'), 'manifest:encryption-data').length > 0)
    throw new Error('It is protected by a password.')
  const content = await xmlPartOf(zip, 'content.xml')
  const writer = new OdfWriter(new Styles([await xmlPartOf(zip, 'styles.xml'), content]))
  const asOf = await modifiedOf(zip)
  const [spreadsheet] = allOf(content, 'office:spreadsheet')
  if (spreadsheet) return documentOfSheets(writer.sheets(spreadsheet), asOf)
  const pages = allOf(content, 'draw:page')
  if (pages.length === 0) return { ...documentOfHtml(writer.html(allOf(content, 'office:text')[0] ?? content)), asOf }
  const sections = pages.flatMap((page, index) => sectionsOfSlide(writer.html(page), index))
  return { title: null, address: null, asOf, sections }
}

const levelsOf = (list: XmlElement) => new Map(childrenOf(list).map(({ attribs }) => [attribs['text:level'], attribs]))

/** Properties of styles, with those of their parents. */
class Styles {
  readonly #styles = new Map<string, XmlElement>()
  readonly #lists = new Map<string, Map<string | undefined, XmlElement['attribs']>>()

  constructor(documents: readonly XmlDocument[]) {
    for (const document of documents) {
      for (const style of allOf(document, 'style:style')) this.#styles.set(style.attribs['style:name'] ?? '', style)
      for (const outline of allOf(document, 'text:outline-style')) this.#lists.set(OUTLINE, levelsOf(outline))
      for (const list of allOf(document, 'text:list-style')) this.#lists.set(list.attribs['style:name'] ?? '', levelsOf(list))
    }
  }

  /** How the items of a list look at a level, from 1. */
  #level(list: string, level: number): XmlElement['attribs'] {
    return this.#lists.get(list)?.get(String(level)) ?? {}
  }

  /** Where a list's items begin to count at a level. */
  startOf(list: string, level: number): number {
    return Number(this.#level(list, level)['text:start-value'] ?? 1)
  }

  /** The number of an item of a list, or of a heading, by its own count after those above it; null for a bullet or none. */
  numberOf(list: string, counts: readonly number[]): string | null {
    const own = this.#level(list, counts.length)
    if (!own['style:num-format']) return null
    const first = counts.length - Number(own['text:display-levels'] ?? 1)
    const numbers = counts.flatMap((count, at) => {
      const format = this.#level(list, at + 1)['style:num-format']
      return at < first || !format ? [] : numeralOf(count, format).replace(/^- |[.)]$/g, '')
    })
    return `${own['style:num-prefix'] ?? ''}${numbers.join('.')}${own['style:num-suffix'] ?? ''}`
  }

  valueOf(element: XmlElement, attribute: string): string | undefined {
    let style = this.#styleOf(element)
    for (let depth = 0; style && depth < 20; depth += 1) {
      const [value] = childrenOf(style).flatMap(({ attribs }) => attribs[attribute] ?? [])
      if (value !== undefined) return value
      style = this.#styles.get(style.attribs['style:parent-style-name'] ?? '')
    }
    return undefined
  }

  isUnnumbered(element: XmlElement): boolean {
    return element.attribs['text:is-list-header'] === 'true' || this.#styleOf(element)?.attribs['style:list-style-name'] === ''
  }

  isTitle(element: XmlElement): boolean {
    const style = this.#styleOf(element)
    return [style?.attribs['style:name'], style?.attribs['style:parent-style-name']].includes('Title')
  }

  isUnseen(element: XmlElement): boolean {
    const lines = [this.valueOf(element, 'style:text-line-through-style'), this.valueOf(element, 'style:text-line-through-type')]
    return (
      UNSEEN.has(element.name) ||
      element.attribs['text:display'] === 'none' ||
      this.valueOf(element, 'text:display') === 'none' ||
      this.valueOf(element, 'table:display') === 'false' ||
      this.valueOf(element, 'presentation:visibility') === 'hidden' ||
      /^(?:collapse|filter)$/.test(element.attribs['table:visibility'] ?? '') ||
      lines.some((line) => line !== undefined && line !== 'none')
    )
  }

  #styleOf({ attribs }: XmlElement): XmlElement | undefined {
    return this.#styles.get(attribs['text:style-name'] ?? attribs['table:style-name'] ?? attribs['draw:style-name'] ?? '')
  }
}

class OdfWriter {
  readonly #styles: Styles

  /** The lists that are open, each by its style, with the count of its item. */
  readonly #lists: { name: string; count: number }[] = []
  readonly #headings: number[] = []
  /** The next number of each list. */
  readonly #numbers = new Map<string, number>()

  constructor(styles: Styles) {
    this.#styles = styles
  }

  sheets(spreadsheet: XmlElement): Sheet[] {
    return childrenOf(spreadsheet)
      .filter((table) => table.name === 'table:table' && !this.#styles.isUnseen(table))
      .map((table) => ({ name: table.attribs['table:name'] ?? '', rows: this.#rows(table) }))
  }

  html(node: XmlNode | XmlDocument): string {
    return 'children' in node ? node.children.map((child) => this.#node(child)).join('') : ''
  }

  #node(node: XmlNode): string {
    if (node.type === ElementType.Text) return escaped(DomUtils.textContent(node))
    if (!ElementType.isTag(node)) return ''
    const element = node as XmlElement
    if (this.#styles.isUnseen(element)) return ''
    const { name, attribs } = element
    if (name === 'text:s') return ' '.repeat(Math.min(10, Number(attribs['text:c'] ?? 1)))
    if (name === 'text:tab') return ' '
    if (name === 'text:line-break') return '<br>'
    if (name === 'table:table') return this.#table(element)
    if (name === 'text:list') return this.#list(element)
    const inner = this.html(element)
    if (name === 'text:h') return this.#heading(element, inner)
    if (name === 'text:p') return this.#paragraph(element, inner)
    if (name === 'text:a') return `<a href="${escaped(attribs['xlink:href'] ?? '')}">${inner}</a>`
    if (name === 'text:note-body') return ` (${inner.replace(/<\/?p>/g, '')})`
    if (name === 'draw:frame' && attribs['presentation:class'] === 'title') return heading(2, inner.replace(/<[^>]*>/g, ' '))
    if (name === 'text:span' && this.#styles.valueOf(element, 'style:text-position')?.startsWith('super')) return `<sup>${inner}</sup>`
    if (name === 'text:span' && this.#styles.valueOf(element, 'fo:font-weight') === 'bold') return `<strong>${inner}</strong>`
    return inner
  }

  #paragraph(element: XmlElement, inner: string): string {
    if (this.#styles.isTitle(element)) return heading(1, inner)
    const isBold = this.#styles.valueOf(element, 'fo:font-weight') === 'bold' && inner.trim() !== ''
    return isBold ? `<p><strong>${inner.replace(/<\/?strong>/g, '')}</strong></p>` : `<p>${inner}</p>`
  }

  #heading(element: XmlElement, inner: string): string {
    const level = Math.min(10, Math.max(1, Number(element.attribs['text:outline-level']) || 1))
    if (this.#styles.isUnnumbered(element) || inner.trim() === '') return heading(level, inner)
    for (let at = 0; at < level; at += 1) this.#headings[at] ??= this.#styles.startOf(OUTLINE, at + 1) - (at === level - 1 ? 1 : 0)
    this.#headings[level - 1] = (this.#headings[level - 1] ?? 0) + 1
    this.#headings.length = level
    return heading(level, `${escaped(this.#styles.numberOf(OUTLINE, this.#headings) ?? '')} ${inner}`)
  }

  /** A list with its numbers, also where it goes on with those of another one; inner lists have the style of the outer. */
  #list(list: XmlElement): string {
    const {
      'text:style-name': name = this.#lists.at(-1)?.name ?? '',
      'text:continue-numbering': goesOn,
      'text:continue-list': other,
    } = list.attribs
    const isContinued = goesOn === 'true' || other !== undefined
    const start = this.#styles.startOf(name, this.#lists.length + 1)
    let count = ((isContinued ? this.#numbers.get(name) : undefined) ?? start) - 1
    const items = childrenOf(list).map((item) => {
      if (item.name !== 'text:list-item') return this.#node(item)
      count = Number(item.attribs['text:start-value'] ?? count + 1)
      this.#lists.push({ name, count })
      const number = this.#styles.numberOf(
        name,
        this.#lists.map((open) => open.count),
      )
      const inner = this.html(item).replace(/^<p>([^]*?)<\/p>/, '$1')
      this.#lists.pop()
      if (inner.startsWith('<h')) return inner
      return number === null ? `<ul><li>${inner}</li></ul>` : `<p>${escaped(number)} ${inner.replace(/<(?:p|ul)>/, '</p>$&')}`
    })
    if (this.#lists.length === 0) this.#numbers.set(name, count + 1)
    return items.join('')
  }

  #table(table: XmlElement): string {
    const headers = new Set(allOf(table, 'table:table-header-rows').flatMap((rows) => allOf(rows, 'table:table-row')))
    const rows = rowsOf(table).filter((row) => !this.#styles.isUnseen(row))
    const html = rows.map((row) => {
      const isHeader = headers.has(row)
      const cells = childrenOf(row).filter(({ name }) => name === 'table:table-cell')
      const name = isHeader ? 'th' : 'td'
      return `<tr>${cells.map((cell) => `<${name}${spanOf(cell)}>${this.html(cell)}</${name}>`).join('')}</tr>`
    })
    return `<table>${html.join('')}</table>`
  }

  #rows(table: XmlElement): string[][] {
    const hidden = new Set<number>()
    let columns = 0
    for (const column of allOf(table, 'table:table-column')) {
      const count = Math.min(MAX_COLUMNS, Number(column.attribs['table:number-columns-repeated'] ?? 1))
      if (this.#styles.isUnseen(column)) for (let at = columns; at < columns + count; at += 1) hidden.add(at)
      columns += count
    }
    const rows: string[][] = []
    /** Merged cells by their columns, with the row that ends them. */
    const spanned = new Map<number, { text: string; until: number }>()
    for (const row of rowsOf(table)) {
      const cells: string[] = []
      for (const cell of childrenOf(row)) {
        const { 'table:number-columns-repeated': times = 1, 'table:number-columns-spanned': width = 1 } = cell.attribs
        const height = Number(cell.attribs['table:number-rows-spanned'] ?? 1)
        const text = this.#styles.isUnseen(cell) ? '' : this.#cellText(cell)
        for (let count = Math.min(MAX_COLUMNS, Number(times)); count > 0; count -= 1)
          cells.push(text || (spanned.get(cells.length)?.text ?? ''))
        if (text === '' || Number(width) * height < 2) continue
        for (let at = cells.length - 1; at < Math.min(MAX_COLUMNS, cells.length - 1 + Number(width)); at += 1)
          spanned.set(at, { text, until: rows.length + height })
      }
      for (const [column, { until }] of spanned) if (until <= rows.length + 1) spanned.delete(column)
      const all = this.#styles.isUnseen(row) ? [] : cells.slice(0, MAX_COLUMNS).filter((_, column) => !hidden.has(column))
      const shown = all.slice(0, all.findLastIndex((cell) => cell !== '') + 1)
      const repeated = Number(row.attribs['table:number-rows-repeated'] ?? 1)
      const count = shown.some((cell) => cell !== '') ? Math.min(MAX_REPEATED_ROWS, repeated) : Math.min(MAX_ROWS - rows.length, repeated)
      for (let at = 0; at < count && rows.length <= MAX_ROWS; at += 1) rows.push(shown)
    }
    return rows.slice(0, rows.findLastIndex((row) => row.length > 0) + 1)
  }

  #cellText(cell: XmlElement): string {
    return childrenOf(cell)
      .filter(({ name }) => name === 'text:p')
      .map((paragraph) => textOfHtml(this.html(paragraph)))
      .join(' ')
  }
}

const heading = (level: number, inner: string): string =>
  `<h${Math.min(6, Math.max(1, level))}>${inner}</h${Math.min(6, Math.max(1, level))}>`

/** Its own rows, without those of tables inside its cells. */
const rowsOf = (table: XmlElement): XmlElement[] =>
  childrenOf(table).flatMap((child) =>
    child.name === 'table:table-row' ? [child] : /^table:table-(?:header-rows|rows|row-group)$/.test(child.name) ? rowsOf(child) : [],
  )

function spanOf({ attribs }: XmlElement): string {
  const span = (name: string) => Number(attribs[`table:number-${name}-spanned`] ?? 1)
  return ` colspan="${span('columns')}" rowspan="${span('rows')}"`
}

/** Text of the writer's own HTML; links as their text and address. */
function textOfHtml(html: string): string {
  return html
    .replace(/<a href="([^"]*)">([^<]*)<\/a>/g, (_, address: string, text: string) =>
      address.includes(text) ? address : `${text} (${address})`,
    )
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
}
