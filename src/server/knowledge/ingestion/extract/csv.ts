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
  const { data } = Papa.parse<string[]>(table, { delimiter: separator?.[1] ?? delimiter ?? delimiterOf(table) })
  return { address: null, asOf: null, ...sheetSections(data) }
}

/** The delimiter that gives most of the first rows equally many columns; the library's guess fails on lines above the table. */
function delimiterOf(table: string): string {
  const scores = DELIMITERS.map((delimiter) => {
    const counts = new Map<number, number>()
    for (const { length } of Papa.parse<string[]>(table, { delimiter, preview: GUESS_ROWS }).data)
      if (length > 1) counts.set(length, (counts.get(length) ?? 0) + 1)
    return Math.max(0, ...counts.values())
  })
  return DELIMITERS[scores.indexOf(Math.max(...scores))] ?? ','
}
