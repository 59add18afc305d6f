import { buffer } from 'node:stream/consumers'
import { type Cell, writeXlsx } from 'hucre/xlsx'
import { ZipFile } from 'yazl'

const RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const MC = 'http://schemas.openxmlformats.org/markup-compatibility/2006'
const V = 'urn:schemas-microsoft-com:vml'
const W = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'

/** An archive of XML files, without compression of those in `stored`. */
export async function zipOf(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, text] of Object.entries(files)) zip.addBuffer(Buffer.from(text), name, { compress: name !== 'mimetype' })
  zip.end()
  return buffer(zip.outputStream)
}

const relations = (targets: Readonly<Record<string, [type: string, target: string]>>): string =>
  `<Relationships xmlns="${PACKAGE}/relationships">${Object.entries(targets)
    .map(([id, [type, target]]) => {
      const mode = target.startsWith('http') ? ' TargetMode="External"' : ''
      return `<Relationship Id="${id}" Type="${RELATIONSHIPS}/${type}" Target="${target}"${mode}/>`
    })
    .join('')}</Relationships>`

/** A Word document with this body; `Heading1` and `Heading2` are its styles, `link` a link to https://apply.example. */
export function docxOf(body: string): Promise<Buffer> {
  const style = (level: number) =>
    `<w:style w:type="paragraph" w:styleId="Heading${level}"><w:name w:val="heading ${level}"/><w:pPr><w:outlineLvl w:val="${level - 1}"/></w:pPr></w:style>`
  return zipOf({
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    '_rels/.rels': relations({ r: ['officeDocument', 'word/document.xml'] }),
    'word/document.xml': `<w:document xmlns:w="${W}" xmlns:r="${RELATIONSHIPS}" xmlns:v="${V}" xmlns:mc="${MC}"><w:body>${body}</w:body></w:document>`,
    'word/styles.xml': `<w:styles xmlns:w="${W}">${style(1)}${style(2)}</w:styles>`,
    'word/_rels/document.xml.rels': relations({ s: ['styles', 'styles.xml'], link: ['hyperlink', 'https://apply.example'] }),
  })
}

/** A paragraph of a Word document, with properties of its runs. */
export const wordParagraph = (text: string, style = '', run = ''): string =>
  `<w:p>${style === '' ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:rPr>${run}</w:rPr><w:t>${text}</w:t></w:r></w:p>`

/** Slides with these shapes; `link` is a link to https://apply.example. */
export function pptxOf(slides: { shapes: string; attributes?: string }[]): Promise<Buffer> {
  const drawing = 'xmlns:a="a" xmlns:p="p" xmlns:r="r"'
  const ids = slides.map((_, index) => `<p:sldId r:id="s${index}"/>`)
  return zipOf({
    '_rels/.rels': relations({ r: ['officeDocument', 'ppt/presentation.xml'] }),
    'ppt/presentation.xml': `<p:presentation ${drawing}><p:sldIdLst>${ids.join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations(
      Object.fromEntries(slides.map((_, index) => [`s${index}`, ['slide', `slides/slide${index}.xml`]])),
    ),
    ...Object.fromEntries(
      slides.flatMap(({ shapes, attributes = '' }, index) => [
        [`ppt/slides/slide${index}.xml`, `<p:sld ${drawing} ${attributes}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`],
        [`ppt/slides/_rels/slide${index}.xml.rels`, relations({ link: ['hyperlink', 'https://apply.example'] })],
      ]),
    ),
  })
}

/** A file of OpenDocument with this body; `Struck`, `Hidden` and `Bold` are its styles. */
export function odfOf(type: 'text' | 'spreadsheet' | 'presentation', body: string): Promise<Buffer> {
  const style = (name: string, properties: string) =>
    `<style:style style:name="${name}"><style:text-properties ${properties}/></style:style>`
  const styles =
    style('Struck', 'style:text-line-through-style="solid"') +
    style('Hidden', 'text:display="none"') +
    style('Bold', 'fo:font-weight="bold"')
  return zipOf({
    mimetype: `application/vnd.oasis.opendocument.${type}`,
    'content.xml': `<office:document-content><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:${type}>${body}</office:${type}></office:body></office:document-content>`,
    'meta.xml': '<office:document-meta><dc:date>2026-03-04T10:00:00</dc:date></office:document-meta>',
  })
}

/** A book of one chapter. */
export function epubOf(title: string, body: string): Promise<Buffer> {
  return zipOf({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
    'OEBPS/book.opf': `<package><metadata><dc:title>${title}</dc:title><dc:date>2026-03-04</dc:date></metadata><manifest><item id="n" href="nav.xhtml" properties="nav"/><item id="a" href="a.xhtml"/></manifest><spine><itemref idref="n"/><itemref idref="a"/></spine></package>`,
    'OEBPS/nav.xhtml': '<html><body><p>HIDDEN</p></body></html>',
    'OEBPS/a.xhtml': `<html><head><title>HIDDEN</title></head><body>${body}</body></html>`,
  })
}

/** A workbook with a table that has a struck cell, a hidden column and a hidden row, and a hidden sheet. */
export async function xlsxOf(): Promise<Buffer> {
  const style = (numFmt: string): Partial<Cell> => ({ style: { numFmt } })
  const content = await writeXlsx({
    sheets: [
      {
        name: 'Fees',
        columns: [{}, {}, {}, { hidden: true }],
        rows: [
          ['Ticket', 'Fee', 'From', 'HIDDEN'],
          ['Adult', 4.5, new Date(Date.UTC(2026, 4, 1)), 'HIDDEN'],
          ['Child', 'STRUCK', null, null],
          ['HIDDEN', null, null, null],
        ],
        rowDefs: new Map([[3, { hidden: true }]]),
        cells: new Map<string, Partial<Cell>>([
          ['1,1', style('0.00 "€"')],
          ['1,2', style('dd.mm.yyyy')],
          ['2,1', { style: { font: { strikethrough: true } } }],
        ]),
      },
      { name: 'Secret', hidden: true, rows: [['HIDDEN']] },
    ],
  })
  return Buffer.from(content)
}
