import Papa from 'papaparse'
import type { ExtractedDocument } from '../document.ts'
import { sheetSections } from './sheet-sections.ts'

/** States Excel's separator before the first row. */
const SEPARATOR_LINE = /^\uFEFF?"?sep=([^\r\n"])"?(?:\r\n|\r|\n)/i
const GUESS_ROWS = 50
/** The comma last: decimal commas can look like columns. */
const DELIMITERS = [';', '\t', '|', ',']

export function readCsv(text: string, delimiter?: string): ExtractedDocument {
  const separator = SEPARATOR_LINE.exec(text)
  const table = text.slice(separator?.[0].length ?? 0).replace(/^\uFEFF/, '')
  const { rows, ...warning } = rowsOf(table, separator?.[1] ?? delimiter ?? delimiterOf(table))
  return { address: null, asOf: null, ...sheetSections(rows), ...warning }
}

/** Up to `preview` rows. A stray quote would make one cell of the rows after it, so a table with one is read line by line. */
function rowsOf(table: string, delimiter: string, preview = 0): { rows: string[][]; warning?: string } {
  const strayIn = (errors: Papa.ParseError[]) => errors.find(({ type }) => type === 'Quotes')
  const { data, errors } = Papa.parse<string[]>(table, { delimiter, preview })
  const stray = strayIn(errors)
  if (!stray) return { rows: data }
  const rows = table.split(/\r\n?|\n/, preview || undefined).map((line) => {
    const read = line.includes('"') ? Papa.parse<string[]>(line, { delimiter }) : null
    return read && !strayIn(read.errors) ? (read.data[0] ?? []) : line.split(delimiter)
  })
  return { rows, warning: `A quote in row ${(stray.row ?? 0) + 1} is not closed: each line is read as a row.` }
}

/** The delimiter that gives most of the first rows equally many columns; the library's guess fails on lines above the table. */
function delimiterOf(table: string): string {
  const scores = DELIMITERS.map((delimiter) => {
    const counts = new Map<number, number>()
    for (const { length } of rowsOf(table, delimiter, GUESS_ROWS).rows) if (length > 1) counts.set(length, (counts.get(length) ?? 0) + 1)
    return Math.max(0, ...counts.values())
  })
  return DELIMITERS[scores.indexOf(Math.max(...scores))] ?? ','
}
