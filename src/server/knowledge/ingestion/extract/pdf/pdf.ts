import { getDocumentProxy, getMeta } from 'unpdf'
import { checkInflatedPdf } from '../../../../parsing/inflated-size.ts'
import { type Block, type ExtractedDocument, SCANNED, type Section } from '../../document.ts'
import { isoDateOf } from '../page-facts.ts'
import { blocksOf, joinedLines, type PageBlock } from './page-blocks.ts'
import { DrawnLines, type Matrix, NO_DRAWING, type PdfDocument, type PdfPage, product } from './drawn-lines.ts'
import type { OcrLimits } from './ocr-programs.ts'
import { linesOf, type Segment, type TextItem } from './page-lines.ts'
import { type ReadScan, SCAN_FONT, scanReader } from './scanned-pages.ts'
import { type Annotation, HIDDEN, withoutStruck } from './struck-text.ts'

/** Keeps the library's warnings off the console. */
const SILENT = 0
const MAX_PAGES = 5_000
/** Most bytes that a PDF's streams may inflate to, its images included. */
const MAX_INFLATED_BYTES = 512 * 1024 * 1024
/** Larger images aren't decoded for what is drawn beside them. The characters of some fonts are images. */
const MAX_PIXELS = 250_000
/** More pieces of text on one page are no text. */
const MAX_ITEMS = 50_000
/** The library's number for the drawing of an image. */
const IMAGES = new Set([83, 85, 86, 88])
/** Share of the page's height at its top and bottom where running heads and feet are. */
const MARGIN = 0.12
const PAGE_NUMBER =
  /^(?:[-\u2013|]\s*)?(?:(?:page|seite|p\u00e1gina|pagina|p\.|s\.)\s*)?\d{1,4}(?:\s*(?:of|von|de|sur|di|\/)\s*\d{1,4})?(?:\s*[-\u2013|])?$/i
/** Titles that programs write where none was given. */
const NO_TITLE =
  /^(?:about:blank|microsoft |untitled|unbenannt|sans titre|sin t\u00edtulo|document\d*$|dokument\d*$|slide \d|print|https?:|file:)|\.(?:docx?|xlsx?|pptx?|odt|ods|odp|rtf|indd|qxp|tex|dvi|pdf|html?|txt|cdr|ai)$/i
const CONTENTS = /^(?:(?:table of )?contents|inhalt(?:sverzeichnis)?|sommaire|table des mati\u00e8res|\u00edndice|indice|sumario)$/i
/** Share of a page's text that stands on its side, from which the page does. */
const SIDEWAYS = 0.8
const MONOSPACE = 'monospace'
/** Between a field and the text before it. */
const MAX_LABEL_GAP = 200
const HEADING_SIZE = 1.12
const MAX_HEADING_CHARACTERS = 160
const MAX_HEADING_LEVEL = 4
/** Characters of fonts that state none. */
const UNMAPPED = /[\uE000-\uF8FF\uFFFD\p{Cc}]/gu
/** Below every heading, so that what a page begins with stays under the heading of the page before it. */
const UNDER_ALL = 7

interface Page {
  lines: Segment[][]
  height: number
  hasImage: boolean
}

/**
 * The text of a PDF as a reader sees it, with the number of the page for each section; with `ocr`, also of pages that are pictures. Throws
 * for one that has none.
 */
export async function readPdf(
  bytes: Uint8Array,
  {
    maxInflatedBytes = MAX_INFLATED_BYTES,
    maxPages = MAX_PAGES,
    ocr = null,
  }: { maxInflatedBytes?: number; maxPages?: number; ocr?: OcrLimits | null } = {},
): Promise<ExtractedDocument> {
  await checkInflatedPdf(bytes, maxInflatedBytes)
  const document = await opened(bytes, { maxImageSize: MAX_PIXELS })
  let withImages: PdfDocument | undefined
  const isPicture = async (number: number) => {
    withImages ??= await opened(bytes)
    const page = await withImages.getPage(number)
    const { fnArray } = await page.getOperatorList()
    page.cleanup()
    return fnArray.some((operation: number) => IMAGES.has(operation))
  }
  try {
    const pages: Page[] = []
    const drawn = new DrawnLines()
    const readScan = ocr ? scanReader(bytes, ocr) : null
    for (let number = 1; number <= Math.min(document.numPages, maxPages); number += 1) {
      const page = await document.getPage(number)
      pages.push(await readPage(page, document.numPages, { drawn, isPicture, readScan }))
      page.cleanup()
    }
    const warning = warningOf(pages, ocr !== null)
    const sections = sectionsOf(withoutFurniture(pages).map(blocksOf))
    const { info } = await getMeta(document)
    const dates = [info['ModDate'], info['CreationDate']].flatMap((date: unknown) => isoDateOf(dateOf(date)) ?? [])
    const title = sections.find(({ level, heading }) => level === 1 && !CONTENTS.test(heading))?.heading ?? statedTitle(info['Title'])
    return { title, address: null, asOf: dates[0] ?? null, sections, ...(warning !== null && { warning }) }
  } finally {
    await Promise.all([document.loadingTask.destroy(), withImages?.loadingTask.destroy()])
  }
}

