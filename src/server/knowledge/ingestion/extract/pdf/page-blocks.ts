import { headerRowsOf as nestedHeaderRowsOf, tableText } from '../../table.ts'
import type { Segment } from './page-lines.ts'

/** A paragraph, a list item or a table of a page, in reading order. */
export interface PageBlock {
  kind: 'paragraph' | 'item' | 'row'
  text: string
  size: number
  font: string
  lines: number
}

interface Area {
  x0: number
  x1: number
  top: number
  bottom: number
}
interface Region extends Area {
  /** One segment a line. */
  lines: Segment[]
  table: string | null
}

/** In parts of the font's size. */
const MAX_LINE_GAP = 1.9
/** Between the lines of a cell. */
const MAX_ROW_GAP = 1.35
/** Between the rows of a table, in parts of that between the lines of its cells. */
const ROW_GAP = 1.15
const PARAGRAPH_GAP = 1.25
const INDENT = 0.8
const MAX_SPACE = 1.5
/** Characters differ in width. */
const ROOM = 1.3
const SIZE_TOLERANCE = 0.08
/** Columns whose parts have more words are text beside text. */
const MAX_CELL_WORDS = 3.5
/** The order of more takes too long to find. */
const MAX_REGIONS = 150
const ITEM =
  /^(?:[\u2022\u25E6\u25AA\u25CF\u25A0\u2023\u27A2\u00B7\uF0B7\uF0A7\uF0D8\uF0FC\uF06E\uF075\uF076]\s*|[\u2013*-]\s+|(\(?(?:\d{1,3}|[a-z])[.)])\s+)/i
const VALUE = /^[^\p{L}]*\d[^\p{L}]*(?:\p{L}{1,4}\.?)?$/u
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF]/g
const YEAR = /^(?:19|20)\d\d(?:[/\u2013-]\d{2,4})?$/
/** Words before which a hyphen at the end of a line stands for a missing part. */
const JOINING = /^(?:und|oder|bis|sowie|and|or|to|et|ou|y|o|e|en|of)\b/

/** The blocks of a page: tables as rows, columns one after the other, lines joined to paragraphs. */
export function blocksOf(lines: readonly (readonly Segment[])[]): PageBlock[] {
  const regions: Region[] = []
  let from = 0
  while (from < lines.length) {
    const { end, table } = tableFrom(lines, from)
    if (table !== null) {
      const segments = lines.slice(from, end).flat()
      regions.push({ ...areaOf(segments), lines: segments.slice(0, 1), table })
    } else for (const line of lines.slice(from, end)) for (const segment of withoutWideSpaces(line, regions)) addTo(regions, segment)
    from = end
  }
  const ordered =
    regions.length <= MAX_REGIONS && hasColumns(regions) ? inReadingOrder(regions) : regions.toSorted((one, other) => other.top - one.top)
  return ordered.flatMap((region) =>
    region.table === null ? paragraphsOf(region) : [{ kind: 'row' as const, text: region.table, size: 0, font: '', lines: 1 }],
  )
}

function areaOf(segments: readonly Segment[]): Area {
  return {
    x0: Math.min(...segments.map(({ x0 }) => x0)),
    x1: Math.max(...segments.map(({ x1 }) => x1)),
    top: Math.max(...segments.map(({ y, size }) => y + size)),
    bottom: Math.min(...segments.map(({ y }) => y)),
  }
}

