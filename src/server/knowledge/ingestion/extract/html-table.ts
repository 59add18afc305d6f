import { type Element, hasDescendant } from './html-tree.ts'

/** Limit for one table: spans may state millions. */
const MAX_CELLS = 50_000
const MAX_SPAN = 1_000
const MAX_HEADER_CHARACTERS = 60
const MAX_CELL_CHARACTERS = 400

interface Row {
  cells: Element[]
  isHead: boolean
}

/** Whether a table arranges a page rather than data. */
export function isLayout(table: Element): boolean {
  if (/^(?:presentation|none)$/.test(table.attributes['role'] ?? '')) return true
  if (hasDescendant(table, ({ name }) => name === 'table' || name === 'pre')) return true
  const rows = rowsOf(table)
  if (rows.every(({ cells }) => cells.length < 2)) return true
  if (rows.some(({ cells, isHead }) => isHead || cells.some(({ name }) => name === 'th'))) return false
  return rows.some(({ cells }) =>
    cells.some((cell) => cell.characters > MAX_CELL_CHARACTERS || hasDescendant(cell, ({ name }) => /^(?:h[1-6]|form)$/.test(name))),
  )
}

/** The cells of a table's rows, spanned ones repeated, and how many rows are headers. */
export function gridOf(table: Element, textOf: (cell: Element) => string): { rows: string[][]; headerRows: number } {
  const rows = rowsOf(table)
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
  return { rows: grid.map((row) => Array.from(row, (cell) => cell ?? '')), headerRows: headerRowsOf(rows, grid) }
}

function rowsOf(table: Element): Row[] {
  const rows: Row[] = []
  const collect = (element: Element, isHead: boolean) => {
    for (const child of element.children) {
      if (typeof child === 'string') continue
      if (child.name === 'tr')
        rows.push({ cells: child.children.filter((cell) => typeof cell !== 'string' && /^t[dh]$/.test(cell.name)) as Element[], isHead })
      else if (child.name !== 'caption' && child.name !== 'table') collect(child, child.name === 'thead')
    }
  }
  collect(table, false)
  return rows.filter(({ cells }) => cells.length > 0)
}

function headerRowsOf(rows: readonly Row[], grid: readonly (readonly (string | undefined)[])[]): number {
  const stated = rows.findIndex(({ cells, isHead }) => !isHead && !cells.every(({ name, characters }) => name === 'th' || characters === 0))
  if (stated !== 0) return stated === -1 ? 1 : stated
  if (rows.length < 2 || rows.some(({ cells }) => cells.some(({ name }) => name === 'th'))) return 0
  const first = Array.from(grid[0] ?? [], (cell) => cell ?? '')
  const isBold = (rows[0]?.cells ?? []).every(
    (cell) => cell.characters === 0 || hasDescendant(cell, ({ name }) => name === 'b' || name === 'strong'),
  )
  const looksNamed =
    first.length > 2 &&
    first.slice(1).every((cell) => cell !== '' && cell.length <= MAX_HEADER_CHARACTERS && !/^[\d.,\s%€$£+-]+$/.test(cell))
  const isDistinct = new Set(first).size === first.length
  return (isBold && first.length > 1) || (looksNamed && isDistinct) ? 1 : 0
}

function spanOf({ attributes }: Element, name: string): number {
  const span = Number.parseInt(attributes[name] ?? '1', 10)
  return Number.isNaN(span) || span < 0 ? 1 : Math.min(span, MAX_SPAN)
}