async function opened(bytes: Uint8Array, options = {}): Promise<PdfDocument> {
  try {
    return await getDocumentProxy(new Uint8Array(bytes), { verbosity: SILENT, ...options })
  } catch (cause) {
    const isLocked = cause instanceof Error && cause.name === 'PasswordException'
    throw new Error(isLocked ? 'It is protected by a password.' : 'It is broken or cut off.', { cause })
  }
}

function statedTitle(title: unknown): string | null {
  const text = typeof title === 'string' ? title.trim() : ''
  return text === '' || NO_TITLE.test(text) ? null : text
}

const dateOf = (date: unknown): string =>
  typeof date === 'string'
    ? date.replace(/^D:(\d{4})(\d{2})?(\d{2})?.*$/, (_, year: string, month = '01', day = '01') => `${year}-${month}-${day}`)
    : ''

async function readPage(
  page: PdfPage,
  pages: number,
  readers: { drawn: DrawnLines; isPicture: (page: number) => Promise<boolean>; readScan: ReadScan | null },
): Promise<Page> {
  const { drawn, isPicture, readScan } = readers
  const { items, styles } = await page.getTextContent()
  const isMonospace = (font: string) => (styles as Record<string, { fontFamily?: string }>)[font]?.fontFamily === MONOSPACE
  const placed = items.flatMap((item) => ('str' in item ? [{ ...item, matrix: item.transform as unknown as Matrix }] : []))
  const { turn, width, height } = uprightView(page, placed)
  const shown = placed.flatMap(({ str, dir, width: length, height: own, fontName, matrix }): TextItem[] => {
    const [a, b, c, d, x, y] = product(turn, matrix)
    const size = Math.hypot(c, d) || own
    if (x > width || x + length < 0 || y > height || y + size < 0) return []
    return [{ str, dir, x, y, width: length, size, font: fontName, isRotated: Math.abs(b) > Math.abs(a) * 0.1 }]
  })
  const annotations = (await page.getAnnotations()).map((annotation: Annotation) => turned(annotation, turn))
  const drawing = shown.length === 0 ? NO_DRAWING : await drawn.on(page, turn)
  const valid = withoutStruck(shown.slice(0, MAX_ITEMS), drawing, annotations)
  const texts = valid.map((text) => (isMonospace(text.font) ? { ...text, font: MONOSPACE } : text))
  addAnnotations(annotations, texts, { width, height })
  const lines = linesOf(texts, pages, drawing)
  const hasImage = lines.length === 0 && (await isPicture(page.pageNumber))
  if (!hasImage || !readScan) return { lines, height, hasImage }
  const scan = await readScan(page.pageNumber, Math.max(width, height))
  return { lines: linesOf(scan.texts), height: scan.height, hasImage }
}

/** How a page is shown, from its bottom left: turned as it says, and where most of its text stands on its side, as that reads. */
function uprightView(page: PdfPage, texts: readonly { str: string; matrix: Matrix }[]): { turn: Matrix; width: number; height: number } {
  const { width, height, transform } = page.getViewport({ scale: 1 / page.userUnit })
  const turn = product([1, 0, 0, -1, 0, height], transform as unknown as Matrix)
  const letters = { all: 0, up: 0, down: 0 }
  for (const { str, matrix } of texts) {
    const [a, b] = product(turn, matrix)
    letters.all += str.length
    if (Math.abs(b) > Math.abs(a)) letters[b > 0 ? 'up' : 'down'] += str.length
  }
  if (letters.up > letters.all * SIDEWAYS) return { turn: product([0, -1, 1, 0, 0, width], turn), width: height, height: width }
  if (letters.down > letters.all * SIDEWAYS) return { turn: product([0, 1, -1, 0, height, 0], turn), width: height, height: width }
  return { turn, width, height }
}

/** An annotation where it is shown; some have no place. */
function turned(annotation: Annotation, [a, b, c, d, e, f]: Matrix): Annotation {
  const { rect, quadPoints } = annotation
  const at = (numbers: ArrayLike<number>) =>
    Float32Array.from(numbers, (value, index) =>
      index % 2 === 0 ? a * value + c * (numbers[index + 1] ?? 0) + e : b * (numbers[index - 1] ?? 0) + d * value + f,
    )
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = at((rect ?? []) as number[])
  return {
    ...annotation,
    rect: [Math.min(x0, x1), Math.min(y0, y1), Math.max(x0, x1), Math.max(y0, y1)],
    quadPoints: quadPoints instanceof Float32Array ? at(quadPoints) : null,
  }
}