/** The table that begins in a line, or null with the next line at which one may begin. */
function tableFrom(lines: readonly (readonly Segment[])[], from: number): { end: number; table: string | null } {
  if ((lines[from]?.length ?? 0) < 2) return { end: from + 1, table: null }
  let columns: [number, number][] = []
  let end = from
  for (let at = from; at < lines.length; at += 1) {
    const line = lines[at] as Segment[]
    const above = lines[at - 1]?.[0]
    if (at > from && above && above.y - (line[0]?.y ?? 0) > 3 * above.size) break
    const next = merged([...columns, ...rangesOf(line)])
    // A line across the columns ends them.
    if (next.length < 2 || (next.length < columns.length && at - from >= 2)) break
    columns = next
    end = at + 1
  }
  const band = lines.slice(from, end)
  const isGrid = band.some(isBordered) && band.some(isColumned)
  const isEnd = ([above]: readonly Segment[] = [], [line]: readonly Segment[] = []) =>
    above && line && above.y - line.y <= MAX_ROW_GAP * line.size && (/^\p{Ll}/u.test(line.text) || (isGrid && above.floor === line.floor))
  while (band.length > 0 && (band.at(-1)?.length ?? 0) < 2 && !isEnd(band.at(-2), band.at(-1))) band.pop()
  // What is above several columns stands before the table.
  const isOverColumns = merged(band.slice(1).flatMap(rangesOf)).length > columns.length
  if (isOverColumns || band.filter((line) => line.length > 1).length < 2) return { end: from + 1, table: null }
  const words = columns.map((column) => wordsOf(band.map((line) => cellOf(line, column))))
  const wordy = words.filter((count) => count > MAX_CELL_WORDS)
  if (wordy.length > (isGrid ? columns.length - 1 : Math.max(1, columns.length / 2))) return { end: from + band.length, table: null }
  const rows = rowsOf(band, columns)
  return rows.length < 2 ? { end: from + 1, table: null } : { end: from + band.length, table: tableText(rows, headerRowsOf(rows)) }
}

function wordsOf(cells: readonly string[]): number {
  const filled = cells.filter((cell) => cell !== '')
  return filled.reduce((sum, cell) => sum + cell.split(' ').length, 0) / Math.max(1, filled.length)
}

const cellOf = (line: readonly Segment[], [x0, x1]: readonly [number, number]): string =>
  line
    .filter((segment) => segment.x0 >= x0 && segment.x1 <= x1)
    .map(({ text }) => text)
    .join(' ')

const rangesOf = (line: readonly Segment[]) =>
  line.map(({ x0, x1, left, right }): [number, number] => (isColumned(line) ? [Math.min(left, x0), Math.max(right, x1)] : [x0, x1]))

/** Ranges that overlap as one, from left to right. */
function merged(ranges: readonly [number, number][]): [number, number][] {
  const result: [number, number][] = []
  for (const [x0, x1] of ranges.toSorted((one, other) => one[0] - other[0])) {
    const last = result.at(-1)
    if (last && x0 < last[1]) last[1] = Math.max(last[1], x1)
    else result.push([x0, x1])
  }
  return result
}

/** Whether a border is between a line and the one above. */
const isBordered = ([line]: readonly Segment[], at: number, lines: readonly (readonly Segment[])[]): boolean =>
  lines[at - 1]?.some(({ floor }) => line && floor > line.y) ?? false

/** Whether upright lines are between the texts of a line. */
const isColumned = (line: readonly Segment[]): boolean => line.some(({ left }) => left !== line[0]?.left)

/** The cells of a table's rows, which are lines between borders, or lines nearer to each other than to others. */
function rowsOf(band: readonly (readonly Segment[])[], columns: readonly [number, number][]): string[][] {
  const isRightToLeft = (band[0]?.[0]?.x0 ?? 0) > (band[0]?.at(-1)?.x0 ?? 0)
  const inOrder = isRightToLeft ? columns.toReversed() : columns
  const lines = band.map((line) => inOrder.map((column) => cellOf(line, column)))
  const gaps = band.map(([line], at) => ((band[at - 1]?.[0]?.y ?? Number.POSITIVE_INFINITY) - (line?.y ?? 0)) / (line?.size ?? 1))
  const grouped = (isNew: (at: number) => boolean) => {
    let row = 0
    return [...Map.groupBy(lines, (_, at) => (row += Number(isNew(at)))).values()]
  }
  const parted = band.map(isBordered)
  const near = Math.min(MAX_ROW_GAP, ...gaps) * ROW_GAP
  const [ruled, spaced] = [grouped((at) => parted[at] === true), grouped((at) => (gaps[at] ?? 0) > near)]
  // Without either, a line continues the row above if its first cell is empty, or its only one and in lower case.
  const isNewRow = (at: number) => {
    const [first = '', ...others] = lines[at] ?? []
    if (parted[at] || (first !== '' && (others.join('') !== '' || !/^\p{Ll}/u.test(first)))) return true
    return (gaps[at] ?? 0) > (first === '' && others.includes('') ? MAX_LINE_GAP : MAX_ROW_GAP)
  }
  const rows = areRows(ruled, band.some(isColumned)) ? ruled : areRows(spaced) ? spaced : grouped(isNewRow)
  return rows.map((row) => row.reduce((above, cells) => above.map((cell, column) => joinedLines(cell, cells[column] ?? ''))))
}

