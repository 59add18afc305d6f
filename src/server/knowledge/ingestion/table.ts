/** A longer row over all columns is a note, and isn't said again in each row below it. */
const MAX_GROUP_CHARACTERS = 80
const EMPTY = '–'

/**
 * A table as one list item a row, each cell after its header: `- Zone: B; Single: –; Return: 3 €`. A row over all columns is a heading of
 * the rows below it. Cells are on one line, and spanned ones repeated; without header rows, the first of two columns names the second.
 */
export function tableText(rows: readonly (readonly string[])[], headerRows: number): string {
  const filled = rows.map((row) => row.map((cell) => cell.trim()))
  const columns = Array.from({ length: filled.reduce((most, { length }) => Math.max(most, length), 0) }, (_, column) => column)
  const headers = columns.map((column) => headerOf(filled.slice(0, headerRows).map((row) => row[column] ?? '')))
  const body = filled.slice(headerRows).filter((row) => row.some((cell) => cell !== ''))
  const used = columns.filter((column) => headers[column] !== '' || body.some((row) => (row[column] ?? '') !== ''))
  if (body.length === 0) return used.length === 0 ? '' : `- ${used.map((column) => headers[column]).join('; ')}`
  const lines: string[] = []
  let group = ''
  for (const [index, row] of body.entries()) {
    const next = body[index + 1]
    if (isGroup(row, used)) {
      const isCarried = (row[0] ?? '').length <= MAX_GROUP_CHARACTERS && next !== undefined && !isGroup(next, used)
      group = isCarried ? (row[0] ?? '') : ''
      if (!isCarried) lines.push(`- ${row[0]}`)
    } else lines.push(`- ${group === '' ? '' : `${group}; `}${rowText(row, headers, used)}`)
  }
  return lines.join('\n')
}

function headerOf(cells: readonly string[]): string {
  return [...new Set(cells)]
    .filter((cell) => cell !== '')
    .join(' ')
    .replace(/\s*:$/, '')
}

function isGroup(row: readonly string[], columns: readonly number[]): boolean {
  return columns.length > 1 && /\p{L}/u.test(row[0] ?? '') && columns.every((column) => row[column] === row[0])
}

function rowText(row: readonly string[], headers: readonly string[], columns: readonly number[]): string {
  const cellOf = (column: number | undefined) => row[column ?? 0] || EMPTY
  if (columns.length === 2 && headers.every((header) => header === '')) {
    const [name, value] = columns
    return row[name ?? 0] ? `${row[name ?? 0]?.replace(/\s*:$/, '')}: ${cellOf(value)}` : cellOf(value)
  }
  return columns.map((column) => (headers[column] ? `${headers[column]}: ${cellOf(column)}` : cellOf(column))).join('; ')
}