/** Puts the values of a form where its fields are, and the address of a link after its text. */
function addAnnotations(annotations: readonly Annotation[], texts: TextItem[], page: { width: number; height: number }): void {
  const size = texts[0]?.size ?? 10
  for (const annotation of annotations) {
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = annotation['rect'] as number[]
    const isSeen = annotation['hidden'] !== true && (Number(annotation['annotationFlags']) & HIDDEN) === 0
    const isPlaced = x1 > x0 && y1 > y0 && x1 > 0 && y1 > 0 && x0 < page.width && y0 < page.height
    const value = isSeen && isPlaced ? valueOf(annotation) : ''
    if (value !== '') {
      const label = texts.findLast(
        ({ x, y, width, str }) => str.trim() !== '' && y >= y0 - 2 && y <= y1 && x + width <= x0 + 2 && x0 - x - width < MAX_LABEL_GAP,
      )
      if (label) label.str += ` ${value}`
      else texts.push({ str: value, dir: 'ltr', x: x0, y: y0, width: x1 - x0, size, font: texts[0]?.font ?? '', isRotated: false })
    }
    const address =
      annotation['subtype'] === 'Link' && typeof annotation['url'] === 'string' ? annotation['url'].replace(/^mailto:/i, '') : ''
    const isOver = ({ str, x, y, width }: TextItem) =>
      str.trim() !== '' && y >= y0 - 1 && y <= y1 && Math.min(x + width, x1) - Math.max(x, x0) > Math.min(width, x1 - x0) / 2
    const linked = address === '' ? [] : texts.filter(isOver)
    const last = linked.at(-1)
    const text = linked.map(({ str }) => str).join('')
    if (last && !text.includes(address.replace(/^https?:\/\/|\/$/g, ''))) last.str += ` (${address})`
  }
}

/** A field's value, or what was typed on the page. */
function valueOf({ subtype, fieldType, fieldValue, exportValue, password, textContent }: Record<string, unknown>): string {
  if ((subtype !== 'Widget' && subtype !== 'FreeText') || password === true) return ''
  if (fieldType === 'Btn') return typeof fieldValue === 'string' && fieldValue === exportValue && fieldValue !== 'Off' ? '[x]' : ''
  const values: unknown[] = [fieldValue || (fieldType === 'Ch' ? '' : textContent)].flat()
  return values
    .filter((value) => typeof value === 'string')
    .join(subtype === 'FreeText' ? ' ' : ', ')
    .trim()
}

/** Throws where no page has text, unless that took recognition, which isn't repeated for a file that is known. */
function warningOf(pages: readonly Page[], usesOcr: boolean): string | null {
  const isUnmapped = ({ lines }: Page) => {
    const texts = lines.flat().map((segment) => segment.text)
    const text = texts.join('')
    return text !== '' && (text.match(UNMAPPED)?.length ?? 0) > text.length / 5
  }
  const scanned = pages.flatMap(({ lines, hasImage }, index) => (lines.length === 0 && hasImage ? [index + 1] : []))
  const unmapped = pages.flatMap((page, index) => (isUnmapped(page) ? [index + 1] : []))
  const withText = pages.filter((page) => page.lines.length > 0)
  if (withText.length === 0 && !(usesOcr && scanned.length > 0))
    throw new Error(scanned.length > 0 ? 'It is scanned: no text.' : 'It is without any text.')
  if (unmapped.length > 0 && unmapped.length === withText.length)
    throw new Error('It is written in fonts that do not state their characters.')
  const parts = [
    ...(scanned.length > 0 ? [`${usesOcr ? 'Scanned, and no text recognised' : SCANNED}: ${pageList(scanned)}.`] : []),
    ...(unmapped.length > 0 ? [`Fonts do not state their characters: ${pageList(unmapped)}.`] : []),
  ]
  return parts.length > 0 ? parts.join(' ') : null
}

const pageList = (pages: readonly number[]): string =>
  `page${pages.length === 1 ? '' : 's'} ${pages.slice(0, 10).join(', ')}${pages.length > 10 ? ' \u2026' : ''}`

