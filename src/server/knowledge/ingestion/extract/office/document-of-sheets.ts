import type { ExtractedDocument } from '../../document.ts'
import { sheetSections } from '../sheet-sections.ts'

export interface Sheet {
  name: string
  rows: string[][]
}

/** The sheets with their names as headings; one alone has none. */
export function documentOfSheets(sheets: readonly Sheet[]): ExtractedDocument {
  const filled = sheets.filter(({ rows }) => rows.some((row) => row.some((cell) => cell.trim() !== '')))
  const [first] = filled
  if (first && filled.length === 1) return { address: null, asOf: null, ...sheetSections(first.rows) }
  return { title: null, address: null, asOf: null, sections: filled.flatMap(({ name, rows }) => sheetSections(rows, name).sections) }
}
