import Papa from 'papaparse'
import type { ExtractedDocument, Section } from '../document.ts'

/** Rows are joined up to this. */
const SECTION_CHARACTERS = 1_200

/** The rows of a table, each with the names of its columns; the first row is those names. */
export function readCsv(text: string): ExtractedDocument {
  const [names = [], ...rows] = Papa.parse<string[]>(text, { skipEmptyLines: 'greedy' }).data
  const sections: Section[] = []
  let lines: string[] = []
  let characters = 0
  // Spreadsheets count the row of names as row 1.
  let first = 2
  const close = (last: number) => {
    const place = first === last ? `row ${first}` : `rows ${first}\u2013${last}`
    if (lines.length > 0) sections.push({ level: 0, heading: '', keywords: '', place, blocks: [{ kind: 'row', text: lines.join('\n') }] })
    lines = []
    characters = 0
    first = last + 1
  }
  for (const [index, row] of rows.entries()) {
    const line = `- ${row.flatMap((value, column) => (value.trim() === '' ? [] : [`${names[column]?.trim() || column + 1}: ${value.trim()}`])).join('; ')}`
    if (characters + line.length > SECTION_CHARACTERS) close(index + 1)
    lines.push(line)
    characters += line.length
  }
  close(rows.length + 1)
  return { title: null, address: null, asOf: null, sections }
}
