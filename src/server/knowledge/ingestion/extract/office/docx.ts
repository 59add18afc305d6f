import { render } from 'dom-serializer'
import { DomUtils, ElementType } from 'htmlparser2'
import type JsZip from 'jszip'
import mammoth from 'mammoth'
import type { ExtractedDocument } from '../../document.ts'
import { documentOfHtml } from './document-of-html.ts'
import { Numbers } from './docx-numbers.ts'
import {
  allOf,
  childOf,
  childrenOf,
  elementOf,
  escaped,
  isOn,
  modifiedOf,
  parseXml,
  partFor,
  type XmlDocument,
  type XmlElement,
  type XmlNode,
  xmlPartOf,
} from './xml.ts'
import { openZip, partOf } from './zip-parts.ts'

/** Styles that stand for headings in the text that the library gets. */
const STYLE_MAP = [1, 2, 3, 4, 5, 6].map((level) => `p.Outline${level} => h${level}:fresh`)
/** Ids of edits, and looks that no reader of the text needs. */
const IDS = / (?:w:rsid\w*|w14:\w+)="[^"]*"/g
const LOOKS =
  /^<w:(?:proofErr|lastRenderedPageBreak|noProof|lang|szCs|sz|color|spacing|kern|rFonts|bCs|iCs|i|u|shd|ind|jc|keepNext|keepLines|widowControl|contextualSpacing)(?: [^]*)?\/>$/
/** Pictures, marks of footnotes, and links from these back to them. */
const UNREAD =
  /<img [^>]*>|<sup><a href="#(?:foot|end)note-[^"]*"[^>]*>\[\d+\]<\/a><\/sup>|\s*<a href="#(?:foot|end)note-ref-[^"]*">[^<]*<\/a>/g

/** The text of a Word document. Hidden and struck text, comments and deleted revisions are left out. */
export async function readDocx(bytes: Buffer, maxInflatedBytes?: number): Promise<ExtractedDocument> {
  const zip = await openZip(bytes, maxInflatedBytes)
  const main = await partFor(zip, '', 'officeDocument', 'word/document.xml')
  zip.file(main, await tidied(zip, main))
  const buffer = await zip.generateAsync({ type: 'nodebuffer' })
  const convertImage = mammoth.images.imgElement(async () => ({ src: '' }))
  const { value } = await mammoth.convertToHtml({ buffer }, { convertImage, styleMap: STYLE_MAP })
  return { ...documentOfHtml(value.replace(UNREAD, '')), asOf: await modifiedOf(zip) }
}

/** The main part as the library understands it, in less memory: the trees of a large one, ours and the library's, take hundreds of megabytes. */
async function tidied(zip: JsZip, main: string): Promise<string> {
  const document = parseXml((await partOf(zip, main)).replace(/<w:[^<>]*>/g, (tag) => (LOOKS.test(tag) ? '' : tag.replace(IDS, ''))))
  const named = async (what: string) => xmlPartOf(zip, await partFor(zip, main, what, `word/${what}.xml`))
  unwrap(document)
  tidy(document, stylesOf(await named('styles')), new Numbers(await named('numbering')))
  return render(document, { xmlMode: true })
}

interface Style {
  basedOn: string | undefined
  isTitle: boolean
  paragraph: XmlElement | undefined
  run: XmlElement | undefined
}
type Styles = ReadonlyMap<string, Style>

function stylesOf(document: XmlDocument): Styles {
  return new Map(
    allOf(document, 'w:style').map((style) => [
      style.attribs['w:styleId'] ?? '',
      {
        basedOn: childOf(style, 'w:basedOn')?.attribs['w:val'],
        isTitle: childOf(style, 'w:name')?.attribs['w:val']?.toLowerCase() === 'title',
        paragraph: childOf(style, 'w:pPr'),
        run: childOf(style, 'w:rPr'),
      },
    ]),
  )
}

/** The first that a style or one that it is based on has. */
function inStyle<T>(styles: Styles, id: string | undefined, find: (style: Style) => T | undefined): T | undefined {
  for (let depth = 0, style = styles.get(id ?? ''); style && depth < 20; depth += 1, style = styles.get(style.basedOn ?? '')) {
    const found = find(style)
    if (found !== undefined) return found
  }
  return undefined
}

/** Puts what the library doesn't know, and would leave out with its text, in words that it knows. */
function unwrap(parent: XmlElement | XmlDocument): void {
  const children = parent.children.flatMap((child) => (ElementType.isTag(child) ? unwrapped(child as XmlElement) : child))
  for (const child of children) child.parent = parent
  parent.children = children
}

function unwrapped(element: XmlElement): XmlNode[] {
  unwrap(element)
  const { name } = element
  if (name === 'w:dir' || name === 'w:bdo') return element.children
  if (name === 'w:ruby')
    return allOf(childOf(element, 'w:rubyBase') ?? element, 'w:r').flatMap((run) => (isHidden(run) ? [] : allOf(run, 'w:t')))
  if (name === 'mc:AlternateContent') return childOf(element, 'mc:Fallback')?.children ?? []
  if (name === 'w:sdt' && isOn(childOf(element, 'w:sdtPr', 'w:showingPlcHdr'))) removeRuns(element)
  if (/^(?:w:cr|w:ptab|w:br|v:oval)$/.test(name)) {
    element.name = { 'w:ptab': 'w:tab', 'v:oval': 'v:rect' }[name] ?? 'w:br'
    delete element.attribs['w:type']
  }
  return [element]
}

