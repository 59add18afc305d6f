import { DomUtils } from 'htmlparser2'
import { allOf, parseXml, type XmlElement } from '../office/xml.ts'
import { type OcrLimits, outputOf } from './ocr-programs.ts'
import type { TextItem } from './page-lines.ts'

/** Longer side of a drawn page: A4 at 300 dots per inch. */
const PIXELS = 3_508
/** Least confidence, of 100; below it, words are mostly specks and pictures. */
const MIN_CONFIDENCE = 30
/** Lines whose size differs less from most lines of their page have the same. */
const SIZE_TOLERANCE = 0.2
/** Stands for the fonts of a scan, which aren't told apart. */
export const SCAN_FONT = 'scan'
const RIGHT_TO_LEFT = /[\u0590-\u08FF]/

/** Reads a page of a PDF that is a picture, `longSide` points long. There are no texts where it can't be read. */
export type ReadScan = (page: number, longSide: number) => Promise<{ texts: TextItem[]; height: number }>

export function scanReader(pdf: Uint8Array, limits: OcrLimits): ReadScan {
  const endsAt = performance.now() + limits.timeMs
  let languages: Promise<string> | undefined
  let pages = 0
  return async (page, longSide) => {
    pages += 1
    const timeMs = endsAt - performance.now()
    if (pages > limits.pages || timeMs <= 0) return { texts: [], height: 0 }
    try {
      const known = await (languages ??= installedLanguages())
      const place = ['-f', `${page}`, '-l', `${page}`, '-singlefile', '-cropbox']
      const picture = await outputOf('pdftoppm', ['-gray', '-scale-to', `${PIXELS}`, ...place, '-'], { input: pdf, timeMs })
      const hocr = await outputOf('tesseract', ['stdin', 'stdout', '-l', known, 'hocr'], {
        input: picture,
        timeMs: endsAt - performance.now(),
      })
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
function textsOf(hocr: string, scale: number): Awaited<ReturnType<ReadScan>> {
  const elements = allOf(parseXml(hocr), 'div', 'span')
  const page = elements.find(({ attribs }) => attribs['class'] === 'ocr_page')
  const height = numbersOf(page, 'bbox')[3] ?? 0
  const lines = elements.flatMap((line) => {
    const [size] = numbersOf(line, 'x_size')
    const words = allOf(line, 'span').filter((word) => (numbersOf(word, 'x_wconf')[0] ?? 0) >= MIN_CONFIDENCE)
    const y = height - (numbersOf(line, 'bbox')[3] ?? 0) - (numbersOf(line, 'baseline')[1] ?? 0)
    return size === undefined || words.length === 0 ? [] : [{ size, words, y }]
  })
  const usual = lines.map(({ size }) => size).toSorted((one, other) => one - other)[Math.floor(lines.length / 2)] ?? 0
  const texts = lines.flatMap(({ size, words, y }) =>
    words.map((word): TextItem => {
      const [x0 = 0, , x1 = 0] = numbersOf(word, 'bbox')
      // Words touch in narrow print.
      const str = `${DomUtils.textContent(word).trim()} `
      const points = (Math.abs(size - usual) < usual * SIZE_TOLERANCE ? usual : size) * scale
      const at = { x: x0 * scale, y: y * scale, width: (x1 - x0) * scale, size: points }
      return { str, dir: RIGHT_TO_LEFT.test(str) ? 'rtl' : 'ltr', ...at, font: SCAN_FONT, isRotated: false }
    }),
  )
  return { texts, height: height * scale }
}

const numbersOf = (element: XmlElement | undefined, name: string): number[] =>
  new RegExp(`\\b${name} ([^;]*)`)
    .exec(element?.attribs['title'] ?? '')?.[1]
    ?.split(' ')
    .map(Number) ?? []
