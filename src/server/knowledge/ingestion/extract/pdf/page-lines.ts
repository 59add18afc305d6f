import { raisedAfter } from '../../raised.ts'
import { type Drawing, NO_DRAWING } from './drawn-lines.ts'

/** A piece of text as the PDF draws it. */
export interface TextItem {
  str: string
  dir: string
  x: number
  /** Baseline, from the bottom of the page. */
  y: number
  width: number
  size: number
  font: string
  isRotated: boolean
}

/** A part of a line without a wide gap. */
export interface Segment {
  text: string
  x0: number
  x1: number
  y: number
  size: number
  font: string
  /** Drawn lines on its sides and below it. */
  left: number
  right: number
  floor: number
}

/** Dots that lead to a page, or to a value. */
const LEADER = /((?:\.\s?){5,})/
const ENTRY = /(?:\.\s?){5,}\s*([\divxlc]+)$/i
/** In parts of the font's size. */
const BASELINE_TOLERANCE = 0.35
const WORD_GAP = 0.12
const SEGMENT_GAP = 0.9
const DOUBLE_TOLERANCE = 0.15
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF]/
const ARABIC = /[\u0600-\u08FF\uFB50-\uFDFF\uFE70-\uFEFC]/
const SINGLE_LETTERS = /^\S(?: \S){2,}$|^\S \S$/
const LETTER_SPACED = /^\S(?:\s\S)+$/
/** A bullet or the number of a list item. */
const MARK =
  /^(?:[\u2022\u25E6\u25AA\u25CF\u25A0\u2023\u27A2\u2013\u2014*\u00B7\uF0B7\uF0A7\uF0D8\uF0FC\uF06E\uF075\uF076-]|\(?(?:\d{1,3}|[a-z])[.)])$/i
const FIGURE = /^\s*[-\u2212]?[\d*\u2020\u2021]{1,3}\s*$/
/** In parts of the size of the text before it. */
const MAX_FIGURE_SIZE = 0.9
const MAX_FIGURE_GAP = 0.25
const MIN_RISE = 0.08
const MAX_RISE = 0.7
/** Side of the squares in which the ends of texts are looked for. */
const END_SIZE = 16
const STEPS = [-1, 0, 1]
/** Dots that are looked at, with the number after them. */
const MAX_ENTRY = 40
/** A shorter document has no table of contents. */
const MIN_PAGES = 5
/** Inside a number or an address. */
const INNER_MARK = /^[-./:,@_+]+$/
const PRESENTATION_FORMS = /[\uFB00-\uFB06\uFB1D-\uFDFF\uFE70-\uFEFC]+/g

/**
 * The lines of a page from top to bottom, each as its segments in reading order. Text that is drawn twice is there once, and a table of
 * contents, in a document of `pages`, not at all.
 */
export function linesOf(items: readonly TextItem[], pages = 1, drawing = NO_DRAWING): Segment[][] {
  const upright = items.filter(({ isRotated }) => !isRotated)
  const isSideways = lengthOf(upright) < lengthOf(items) / 2
  const shown = withRaised(withoutDoubles((isSideways ? items : upright).filter(({ str }) => str.trim() !== '')))
  const lines: TextItem[][] = []
  for (const item of shown.toSorted((one, other) => other.y - one.y || one.x - other.x)) {
    const line = lines.at(-1)
    const first = line?.[0]
    // A raised figure belongs to the line that it is in.
    if (line && first && Math.abs(first.y - item.y) <= Math.max(first.size, item.size) * BASELINE_TOLERANCE) line.push(item)
    else lines.push([item])
  }
  const read = lines.map((line) => segmentsOf(line, drawing))
  const entries = read.map((line) => {
    const text = line.map((segment) => segment.text).join(' ')
    return ENTRY.exec(text.slice(-MAX_ENTRY))?.[1]
  })
  const numbers = entries.flatMap((entry) => (entry && /^\d/.test(entry) ? [Number(entry)] : []))
  const isContents = pages >= MIN_PAGES && numbers.length > 2 && numbers.every((number, index) => number >= (numbers[index - 1] ?? 0))
  return read
    .filter((_, index) => !isContents || !entries[index])
    .map((line) => line.flatMap(withoutLeader))
    .filter(({ length }) => length > 0)
}