/** Without those of a control inside, which may be filled in. */
function removeRuns(parent: XmlElement): void {
  parent.children = parent.children.filter((child) => !ElementType.isTag(child) || (child as XmlElement).name !== 'w:r')
  for (const child of childrenOf(parent)) if (child.name !== 'w:sdt') removeRuns(child)
}

const isHidden = (run: XmlElement): boolean => ['w:vanish', 'w:strike', 'w:dstrike'].some((name) => isOn(childOf(run, 'w:rPr', name)))

/** Takes out what a reader doesn't see, and marks headings and numbers for the library. */
function tidy(document: XmlDocument, styles: Styles, numbers: Numbers): void {
  for (const field of allOf(document, 'w:fldSimple')) for (const run of childrenOf(field)) DomUtils.prepend(field, run)
  for (const row of allOf(document, 'w:tr')) if (isOn(childOf(row, 'w:trPr', 'w:hidden'))) DomUtils.removeElement(row)
  const paragraphs = allOf(document, 'w:p')
  for (const paragraph of paragraphs) removeUnseen(paragraph, styles)
  for (const paragraph of paragraphs) {
    writeNumber(paragraph, styles, numbers)
    markHeading(paragraph, styles)
  }
}

function removeUnseen(paragraph: XmlElement, styles: Styles): void {
  for (const run of allOf(paragraph, 'w:r')) {
    const has = (name: string) => isOn(runProperty(run, name, paragraph, styles))
    if (has('w:vanish') || has('w:strike') || has('w:dstrike')) DomUtils.removeElement(run)
  }
}

function runProperty(run: XmlElement, name: string, paragraph: XmlElement, styles: Styles): XmlElement | undefined {
  const own = childOf(run, 'w:rPr')
  const inRun = ({ run: properties }: Style) => properties && childOf(properties, name)
  return (
    (own && childOf(own, name)) ??
    inStyle(styles, own && childOf(own, 'w:rStyle')?.attribs['w:val'], inRun) ??
    inStyle(styles, styleOf(paragraph), inRun)
  )
}

const styleOf = (paragraph: XmlElement): string | undefined => childOf(paragraph, 'w:pPr', 'w:pStyle')?.attribs['w:val']

/** 1 to 6; null for text. */
function outlineLevelOf(paragraph: XmlElement, styles: Styles): number | null {
  const style = styleOf(paragraph)
  if (inStyle(styles, style, ({ isTitle }) => isTitle || undefined)) return 1
  const level =
    childOf(paragraph, 'w:pPr', 'w:outlineLvl') ??
    inStyle(styles, style, ({ paragraph: properties }) => properties && childOf(properties, 'w:outlineLvl'))
  const stated = level ? Number(level.attribs['w:val']) + 1 : Number(/^heading ?([1-9])$/i.exec(style ?? '')?.[1])
  return stated >= 1 && stated <= 9 ? Math.min(6, stated) : null
}

/** Writes the number of a list's paragraph before its text. */
function writeNumber(paragraph: XmlElement, styles: Styles, numbers: Numbers): void {
  const isWithoutText = allOf(paragraph, 'w:t').length === 0
  if (isWithoutText && childOf(paragraph, 'w:pPr', 'w:rPr', 'w:del')) return
  const own = childOf(paragraph, 'w:pPr', 'w:numPr')
  const inStyles = (name: string) =>
    inStyle(styles, styleOf(paragraph), ({ paragraph: properties }) => properties && childOf(properties, 'w:numPr', name))
  const valueOf = (name: string) => ((own && childOf(own, name)) ?? inStyles(name))?.attribs['w:val']
  const number = numbers.next(valueOf('w:numId'), Number(valueOf('w:ilvl') ?? 0))
  if (number === null || number === '' || isWithoutText) return
  const properties = childOf(paragraph, 'w:pPr')
  if (own) DomUtils.removeElement(own)
  if (properties) DomUtils.appendChild(properties, elementOf('<w:numPr><w:ilvl w:val="0"/><w:numId w:val="0"/></w:numPr>'))
  const run = elementOf(`<w:r><w:t xml:space="preserve">${escaped(number)} </w:t></w:r>`)
  const first = childrenOf(paragraph).find(({ name }) => name !== 'w:pPr')
  if (first) DomUtils.prepend(first, run)
}

function markHeading(paragraph: XmlElement, styles: Styles): void {
  const level = outlineLevelOf(paragraph, styles)
  if (level === null) return
  const properties = childOf(paragraph, 'w:pPr')
  if (properties) DomUtils.removeElement(properties)
  DomUtils.prependChild(paragraph, elementOf(`<w:pPr><w:pStyle w:val="Outline${level}"/></w:pPr>`))
}
