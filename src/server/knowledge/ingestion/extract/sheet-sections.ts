import type { Section } from '../document.ts'
import { tableText } from '../table.ts'

const SECTION_CHARACTERS = 1_200
/** Rows in which the one with the headers is looked for. */
const MAX_TITLE_ROWS = 20
/** A value rather than the name of a column; a year can be either. */
const VALUE = /^(?!(?:19|20)\d\d$)[-+(]?[\d.,\s\u2019'/:%€$£-]*\d[\d.,\s\u2019'%€$£)-]*$/

export interface SheetText {
  /** The first line above the table. */
  title: string | null
  sections: Section[]
}

/** Rows as a spreadsheet shows them, the empty ones included. Lines above the row of headers are text. */
export function sheetSections(rows: readonly (readonly string[])[], heading = ''): SheetText {
  const tidy = rows.map((row) => row.map((cell) => cell.replace(/\s+/g, ' ').trim()))
  const start = headerRowOf(tidy)
  const header = tidy[start] ?? []
  const hasRows = tidy.slice(start + 1).some((row) => filled(row) > 0)
  const hasHeader = hasRows && header.filter((cell) => VALUE.test(cell)).length <= header.filter((cell) => cell !== '').length / 2
  const titles = tidy
    .slice(0, start)
    .flatMap((row) => (filled(row) === 0 ? [] : [[...new Set(row)].filter((cell) => cell !== '').join(' ')]))
  const blocks = titles.map((text) => ({ kind: 'paragraph' as const, text }))
  const sections: Section[] =
    blocks.length === 0 && heading === '' ? [] : [{ level: heading === '' ? 0 : 2, heading, keywords: '', blocks }]
  let lines: string[] = []
  let characters = 0
  let first = 0
  let last = 0
  const close = () => {
    const place = first === last ? `row ${first}` : `rows ${first}\u2013${last}`
    if (lines.length > 0)
      sections.push({ level: heading === '' ? 0 : 3, heading: '', keywords: '', place, blocks: [{ kind: 'row', text: lines.join('\n') }] })
    lines = []
    characters = 0
  }
  for (const [index, row] of tidy.entries()) {
    if (index < start + (hasHeader ? 1 : 0) || filled(row) === 0) continue
    const line = hasHeader ? tableText([header, row], 1) : tableText([row], 0)
    if (characters + line.length > SECTION_CHARACTERS) close()
    if (lines.length === 0) first = index + 1
    last = index + 1
    lines.push(line)
    characters += line.length
  }
  close()
  return { title: titles[0] ?? null, sections }
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
