import type { Drawing, Line } from './drawn-lines.ts'
import type { TextItem } from './page-lines.ts'

/** Where above the baseline a line strikes text out, in parts of the font's size as what follows. */
const [LOWEST, HIGHEST] = [0.17, 0.47]
const MIDDLE = 0.3
const MAX_THICKNESS = 0.2
/** Raised and lowered text is struck with the text around it. */
const RAISED_SIZE = 0.9
const MAX_RISE = 0.6
/** Within a word, the places of characters are estimated: a line ends with the word that ends so near. */
const WORD_TOLERANCE = 0.25
const [MIN_SPACE, MAX_SPACE] = [0.12, 0.9]
/** Least share of a line that crosses text: rules of tables and grids of charts go on. */
const MIN_SHARE = 0.7
/** A font's width of a character that isn't known, in thousandths. */
const USUAL_WIDTH = 500
/** More space than this share of the text isn't between the words alone. */
const MAX_WIDENED = 0.5

export type Annotation = Record<string, unknown>
/** Flags of annotations that are hidden, or not shown on a screen. */
export const HIDDEN = 2 | 32

/** A line through text of a size. */
interface Strike extends Line {
  size: number
}
interface Piece {
  item: TextItem
  isStruck: boolean
}

/** The texts of a page without what a drawn line or a comment strikes out. `annotations` are those of the page. */
export function withoutStruck(texts: readonly TextItem[], { lines, widths }: Drawing, annotations: readonly Annotation[]): TextItem[] {
  const strikes = [...lines, ...annotations.flatMap(linesOf)].flatMap((line) => strikeOf(line, texts))
  if (strikes.length === 0) return [...texts]
  const kept: TextItem[] = []
  let gap: TextItem | null = null
  const pieces = texts.flatMap((text) => piecesOf(text, strikes, widths)).filter(({ item }) => item.str.trim() !== '')
  for (const { item, isStruck } of pieces) {
    const before = kept.at(-1)
    // What is left stays one line, as a wide gap would part columns.
    if (isStruck && before && isBeside(before, item))
      kept[kept.length - 1] = over(before, item, spaceBetween(before, item) > MIN_SPACE * item.size ? `${before.str} ` : before.str)
    else if (isStruck) gap = gap && isBeside(gap, item) ? over(gap, item, '') : item
    else {
      kept.push(gap && isBeside(gap, item) ? over(item, gap, item.str) : item)
      gap = null
    }
  }
  return kept
}

function linesOf({ subtype, quadPoints, annotationFlags }: Annotation): Line[] {
  if (subtype !== 'StrikeOut' || (Number(annotationFlags) & HIDDEN) !== 0 || !(quadPoints instanceof Float32Array)) return []
  return Array.from({ length: Math.floor(quadPoints.length / 8) }, (_, index) => {
    const [xs, ys] = [0, 1].map((axis) => [0, 2, 4, 6].map((corner) => quadPoints[index * 8 + corner + axis] ?? 0)) as [number[], number[]]
    return { x0: Math.min(...xs), x1: Math.max(...xs), y: (Math.min(...ys) + Math.max(...ys)) / 2, thickness: 0 }
  })
}

function isCrossed({ x, y, width, size, isRotated }: TextItem, line: Line): boolean {
  const height = (line.y - y) / size
  return !isRotated && height > LOWEST && height < HIGHEST && line.thickness <= MAX_THICKNESS * size && line.x0 < x + width && line.x1 > x
}

function strikeOf(line: Line, texts: readonly TextItem[]): Strike[] {
  const crossed = texts.filter((text) => isCrossed(text, line))
  // Not the rule of a root, nor a mark on a line.
  if (!crossed.some(({ str }) => /[\p{L}\p{N}]/u.test(str))) return []
  const covered = crossed.reduce((sum, { x, width }) => sum + Math.min(x + width, line.x1) - Math.max(x, line.x0), 0)
  const size = Math.max(...crossed.map((text) => text.size))
  return covered >= MIN_SHARE * (line.x1 - line.x0) ? [{ ...line, size }] : []
}

/** Whether a strike is through a text, or through the one that it is raised from. */
function isStruckBy(text: TextItem, strike: Strike): boolean {
  const isRaised = text.size < strike.size * RAISED_SIZE && Math.abs(strike.y - MIDDLE * strike.size - text.y) < MAX_RISE * strike.size
  const middle = text.x + text.width / 2
  return isCrossed(text, strike) || (isRaised && !text.isRotated && strike.x0 < middle && middle < strike.x1)
}

function piecesOf(item: TextItem, strikes: readonly Strike[], widths: Drawing['widths']): Piece[] {
  const own = strikes.filter((strike) => isStruckBy(item, strike))
  if (own.length === 0) return [{ item, isStruck: false }]
  const characters = placesOf(item, widths.get(item.font))
  const edges = characters.flatMap(({ character, x0, x1 }) => (character.trim() === '' ? [x0, x1] : [])).concat(item.x, item.x + item.width)
  const snapped = (x: number) => {
    const nearest = edges.reduce((one, other) => (Math.abs(other - x) < Math.abs(one - x) ? other : one))
    return Math.abs(nearest - x) < WORD_TOLERANCE * item.size ? nearest : x
  }
  const struck = own.map(({ x0, x1 }) => [snapped(x0), snapped(x1)] as const)
  const pieces: Piece[] = []
  for (const { character, x0, x1 } of characters) {
    const middle = (x0 + x1) / 2
    const isStruck = character.trim() !== '' && struck.some(([from, to]) => from < middle && middle < to)
    const last = pieces.at(-1)
    if (last && last.isStruck === isStruck) last.item = over(last.item, { ...item, x: x0, width: x1 - x0 }, last.item.str + character)
    else pieces.push({ item: { ...item, x: x0, width: x1 - x0, str: character }, isStruck })
  }
  return pieces
}

/** Where each character of a text is, in the order of reading. Justified text has wider spaces. */
function placesOf({ str, dir, x, width, size }: TextItem, known: ReadonlyMap<string, number> | undefined) {
  const isSpace = (character: string) => character.trim() === ''
  const characters = [...str]
  const natural = characters.map((character) => ((known?.get(character) ?? (isSpace(character) ? 0 : USUAL_WIDTH)) / 1000) * size)
  const sum = natural.reduce((total, one) => total + one, 0)
  const spaces = characters.filter(isSpace).length
  const isJustified = spaces > 0 && width > sum && width < sum * (1 + MAX_WIDENED)
  let end = 0
  return characters.map((character, index) => {
    const own = natural[index] ?? 0
    const start = end
    end += isJustified ? own + (isSpace(character) ? (width - sum) / spaces : 0) : (own * width) / (sum || 1)
    return dir === 'rtl' ? { character, x0: x + width - end, x1: x + width - start } : { character, x0: x + start, x1: x + end }
  })
}

const isBeside = (one: TextItem, other: TextItem): boolean =>
  Math.abs(one.y - other.y) < MAX_RISE * Math.max(one.size, other.size) &&
  spaceBetween(one, other) < MAX_SPACE * Math.max(one.size, other.size)

const spaceBetween = (one: TextItem, other: TextItem): number => Math.max(one.x - other.x - other.width, other.x - one.x - one.width)

/** A text that takes the place of another one beside it too. */
function over(one: TextItem, other: TextItem, str: string): TextItem {
  const x = Math.min(one.x, other.x)
  return { ...one, str, x, width: Math.max(one.x + one.width, other.x + other.width) - x }
}