/** The lines of each page without page numbers and what is at the same place on several pages, in small text with other numbers too. */
function withoutFurniture(pages: readonly Page[]): Segment[][][] {
  const segments = pages.flatMap(({ lines }) => lines.flat())
  const bodySize = most(segments, ({ size }) => Math.round(size * 2) / 2) ?? 0
  const keyOf = (line: readonly Segment[], below: readonly Segment[] = [], height: number) => {
    const { y, size } = line[0] ?? { y: 0, size: 0 }
    if (y > height * MARGIN && y < height * (1 - MARGIN)) return null
    const text = line.map((segment) => segment.text).join(' ')
    if (PAGE_NUMBER.test(text)) return '#'
    const isAbove = ({ x0, x1 }: Segment, at: number) => x0 < (below[at]?.x1 ?? 0) && x1 > (below[at]?.x0 ?? 0)
    // The header of a table is repeated too.
    if (line.length > 1 && line.length === below.length && line.every(isAbove)) return null
    return `${Math.round(y / 4)} ${size > bodySize * HEADING_SIZE ? text : text.replace(/\d+/g, '#')}`
  }
  const keys = pages.map(({ lines, height }) => lines.map((line, at) => keyOf(line, lines[at + 1], height)))
  const counts = new Map<string | null, number>()
  for (const ofPage of keys) for (const key of new Set(ofPage)) counts.set(key, (counts.get(key) ?? 0) + 1)
  const least = pages.length > 4 ? 3 : 2
  return pages.map(({ lines }, page) =>
    lines.filter((_, at) => {
      const key = keys[page]?.[at] ?? null
      return key === null || (key !== '#' && (counts.get(key) ?? 0) < least)
    }),
  )
}

/** Headings are told by their size, and short lines in another font by that. */
function sectionsOf(pages: readonly (readonly PageBlock[])[]): Section[] {
  const all = pages.flat().filter(({ kind }) => kind !== 'row')
  const bodySize = most(all, ({ size }) => Math.round(size * 2) / 2) ?? 0
  const bodyFont = most(all, ({ font }) => font)
  const free = pages.flatMap((blocks) => blocks.filter((block, at) => !isListed(block, blocks[at - 1], blocks[at + 1])))
  const isLarge = ({ size, text, lines }: PageBlock) =>
    size >= bodySize * HEADING_SIZE && text.length <= MAX_HEADING_CHARACTERS && lines <= 3 && /\p{L}/u.test(text)
  const large = new Set(free.filter(isLarge))
  const sizes = [...new Set([...large].map(({ size }) => Math.round(size)))].toSorted((one, other) => other - one)
  const isMarked = ({ font, text, lines }: PageBlock) =>
    lines === 1 &&
    ![bodyFont, MONOSPACE, SCAN_FONT].includes(font) &&
    text.length <= 80 &&
    /^[\p{Lu}\p{N}]/u.test(text) &&
    /\p{L}{2}/u.test(text) &&
    !/[.,;:]$/.test(text)
  const marked = new Set(free.filter(isMarked))
  const sections: Section[] = []
  for (const [index, blocks] of pages.entries()) {
    const place = `page ${index + 1}`
    const open = (level: number, heading: string) => sections.push({ level, heading, keywords: '', place, blocks: [] })
    let isFirst = true
    for (const [at, block] of blocks.entries()) {
      const isFollowed = blocks[at + 1] !== undefined && !marked.has(blocks[at + 1] as PageBlock)
      if (large.has(block)) open(Math.min(MAX_HEADING_LEVEL, sizes.indexOf(Math.round(block.size)) + 1), block.text)
      else if (marked.has(block) && isFollowed && block.size >= bodySize * (1 - 0.05))
        open(Math.min(MAX_HEADING_LEVEL, sizes.length + 1), block.text)
      else {
        const before = sections.at(-1)?.blocks.at(-1)
        if (isFirst && before && goesOn(before, block)) before.text = joinedLines(before.text, block.text)
        else {
          if (sections.at(-1)?.place !== place) open(UNDER_ALL, '')
          sections.at(-1)?.blocks.push({ kind: block.kind, text: block.text })
        }
      }
      isFirst = false
    }
  }
  return sections
}

/** Whether a block can't be a heading: a row, or an item that has a bullet, a small letter, or another like it beside it. */
function isListed({ kind, text, size, font }: PageBlock, ...beside: (PageBlock | undefined)[]): boolean {
  const isAlone = beside.every((other) => other?.kind !== 'item' || other.font !== font || Math.abs(other.size - size) >= 1)
  return kind === 'row' || (kind === 'item' && !(isAlone && /^[\p{Lu}\p{N}]/u.test(text)))
}

/** Whether a sentence goes on after the end of a page. */
const goesOn = (before: Block, block: PageBlock): boolean =>
  before.kind !== 'row' && block.kind === 'paragraph' && !/[.!?:;]["\u201D)]?$/.test(before.text) && /^\p{Ll}/u.test(block.text)

/** The value that most of the text has. */
function most<Piece extends { text: string }, T>(pieces: readonly Piece[], valueOfPiece: (piece: Piece) => T): T | undefined {
  const counts = new Map<T, number>()
  for (const piece of pieces) counts.set(valueOfPiece(piece), (counts.get(valueOfPiece(piece)) ?? 0) + piece.text.length)
  return [...counts].toSorted((one, other) => other[1] - one[1])[0]?.[0]
}