/** The parts of a segment before and after dots. */
function withoutLeader(segment: Segment): Segment[] {
  const { text: whole, x0, x1 } = segment
  let end = x0
  return whole.split(LEADER).flatMap((text, index) => {
    const start = end
    end += (text.length / whole.length) * (x1 - x0)
    return index % 2 === 1 || text.trim() === '' ? [] : { ...segment, text: text.trim(), x0: start, x1: end }
  })
}

/** Puts small figures that stand higher or lower at the end of a word into its line, the raised ones as such. */
function withRaised(items: readonly TextItem[]): TextItem[] {
  const keyOf = (x: number, y: number, right = 0, up = 0) => `${Math.round(x / END_SIZE) + right} ${Math.round(y / END_SIZE) + up}`
  const ends = Map.groupBy(items, ({ x, y, width }) => keyOf(x + width, y))
  return items.map((item) => {
    if (!FIGURE.test(item.str)) return item
    const near = STEPS.flatMap((right) => STEPS.flatMap((up) => ends.get(keyOf(item.x, item.y, right, up)) ?? []))
    const base = near.find(({ x, y, width, size }) => {
      const [gap, rise] = [Math.abs(item.x - x - width), Math.abs(item.y - y)]
      return item.size < size * MAX_FIGURE_SIZE && gap < size * MAX_FIGURE_GAP && rise > size * MIN_RISE && rise < size * MAX_RISE
    })
    if (!base) return item
    const figure = item.y > base.y ? raisedAfter(base.str.trimEnd(), item.str.trim()) : item.str.trim()
    return { ...item, y: base.y, str: item.str.endsWith(' ') ? `${figure} ` : figure }
  })
}

const lengthOf = (items: readonly TextItem[]): number => items.reduce((sum, { str }) => sum + str.length, 0)

function withoutDoubles(items: readonly TextItem[]): TextItem[] {
  const seen = new Map<string, TextItem[]>()
  return items.filter((item) => {
    const same = seen.get(item.str) ?? []
    const tolerance = item.size * DOUBLE_TOLERANCE
    if (same.some(({ x, y }) => Math.abs(x - item.x) <= tolerance && Math.abs(y - item.y) <= tolerance)) return false
    seen.set(item.str, [...same.slice(-8), item])
    return true
  })
}

function segmentsOf(line: readonly TextItem[], drawing: Drawing): Segment[] {
  const sorted = line.toSorted((one, other) => one.x - other.x)
  const groups: TextItem[][] = []
  for (const item of sorted) {
    const group = groups.at(-1)
    const before = group?.at(-1)
    const gap = before ? item.x - (before.x + before.width) : 0
    const isSpaced = before && SINGLE_LETTERS.test(before.str.trim()) && SINGLE_LETTERS.test(item.str.trim())
    const isMark = group?.length === 1 && before && MARK.test(before.str.trim()) && gap < 4 * item.size
    const isNear = gap <= item.size * (isSpaced ? 2 * SEGMENT_GAP : SEGMENT_GAP) || isMark
    if (group && before && isNear && bordersOf(before, drawing).left === bordersOf(item, drawing).left) group.push(item)
    else groups.push([item])
  }
  const segments = groups.map((group) => segmentOf(group, drawing))
  return line.some(({ dir }) => dir === 'rtl') && isRightToLeft(line) ? segments.toReversed() : segments
}

function segmentOf(items: readonly TextItem[], drawing: Drawing): Segment {
  const [first] = items as [TextItem]
  const last = items.at(-1) ?? first
  const size = Math.max(...items.map((item) => item.size))
  const longest = items.reduce((one, other) => (other.str.length > one.str.length ? other : one))
  const [x, width, { y, font }] = [first.x, last.x + last.width - first.x, longest]
  return { text: textOf(items), x0: x, x1: x + width, y, size, font, ...bordersOf({ x, width, y, size }, drawing) }
}

