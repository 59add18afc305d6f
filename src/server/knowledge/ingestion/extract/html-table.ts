import { headerRowsOf, isTitle, isValue, namesColumns } from '../table.ts'
import { type Element, hasDescendant } from './html-tree.ts'

/** Limit for one table: spans may state millions. */
const MAX_CELLS = 50_000
const MAX_SPAN = 1_000
const MAX_CELL_CHARACTERS = 400

interface Row {
  row: Element
  cells: Element[]
  isHead: boolean
}

/** Whether a table arranges a page rather than data. */
export function isLayout(table: Element): boolean {
  if (/^(?:presentation|none)$/.test(table.attributes['role'] ?? '')) return true
  const rows = rowsOf(table)
  const isLong = ({ characters }: Element) => characters > MAX_CELL_CHARACTERS
  const holds = (names: RegExp) => (cell: Element) => hasDescendant(cell, ({ name }) => names.test(name))
  const some = (matches: (cell: Element) => boolean) => rows.some(({ cells }) => cells.some(matches))
  if (some((cell) => isLong(cell) && holds(/^(?:pre|table)$/)(cell))) return true
  // One of several cells is a note with its icon beside it; more are answered by pictures.
  const isFrame = rows.every(({ cells }) => cells.filter(({ characters }) => characters > 0).length < 2)
  if (isFrame && rows.filter(({ cells }) => cells.length > 1).length < 2) return true
  if (rows.some(({ isHead }) => isHead) || some(({ name }) => name === 'th')) return false
  if (some(isLong) || some(holds(/^form$/))) return true
  const isParted = holds(/^(?:h[1-6]|pre|table)$/)
  const parted = rows.map(({ cells }) => cells.flatMap((cell, column) => (isParted(cell) ? [column] : [])))
  if (parted.flat().length === 0) return false
  const isRegular = rows.every(({ cells }) => cells.length > 1 && cells.length === rows[0]?.cells.length && cells[0]?.characters)
  return !isRegular || rows.length < 3 || new Set(parted.slice(1).flat()).size > 1
}

/** The cells of a table's rows, spanned ones repeated, and how many rows are headers. */
export function gridOf(
  table: Element,
  textOf: (cell: Element) => string,
  isLeftOut: (row: Element) => boolean,
): { rows: string[][]; headerRows: number } {
  const rows = rowsOf(table).filter(({ row }) => !isLeftOut(row))
  const grid: string[][] = rows.map(() => [])
  let filled = 0
  for (const [index, { cells }] of rows.entries()) {
    let column = 0
    for (const cell of cells) {
      while (grid[index]?.[column] !== undefined) column += 1
      const text = textOf(cell)
      const width = spanOf(cell, 'colspan') || 1
      // 0 is the rest of the table.
      const height = Math.min(spanOf(cell, 'rowspan') || rows.length, rows.length - index)
      filled += width * height
      if (filled > MAX_CELLS) return { rows: rows.map((row) => row.cells.map(textOf)), headerRows: 0 }
      for (const row of grid.slice(index, index + height)) for (let at = column; at < column + width; at += 1) row[at] ??= text
      column += width
    }
  }
  const texts = grid.map((row) => Array.from(row, (cell) => cell ?? ''))
  return { rows: texts, headerRows: headerRowsOf(texts, statedHeaders(rows, texts)) }
}

/** The rows of a table, the foot last wherever it is written. */
function rowsOf(table: Element): Row[] {
  const rows: Row[] = []
  const foot: Row[] = []
  const collect = (element: Element, section: string) => {
    for (const child of element.children) {
      if (typeof child === 'string') continue
      if (child.name === 'tr') {
        const cells = child.children.filter((cell) => typeof cell !== 'string' && /^t[dh]$/.test(cell.name)) as Element[]
        ;(section === 'tfoot' ? foot : rows).push({ row: child, cells, isHead: section === 'thead' })
      } else if (child.name !== 'caption' && child.name !== 'table') collect(child, child.name)
    }
  }
  collect(table, '')
  return [...rows, ...foot].filter(({ cells }) => cells.length > 0)
}

function statedHeaders(rows: readonly Row[], grid: readonly (readonly string[])[]): number {
  const hasHead = rows.some(({ isHead }) => isHead)
  // Below the first row, a header over all columns is that of a group.
  const isHeader = ({ cells, isHead }: Row, index: number) =>
    isHead || (!hasHead && !(index > 0 && cells.length === 1) && cells.every(({ name, characters }) => name === 'th' || characters === 0))
  const stated = rows.findIndex((row, index) => !isHeader(row, index))
  if (stated !== 0) return stated === -1 ? 1 : stated
  const [first = [], ...others] = grid
  if (isTitle(first) && rows.length > 2 && !isTitle(others[0] ?? [])) return 1 + statedHeaders(rows.slice(1), others)
  if (rows.length < 2) return 0
  if (rows.some(({ cells }) => cells.some(({ name }) => name === 'th'))) {
    const hasValues = others.every((row) => row.slice(1).every((cell) => cell === '' || isValue(cell)))
    return first.length > 2 && hasValues && !first.some(isValue) ? 1 : 0
  }
  const isBold = (rows[0]?.cells ?? []).every(
    (cell) => cell.characters === 0 || hasDescendant(cell, ({ name }) => name === 'b' || name === 'strong'),
  )
  const isParted = first.slice(1).filter((cell) => cell !== '').length > 1 && headerRowsOf(grid, 1) > 1
  const isFilled = first.slice(1).filter((cell) => cell === '').length < 2
  const isDistinct = rows[0]?.cells.length === new Set(first.filter((cell, index) => index === 0 || cell !== '')).size
  return (isBold && first.length > 1) || (first.length > 2 && isFilled && isDistinct && namesColumns(grid)) || isParted ? 1 : 0
}

function spanOf({ attributes }: Element, name: string): number {
  const span = Number.parseInt(attributes[name] ?? '1', 10)
  return Number.isNaN(span) || span < 0 ? 1 : Math.min(span, MAX_SPAN)
}
