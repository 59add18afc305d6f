import { DomUtils } from 'htmlparser2'
import type JsZip from 'jszip'
import type { ExtractedDocument } from '../../document.ts'
import { sectionsOfSlide } from './document-of-html.ts'
import { allOf, childOf, childrenOf, escaped, modifiedOf, partFor, relationsOf, type XmlElement, xmlPartOf } from './xml.ts'
import { openZip } from './zip-parts.ts'

const MAX_SLIDES = 2_000
/** Placeholders that repeat on each slide. */
const FURNITURE = new Set(['ftr', 'sldNum', 'dt', 'hdr'])
/** PowerPoint once described pictures by their paths. */
const FILE_NAME = /\.(?:jpe?g|png|gif|[we]mf|bmp|tiff?)$/i

/** The slides that are shown, each a section. Speaker notes are for the speaker and left out, as are struck text and comments. */
export async function readPptx(bytes: Buffer, maxInflatedBytes?: number): Promise<ExtractedDocument> {
  const zip = await openZip(bytes, maxInflatedBytes)
  const main = await partFor(zip, '', 'officeDocument', 'ppt/presentation.xml')
  const parts = await relationsOf(zip, main)
  const ids = allOf(await xmlPartOf(zip, main), 'p:sldId').map(({ attribs }) => attribs['r:id'] ?? '')
  const sections: ExtractedDocument['sections'] = []
  for (const [index, id] of ids.slice(0, MAX_SLIDES).entries()) {
    const html = await slideHtml(zip, parts.get(id) ?? '', sections.length === 0 ? 1 : 2)
    sections.push(...sectionsOfSlide(html, index))
  }
  return { title: null, address: null, asOf: await modifiedOf(zip), sections }
}

async function slideHtml(zip: JsZip, part: string, level: number): Promise<string> {
  const slide = await xmlPartOf(zip, part)
  if (allOf(slide, 'p:sld')[0]?.attribs['show'] === '0') return ''
  const writer = new SlideWriter(await relationsOf(zip, part), level)
  const shapes = allOf(slide, 'p:sp', 'p:graphicFrame', 'p:pic').toSorted((one, other) => Number(isTitle(other)) - Number(isTitle(one)))
  let html = ''
  for (const shape of shapes) {
    html += writer.shape(shape)
    // A diagram's text is in a part of its own.
    const diagram = writer.target(allOf(shape, 'dgm:relIds')[0]?.attribs['r:dm'])
    if (diagram !== undefined)
      html += allOf(await xmlPartOf(zip, diagram), 'a:p')
        .map((paragraph) => writer.paragraph(paragraph, 'li'))
        .join('')
  }
  return html
}

const placeholderOf = (shape: XmlElement): string | undefined => allOf(shape, 'p:ph').map(({ attribs }) => attribs['type'] ?? 'body')[0]
const isTitle = (shape: XmlElement): boolean => /title$/i.test(placeholderOf(shape) ?? '') && placeholderOf(shape) !== 'subTitle'

class SlideWriter {
  readonly #relations: ReadonlyMap<string, string>
  readonly #level: number

  constructor(relations: ReadonlyMap<string, string>, level: number) {
    this.#relations = relations
    this.#level = level
  }

  target(id: string | undefined): string | undefined {
    return this.#relations.get(id ?? '')
  }

  shape(shape: XmlElement): string {
    const properties = allOf(shape, 'p:cNvPr')[0]?.attribs ?? {}
    const placeholder = placeholderOf(shape)
    if (properties['hidden'] === '1' || FURNITURE.has(placeholder ?? '')) return ''
    if (shape.name === 'p:pic')
      return properties['descr'] && !FILE_NAME.test(properties['descr']) ? `<img alt="${escaped(properties['descr'])}">` : ''
    const tables = allOf(shape, 'a:tbl').map((table) => this.#table(table))
    if (tables.length > 0) return tables.join('')
    const paragraphs = allOf(shape, 'a:p')
    const address = this.target(allOf(shape, 'p:cNvPr').flatMap((one) => childOf(one, 'a:hlinkClick')?.attribs['r:id'] ?? [])[0])
    if (address !== undefined && paragraphs.length === 1)
      return `<p><a href="${escaped(address)}">${DomUtils.textContent(paragraphs)}</a></p>`
    if (isTitle(shape)) return `<h${this.#level}>${paragraphs.map((paragraph) => this.#runs(paragraph)).join(' ')}</h${this.#level}>`
    const isList = placeholder === 'body' && paragraphs.length > 1
    return paragraphs.map((paragraph) => this.paragraph(paragraph, isList && !allOf(paragraph, 'a:buNone')[0] ? 'li' : 'p')).join('')
  }

  paragraph(paragraph: XmlElement, name: 'p' | 'li'): string {
    const text = this.#runs(paragraph)
    return text.trim() === '' ? '' : `<${name}>${text}</${name}>`
  }

  #table(table: XmlElement): string {
    const hasHeader = childOf(table, 'a:tblPr')?.attribs['firstRow'] === '1'
    const rows = allOf(table, 'a:tr').map((row, index) => {
      const cells = allOf(row, 'a:tc').filter(({ attribs }) => attribs['hMerge'] !== '1' && attribs['vMerge'] !== '1')
      return `<tr>${cells.map((cell) => this.#cell(cell, hasHeader && index === 0 ? 'th' : 'td')).join('')}</tr>`
    })
    return `<table>${rows.join('')}</table>`
  }

  #cell(cell: XmlElement, name: 'th' | 'td'): string {
    const { gridSpan = '1', rowSpan = '1' } = cell.attribs
    const text = allOf(cell, 'a:p').map((paragraph) => this.#runs(paragraph))
    return `<${name} colspan="${Number(gridSpan)}" rowspan="${Number(rowSpan)}">${text.join('<br>')}</${name}>`
  }

  #runs(paragraph: XmlElement): string {
    return childrenOf(paragraph)
      .map((run) => {
        if (run.name === 'a:br') return '<br>'
        const properties = childOf(run, 'a:rPr')
        const text = childOf(run, 'a:t')
        if (!text || !/^(?:|noStrike)$/.test(properties?.attribs['strike'] ?? '')) return ''
        const shown = escaped(DomUtils.textContent(text))
        const raised = Number(properties?.attribs['baseline'] ?? 0) > 0 ? `<sup>${shown}</sup>` : shown
        const address = properties && this.target(childOf(properties, 'a:hlinkClick')?.attribs['r:id'])
        return address === undefined ? raised : `<a href="${escaped(address)}">${raised}</a>`
      })
      .join('')
  }
}
