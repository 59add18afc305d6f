import Papa from 'papaparse'
import { type Passage, titleOfFile } from '../passages.ts'

/** Rows are put together up to this. */
const PASSAGE_CHARACTERS = 1_500

/** The rows of a table, each with the names of its columns, some together; the first row is those names. */
export function csvPassages(file: string, text: string): Passage[] {
  const [names = [], ...rows] = Papa.parse<string[]>(text, { skipEmptyLines: 'greedy' }).data
  const title = titleOfFile(file)
  const passages: Passage[] = []
  let lines: string[] = []
  let characters = 0
  // People count rows as their table shows them: the names are in row 1.
  let first = 2
  const close = (last: number) => {
    const place = first === last ? `row ${first}` : `rows ${first}–${last}`
    if (lines.length > 0) passages.push({ title, file, heading: title, text: lines.join('\n'), keywords: '', place })
    lines = []
    characters = 0
    first = last + 1
  }
  for (const [index, row] of rows.entries()) {
    const line = `- ${row.flatMap((value, column) => (value.trim() === '' ? [] : [`${names[column]?.trim() || column + 1}: ${value.trim()}`])).join('; ')}`
    if (characters + line.length > PASSAGE_CHARACTERS) close(index + 1)
    lines.push(line)
    characters += line.length
  }
  close(rows.length + 1)
  return passages
}