/** Whether groups of lines are rows and no lists: cells go on in them, and few have several numbers in a column. */
function areRows(groups: readonly string[][][], isGrid = false): boolean {
  const several = groups.filter(({ length }) => length > 1)
  const isWrapped = (lines: string[][]) =>
    lines.every((line, at) => line.every((cell, column) => cell === '' || lines[at - 1]?.[column] !== '')) &&
    lines.filter((line) => line.some((cell) => /^\p{Ll}/u.test(cell))).length * 2 >= lines.length - 1
  const isList = (lines: string[][]) =>
    lines[0]?.some((_, column) => lines.filter((line) => VALUE.test(line[column] ?? '')).length > 1) ||
    (!isGrid && new Set(lines.map((line) => line.map((cell) => cell === '').join())).size === 1)
  return groups.length > 2 && several.filter(isList).length * 2 <= several.length && (isGrid || several.every(isWrapped))
}

function headerRowsOf([first = [], ...rows]: readonly (readonly string[])[]): number {
  const values = rows.flatMap((row) => row.slice(1)).filter((cell) => cell !== '')
  const haveYears = values.every((cell) => YEAR.test(cell))
  const isNamed = first.slice(1).every((cell) => cell !== '' && (!VALUE.test(cell) || (YEAR.test(cell) && !haveYears)))
  const nested = nestedHeaderRowsOf([first, ...rows], 1)
  if (nested > 1) return nested
  const share = values.filter((cell) => /\d/.test(cell)).length / Math.max(1, values.length)
  return isNamed && (first.length > 2 || (rows.length > 2 && share > 0.5 && !/\d/.test(first[1] ?? ''))) ? 1 : 0
}

/** Joins what a justified line only spaces widely, as the text above it shows. */
function withoutWideSpaces(line: readonly Segment[], regions: readonly Region[]): Segment[] {
  const joined: Segment[] = []
  for (const segment of line) {
    const before = joined.at(-1)
    const isSpace = before && segment.x0 > before.x1 && segment.x0 - before.x1 < MAX_SPACE * segment.size
    const isAcross = ({ table, x0, x1, bottom }: Region) =>
      table === null && x0 < segment.x0 && x1 > segment.x0 && bottom - segment.y <= MAX_LINE_GAP * segment.size
    if (before && isSpace && regions.some(isAcross)) Object.assign(before, { text: `${before.text} ${segment.text}`, x1: segment.x1 })
    else joined.push({ ...segment })
  }
  return joined
}

function hasColumns(regions: readonly Region[]): boolean {
  const texts = regions.filter(({ table, lines }) => table === null && lines.length > 2)
  return texts.some((one) => texts.some((other) => !overlaps(one, other) && one.bottom < other.top && other.bottom < one.top))
}

function addTo(regions: Region[], segment: Segment): void {
  const near = regions.filter(({ table, lines, x0, x1, bottom }) => {
    const last = lines.at(-1)
    const gap = bottom - segment.y
    return (
      table === null && last && gap > 0 && gap <= MAX_LINE_GAP * Math.min(last.size, segment.size) && segment.x0 < x1 && x0 < segment.x1
    )
  })
  const [region] = near
  const isAlone =
    near.length === 1 &&
    region &&
    !regions.some((other) => other !== region && other.lines.at(-1)?.y === segment.y && overlaps(other, region))
  if (region && isAlone) {
    region.lines.push(segment)
    Object.assign(region, { x0: Math.min(region.x0, segment.x0), x1: Math.max(region.x1, segment.x1), bottom: segment.y })
  } else regions.push({ ...areaOf([segment]), lines: [segment], table: null })
}

const overlaps = (one: Area, other: Area): boolean => one.x0 < other.x1 && other.x0 < one.x1

