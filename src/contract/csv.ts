/** Matches text that a spreadsheet takes for a formula. */
const FORMULA = /^[=+\-@\t\r]/

type Cell = string | number | null

/** Records with the same keys as CSV, with a header; empty without records. */
export function csvOf(records: readonly Record<string, Cell>[]): string {
  const [first] = records
  return first ? csvOfLines([Object.keys(first), ...records.map((record) => Object.values(record))]) : ''
}

/** Lines of cells as CSV (RFC 4180). Texts can't become formulas. */
function csvOfLines(lines: readonly (readonly Cell[])[]): string {
  return lines.map((line) => `${line.map(cellOf).join(',')}\r\n`).join('')
}

function cellOf(value: Cell): string {
  if (value === null) return ''
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