/** The lines around a text, without one that underlines it alone. */
function bordersOf({ x, width, y, size }: Pick<TextItem, 'x' | 'width' | 'y' | 'size'>, { lines, uprights }: Drawing) {
  const middle = x + width / 2
  const below = lines.filter((line) => line.y < y && line.x0 < middle && line.x1 > middle && (line.x0 < x - 1 || line.x1 > x + width + 1))
  const beside = uprights.filter(({ x0, x1 }) => x0 < y + size / 3 && x1 > y + size / 3).map((line) => line.y)
  const [left, right] = [beside.filter((at) => at < middle), beside.filter((at) => at >= middle)]
  return { left: Math.max(...left), right: Math.min(...right), floor: Math.max(...below.map((line) => line.y)) }
}

function textOf(items: readonly TextItem[]): string {
  const isSpaced =
    items.every(({ str }) => LETTER_SPACED.test(str.trim()) || str.trim().length === 1) &&
    items.some(({ str }) => SINGLE_LETTERS.test(str.trim()))
  const ordered = isRightToLeft(items) ? logical(items) : items
  const isArabic = items.some(({ str }) => ARABIC.test(str))
  let text = ''
  for (const [index, item] of ordered.entries()) {
    const before = ordered[index - 1]
    const gap = before ? Math.max(item.x - (before.x + before.width), before.x - (item.x + item.width)) : 0
    // Spaced letters come in pieces of one, or of a word.
    const isWord = before && before.str.length > 1 && item.str.length > 1
    const isApart = gap > item.size * (isSpaced ? (isWord ? 0.5 : 1) : WORD_GAP)
    if (before && isApart && !/\s$/.test(text)) text += ' '
    text += isSpaced ? item.str.trim().replace(/(\S)\s(?=\S)/g, '$1') : ordered === items ? item.str : inLogicalOrder(item.str, isArabic)
  }
  return text
    .replace(PRESENTATION_FORMS, (forms) => forms.normalize('NFKC'))
    .replace(/[\u00AD\u200B]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Brackets are drawn mirrored, and numbers with hyphens from right to left after Arabic letters: https://unicode.org/reports/tr9/#W2 */
function inLogicalOrder(text: string, isArabic: boolean): string {
  const mirrored = /[a-z0-9]/i.test(text) ? text : text.replace(/[()[\]{}]/g, (bracket) => '()[]{}'.charAt('()[]{}'.indexOf(bracket) ^ 1))
  const placed = /\p{L}/u.test(mirrored) ? mirrored : mirrored.replace(/^([.,:;!?-]*)(.*?\d)([.,:;!?-]*)$/, '$3$2$1')
  return isArabic ? placed.replace(/\d+(?:-\d+)+/g, (number) => number.split('-').toReversed().join('-')) : placed
}

function isRightToLeft(items: readonly TextItem[]): boolean {
  const letters = items.map(({ str }) => str).join('')
  const rtl = letters.match(new RegExp(RIGHT_TO_LEFT, 'g'))?.length ?? 0
  return rtl > (letters.match(/\p{L}/gu)?.length ?? 0) / 2
}

/** Pieces from right to left; numbers and words in between that run from left to right keep their order. */
function logical(items: readonly TextItem[]): TextItem[] {
  const ordered: TextItem[] = []
  let run: TextItem[] = []
  const endRun = () => {
    // A mark on its left belongs to the sentence around it.
    const mark = run[0] && INNER_MARK.test(run[0].str) ? run.splice(0, 1) : []
    ordered.push(...run, ...mark)
    run = []
  }
  for (const item of items.toReversed()) {
    const isInRun = INNER_MARK.test(item.str) ? run.length > 0 : /[\p{L}\p{N}]/u.test(item.str) && !RIGHT_TO_LEFT.test(item.str)
    if (isInRun) run.unshift(item)
    else {
      endRun()
      ordered.push(item)
    }
  }
  endRun()
  return ordered
}
