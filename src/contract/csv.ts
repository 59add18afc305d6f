/** What a spreadsheet takes for a formula. */
const FORMULA = /^[=+\-@\t\r]/

/** Records with the same keys as CSV (RFC 4180), with a header; empty without records. Texts can't become formulas. */
export function csvOf(records: readonly Record<string, string | number | null>[]): string {
  const [first] = records
  if (!first) return ''
  const rows = [Object.keys(first), ...records.map((record) => Object.values(record))]
  return rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')
}

function cellOf(value: string | number | null): string {
  if (value === null) return ''
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
