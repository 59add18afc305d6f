/** Elements that repeat a cell’s text for screen readers or cards. */
const REPEATED = '.citation, .katex-html, annotation, .sr-only, [popover]'

/** Spreadsheets run a cell that starts so as a formula. */
const FORMULA = /^[=@\t\r]|^[+-](?![\d.,\s]*%?$)/

/** The texts of a table's cells by row, without citations. */
export function cellsOf(table: HTMLTableElement): string[][] {
  return [...table.rows].map((row) => [...row.cells].map(textOf))
}

function textOf(cell: HTMLTableCellElement): string {
  const copy = cell.cloneNode(true) as HTMLElement
  for (const element of copy.querySelectorAll(REPEATED)) element.remove()
  for (const line of copy.querySelectorAll('br')) line.replaceWith('\n')
  return copy.textContent.trim()
}

/** Rows as CSV (RFC 4180) with a byte order mark, which Excel needs. Formulas become text. */
export function csvOf(rows: readonly (readonly string[])[]): string {
  return `\uFEFF${rows.map((cells) => cells.map(csvCell).join(',')).join('\r\n')}\r\n`
}

function csvCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
