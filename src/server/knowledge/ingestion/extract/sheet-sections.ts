import type { ExtractedDocument, Section } from '../document.ts'
import { headerRowsOf, isValue, namesColumns, tableLines } from '../table.ts'

export const MAX_ROWS = 100_000
const SECTION_CHARACTERS = 1_200
/** Rows in which the one with the headers is looked for. */
const MAX_TITLE_ROWS = 20

export interface Sheet {
  name: string
  rows: string[][]
}

/** The sheets with their names as headings, up to `MAX_ROWS` of each; one alone has none. */
export function documentOfSheets(sheets: readonly Sheet[], asOf: string | null, warnings: string[] = []): ExtractedDocument {
  const isFilled = (rows: readonly string[][]) => rows.some((row) => row.some((cell) => cell.trim() !== ''))
  const cut = sheets.some(({ rows }) => isFilled(rows.slice(MAX_ROWS))) ? ['Rows after 100,000 of a sheet are left out.'] : []
  const all = [...warnings, ...cut]
  const common = { address: null, asOf, ...(all.length > 0 && { warning: all.join(' ') }) }
  const filled = sheets.map(({ name, rows }) => ({ name, rows: rows.slice(0, MAX_ROWS) })).filter(({ rows }) => isFilled(rows))
  const read = filled.map(({ name, rows }) => sheetSections(rows, filled.length === 1 ? '' : name))
  return { ...common, title: read.length === 1 ? (read[0]?.title ?? null) : null, sections: read.flatMap(({ sections }) => sections) }
}

/** Rows as a spreadsheet shows them, the empty ones included, of one table or several. Lines above the headers are text, the first the title. */
export function sheetSections(rows: readonly (readonly string[])[], heading = ''): { title: string | null; sections: Section[] } {
  const tidy = rows.map((row) => row.map((cell) => cell.replace(/\s+/g, ' ').trim()))
  const starts = [0, ...tidy.flatMap((_, index) => (beginsTable(tidy, index) ? [index] : []))]
  const sections: Section[] = []
  let title: string | null = null
  for (const [index, from] of starts.entries()) {
    const table = tidy.slice(from, starts[index + 1])
    const start = headerRowOf(table)
    const titles = table
      .slice(0, start)
      .flatMap((row) => (filled(row) === 0 ? [] : [[...new Set(row)].filter((cell) => cell !== '').join(' ')]))
    if (from === 0) title = titles[0] ?? null
    const blocks = titles.map((text) => ({ kind: 'paragraph' as const, text }))
    const isNamed = heading !== '' && from === 0
    if (blocks.length > 0 || isNamed)
      sections.push({ level: heading === '' ? 0 : isNamed ? 2 : 3, heading: isNamed ? heading : '', keywords: '', blocks })
    sections.push(...rowSections(table.slice(start), from + start, heading === '' ? 0 : 3))
  }
  return { title, sections }
}

/** The rows of a table in sections of about the same length, which state their numbers. */
function rowSections(table: readonly (readonly string[])[], offset: number, level: number): Section[] {
  const shown = table.filter((row) => filled(row) > 0)
  const lines = tableLines(table, namesColumns(shown) ? headerRowsOf(table, 1) : 0)
  const sections: Section[] = []
  let from = 0
  let characters = 0
  for (const [index, { text }] of lines.entries()) {
    characters += text.length
    if (index < lines.length - 1 && characters + (lines[index + 1]?.text.length ?? 0) <= SECTION_CHARACTERS) continue
    const [first, last] = [offset + (lines[from]?.row ?? 0) + 1, offset + (lines[index]?.row ?? 0) + 1]
    const place = first === last ? `row ${first}` : `rows ${first}\u2013${last}`
    const all = lines.slice(from, index + 1).map((line) => line.text)
    sections.push({ level, heading: '', keywords: '', place, blocks: [{ kind: 'row', text: all.join('\n') }] })
    from = index + 1
    characters = 0
  }
  return sections
}

/** Whether a row below an empty one, or the one below its title, has other headers than the table above. */
function beginsTable(rows: readonly (readonly string[])[], index: number): boolean {
  if (index === 0 || filled(rows[index - 1] ?? []) > 0 || filled(rows[index] ?? []) === 0) return false
  const at = filled(rows[index] ?? []) === 1 ? index + 1 : index
  const [header = [], below = []] = [rows[at], rows[at + 1]]
  let last = index - 1
  while (last > 0 && filled(rows[last] ?? []) === 0) last -= 1
  const above = rows[last] ?? []
  const isFilled = (row: readonly string[], column: number) => (row[column] ?? '') !== ''
  const width = (row: readonly string[]) => row.findLastIndex((cell) => cell !== '')
  if (filled(header) < 2 || filled(below) < 2 || header.some(isValue)) return false
  const differs = above.some((cell, column) => isValue(cell) && isFilled(header, column)) || width(header) > width(above)
  return filled(above) < 2 ? false : differs
}

/** The first row that fills most columns of the table, unless it stands apart from the rows below it. */
function headerRowOf(rows: readonly (readonly string[])[]): number {
  const beginning = rows.slice(0, MAX_TITLE_ROWS)
  const widths = beginning.map(filled)
  const width = widths.filter((count) => count > 1).toSorted((one, other) => one - other)
  const usual = width[Math.floor(width.length / 2)] ?? 1
  const isWide = (index: number) => (widths[index] ?? 0) > usual / 2 && (usual === 1 || (widths[index] ?? 0) > 1)
  const found = beginning.findIndex(
    (_, index) => isWide(index) && !(widths[index + 1] === 0 && beginning.some((_row, later) => later > index + 1 && isWide(later))),
  )
  return Math.max(0, found)
}

/** Cells with a text of their own: a merged one counts once. */
const filled = (row: readonly string[]): number => new Set(row.filter((cell) => cell !== '')).size