/** From above and from the left, unless something across both lies between: Breuel 2003, https://arxiv.org/abs/cs/0308005 */
function inReadingOrder(regions: readonly Region[]): Region[] {
  const text = regions.flatMap(({ lines }) => lines.map((line) => line.text)).join('')
  const isRightToLeft = (text.match(RIGHT_TO_LEFT)?.length ?? 0) > text.length / 3
  /** Whether one is below all of the other's column, and before what is across both. */
  const isTail = (one: Region, other: Region): boolean =>
    one.top <= other.bottom &&
    regions.some((third) => overlaps(third, one) && overlaps(third, other) && third.top <= one.bottom) &&
    !regions.some((third) => overlaps(third, other) && !overlaps(third, one) && third.bottom < one.top)
  const isBefore = (one: Region, other: Region): boolean => {
    if (overlaps(one, other)) return one.top > other.top
    const [top, bottom] = [Math.max(one.bottom, other.bottom), Math.min(one.top, other.top)]
    const isParted = regions.some(
      (third) =>
        overlaps(third, one) && overlaps(third, other) && third.bottom < Math.max(top, bottom) && third.top > Math.min(top, bottom),
    )
    return isParted || isTail(one, other) || isTail(other, one)
      ? one.top > other.top
      : isRightToLeft
        ? one.x0 >= other.x1
        : one.x1 <= other.x0
  }
  const sorted = regions.toSorted((one, other) => other.top - one.top || one.x0 - other.x0)
  const waiting = new Map(sorted.map((one) => [one, new Set(sorted.filter((other) => other !== one && isBefore(other, one)))]))
  const ordered: Region[] = []
  while (waiting.size > 0) {
    const free = [...waiting].find(([, before]) => before.size === 0) ?? [...waiting][0]
    if (!free) break
    ordered.push(free[0])
    waiting.delete(free[0])
    for (const before of waiting.values()) before.delete(free[0])
  }
  return ordered
}

function paragraphsOf({ lines, x0, x1 }: Region): PageBlock[] {
  const gaps = lines.slice(1).map((line, index) => (lines[index]?.y ?? 0) - line.y)
  const usualGap = gaps.toSorted((one, other) => one - other)[Math.floor((gaps.length - 1) / 2)] ?? 0
  const blocks: PageBlock[] = []
  for (const [index, line] of lines.entries()) {
    const above = lines[index - 1]
    const before = blocks.at(-1)
    const item = ITEM.exec(line.text)
    // The next word would have had room in the line above.
    const [word = ''] = line.text.split(' ', 1)
    const room = above && /[.!?:]$/.test(above.text) ? word.length + 2 : (word.length + 1) * ROOM
    const goesOn = above !== undefined && (/[-\u2010]$/.test(above.text) || (!/[.!?:]$/.test(above.text) && /^\p{Ll}/u.test(line.text)))
    const isShort = above && !goesOn && x1 - above.x1 > (room * (above.x1 - above.x0)) / above.text.length
    const isNew =
      !above ||
      !before ||
      item !== null ||
      above.y - line.y > usualGap * PARAGRAPH_GAP ||
      Math.abs(above.size - line.size) > line.size * SIZE_TOLERANCE ||
      (above.font !== line.font && before.lines === 1 && above.text.length < 80) ||
      isShort ||
      (before.kind === 'paragraph' && line.x0 - x0 > INDENT * line.size && above.x0 - x0 < INDENT * line.size)
    const { size, font } = line
    if (isNew) {
      const text = item ? `${item[1] ?? '-'} ${line.text.slice(item[0].length)}` : line.text
      blocks.push({ kind: item ? 'item' : 'paragraph', text, size, font, lines: 1 })
    } else Object.assign(before, { text: joinedLines(before.text, line.text), lines: before.lines + 1 })
  }
  return blocks
}

/** Two lines as one; a word that is parted by a hyphen is whole again. */
export function joinedLines(one: string, other: string): string {
  if (one === '' || other === '') return one + other
  const isParted = /\p{L}[-\u2010]$/u.test(one) && !JOINING.test(other)
  if (isParted && /^\p{Ll}/u.test(other)) return one.slice(0, -1) + other
  return isParted || /\p{N}[-\u2010]$/u.test(one) ? one + other : `${one} ${other}`
}
