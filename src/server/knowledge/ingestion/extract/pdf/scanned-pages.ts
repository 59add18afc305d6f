import { DomUtils } from 'htmlparser2'
import { allOf, parseXml, type XmlElement } from '../office/xml.ts'
import { OCR_TIME_MS, outputOf } from './ocr-programs.ts'
import type { TextItem } from './page-lines.ts'

/** Pages of a file that are read. */
const MAX_PAGES = 200
/** Longer side of a drawn page: A4 at 300 dots per inch. */
const PIXELS = 3_508
/** Least confidence, of 100; below it, words are mostly specks and pictures. */
const MIN_CONFIDENCE = 30
/** Lines whose size differs less from most lines of their page have the same. */
const SIZE_TOLERANCE = 0.2
/** Stands for the fonts of a scan, which aren't told apart. */
export const SCAN_FONT = 'scan'
const RIGHT_TO_LEFT = /[\u0590-\u08FF]/

interface ScannedPage {
  texts: TextItem[]
  height: number
}

/** Reads pages of a PDF that are pictures, within limits on pages and time. A page that can't be read is without texts. */
export class ScannedPages {
  readonly #pdf: Uint8Array
  readonly #endsAt = performance.now() + OCR_TIME_MS
  #languages: Promise<string> | undefined
  #pages = 0

  constructor(pdf: Uint8Array) {
    this.#pdf = pdf
  }

  /** `longSide` of the page in points. */
  async read(page: number, longSide: number): Promise<ScannedPage> {
    this.#pages += 1
    if (this.#pages > MAX_PAGES || performance.now() > this.#endsAt) return { texts: [], height: 0 }
    try {
      const languages = await (this.#languages ??= installedLanguages())
      const place = ['-f', `${page}`, '-l', `${page}`, '-singlefile', '-cropbox']
      const picture = await outputOf('pdftoppm', ['-gray', '-scale-to', `${PIXELS}`, ...place, '-'], this.#pdf)
      const hocr = await outputOf('tesseract', ['stdin', 'stdout', '-l', languages, 'hocr'], picture)
      return textsOf(hocr.toString('utf8'), longSide / PIXELS)
    } catch {
      return { texts: [], height: 0 }
    }
  }
}

async function installedLanguages(): Promise<string> {
  const [, ...languages] = (await outputOf('tesseract', ['--list-langs'])).toString('utf8').trim().split(/\s*\n/)
  return languages.filter((language) => language !== 'osd').join('+')
}

/** The words of a page in hOCR (http://kba.github.io/hocr-spec/1.2/), `scale` points a pixel. */
function textsOf(hocr: string, scale: number): ScannedPage {
  const spans = allOf(parseXml(hocr), 'div', 'span')
  const words = (line: XmlElement) =>
    allOf(line, 'span').filter((span) => span.attribs['class'] === 'ocrx_word' && (propertyOf(span, 'x_wconf')[0] ?? 0) >= MIN_CONFIDENCE)
  const lines = spans.filter((span) => propertyOf(span, 'x_size').length > 0 && words(span).length > 0)
  const sizes = lines.map((line) => propertyOf(line, 'x_size')[0] ?? 0).toSorted((one, other) => one - other)
  const usual = sizes[Math.floor(sizes.length / 2)] ?? 0
  const page = spans.find((span) => span.attribs['class'] === 'ocr_page')
  const height = (page && propertyOf(page, 'bbox')[3]) ?? 0
  const texts = lines.flatMap((line) => {
    const stated = propertyOf(line, 'x_size')[0] ?? usual
    const size = (Math.abs(stated - usual) < usual * SIZE_TOLERANCE ? usual : stated) * scale
    const y = (height - (propertyOf(line, 'bbox')[3] ?? 0) - (propertyOf(line, 'baseline')[1] ?? 0)) * scale
    return words(line).map((word): TextItem => {
      const [x0 = 0, , x1 = 0] = propertyOf(word, 'bbox')
      // Words touch in narrow print.
      const str = `${DomUtils.textContent(word).trim()} `
      const dir = RIGHT_TO_LEFT.test(str) ? 'rtl' : 'ltr'
      return { str, dir, x: x0 * scale, y, width: (x1 - x0) * scale, size, font: SCAN_FONT, isRotated: false }
    })
  })
  return { texts, height: height * scale }
}

/** The numbers of a property in an element's title. */
function propertyOf(element: XmlElement, name: string): number[] {
  const stated = (element.attribs['title'] ?? '').split(';').map((property) => property.trim().split(' '))
  return (
    stated
      .find(([first]) => first === name)
      ?.slice(1)
      .map(Number) ?? []
  )
}
