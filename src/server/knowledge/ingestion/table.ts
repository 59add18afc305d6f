/** A longer row over all columns is a note, and isn't said again in each row below it. */
const MAX_GROUP_CHARACTERS = 80
const MAX_HEADER_CHARACTERS = 60
const EMPTY = '–'
const TICK = /^[\u2713\u2714\u2611\u2705\u{1f5f9}]\ufe0f?$/u
const CROSS = /^[\u2717\u2718\u2715\u2716\u274c]\ufe0f?$/
/** A value rather than the name of a column; a year can be either. */
const VALUE = /^(?!(?:19|20)\d\d$)[-+(]?[\d.,\s\u2019'/:%€$£\u2013-]*\d[\d.,\s\u2019'%€$£)-]*$/

/**
 * A table as one list item a row, each cell after its header: `- Zone: B; Single: –; Return: 3 €`. A row over all columns is a heading of
 * the rows below it. Cells are on one line, and spanned ones repeated; without header rows, the first of two columns names the second.
 */
export function tableText(rows: readonly (readonly string[])[], headerRows: number): string {
  return tableLines(rows, headerRows)
    .map(({ text }) => text)
    .join('\n')
}

/** The lines of a table with the rows that they tell. */
export function tableLines(rows: readonly (readonly string[])[], headerRows: number): { text: string; row: number }[] {
  const filled = rows.map((row) => row.map((cell) => said(cell.trim())))
  const columns = Array.from({ length: filled.reduce((most, { length }) => Math.max(most, length), 0) }, (_, column) => column)
  const titles = filled.slice(0, headerRows).filter(isTitle)
  const headers = headersOf(
    filled.slice(0, headerRows).filter((row) => !titles.includes(row)),
    columns,
  )
  // A long table may repeat its headers.
  const isRow = (cells: readonly string[]) =>
    cells.some((cell, column) => cell !== '' && (headers[column] === '' || cell !== headers[column]))
  const body = filled.flatMap((cells, row) => (row >= headerRows && isRow(cells) ? [{ cells, row }] : []))
  const used = columns.filter((column) => headers[column] !== '' || body.some(({ cells }) => (cells[column] ?? '') !== ''))
  if (body.length === 0) return used.length === 0 ? [] : [{ text: `- ${used.map((column) => headers[column]).join('; ')}`, row: 0 }]
  const isGroup = groupsOf(
    body.map(({ cells }) => cells),
    used,
  )
  const lines = titles.map(([title = '']) => ({ text: `- ${title}`, row: 0 }))
  let group = ''
  for (const [index, { cells, row }] of body.entries()) {
    const [first = ''] = cells
    if (isGroup[index]) {
      const isCarried = first.length <= MAX_GROUP_CHARACTERS && isGroup[index + 1] === false
      group = isCarried ? first : ''
      if (!isCarried) lines.push({ text: `- ${first}`, row })
    } else lines.push({ text: `- ${group === '' ? '' : `${group}; `}${rowText(cells, headers, used)}`, row })
  }
  return lines
}

/** Whether a row over all columns tells what the table is about. */
export const isTitle = (row: readonly string[]): boolean => row.length > 1 && row[0] !== '' && row.every((cell) => cell === row[0])

/** Whether a table without stated headers has them in its first row. */
export function namesColumns([first = [], ...rows]: readonly (readonly string[])[]): boolean {
  const cells = first.filter((cell) => cell !== '')
  const values = cells.filter((cell) => VALUE.test(cell)).length
  if (rows.length === 0 || cells.some((cell) => cell.length > MAX_HEADER_CHARACTERS)) return false
  return first.length > 2 ? values <= cells.length / 2 : values === 0 && !/\d|:$/.test(cells.join(' '))
}

/** How many rows are headers where `stated` are: a row that parts the columns of the last one is another. */
export function headerRowsOf(rows: readonly (readonly string[])[], stated: number): number {
  const [above, below] = [rows[stated - 1], rows[stated]]
  if (!above || !below || stated > 2 || rows.length < stated + 2) return stated
  const isSpanned = (column: number) => column > 1 && (above[column] === '' || above[column] === above[column - 1])
  const parts = below.flatMap((cell, column) => (column > 0 && cell !== '' ? [{ cell, isSpanned: isSpanned(column) }] : []))
  const goesOn = below[0] === '' || below[0] === above[0] || above[0] === ''
  const isPart =
    parts.some((part) => part.isSpanned) && parts.every(({ cell }) => cell.length <= MAX_HEADER_CHARACTERS && !VALUE.test(cell))
  return goesOn && isPart && new Set(below).size > 1 ? headerRowsOf(rows, stated + 1) : stated
}

export const isValue = (cell: string): boolean => VALUE.test(cell)

const said = (cell: string): string => (TICK.test(cell) ? 'yes' : CROSS.test(cell) ? 'no' : cell)

/** Without merged cells, a header of several columns is above the first of them alone. */
function headersOf(rows: readonly (readonly string[])[], columns: readonly number[]): string[] {
  const spread = rows.map((row, index) => {
    const isMerged = row.some((cell, column) => column > 0 && cell !== '' && cell === row[column - 1])
    let last = ''
    return columns.map((column) => {
      const isPart = !isMerged && column > 0 && (rows[index + 1]?.[column] ?? '') !== ''
      last = row[column] || (isPart ? last : '')
      return last
    })
  })
  return columns.map((column) =>
    [...new Set(spread.map((row) => row[column] ?? ''))]
      .filter((cell) => cell !== '')
      .join(' ')
      .replace(/\s*:$/, ''),
  )
}

/** Rows over all columns, and those with their first cell alone where these tell rows with the same name apart. */
function groupsOf(body: readonly (readonly string[])[], columns: readonly number[]): boolean[] {
  const isOver = (row: readonly string[]) =>
    columns.length > 1 && /\p{L}/u.test(row[0] ?? '') && columns.every((column) => row[column] === row[0])
  const isAlone = (row: readonly string[]) =>
    columns.length > 1 && /\p{L}/u.test(row[0] ?? '') && columns.every((column) => column === 0 || (row[column] ?? '') === '')
  const below = new Map<string, number>()
  let group = 0
  const tellsApart = body.some((row) => {
    if (isAlone(row)) group += 1
    const before = below.get(row[0] ?? '')
    below.set(row[0] ?? '', group)
    return !isAlone(row) && group > 0 && before !== undefined && before > 0 && before !== group
  })
  return body.map((row) => isOver(row) || (tellsApart && isAlone(row)))
}

function rowText(row: readonly string[], headers: readonly string[], columns: readonly number[]): string {
  const cellOf = (column: number | undefined) => row[column ?? 0] || EMPTY
  if (columns.length === 2 && headers.every((header) => header === '')) {
    const [name, value] = columns
    return row[name ?? 0] ? `${row[name ?? 0]?.replace(/\s*:$/, '')}: ${cellOf(value)}` : cellOf(value)
  }
  const isNamed = headers.some((header) => header !== '')
  return columns
    .filter((column) => !isNamed || headers[column] !== '' || (row[column] && row[column] !== row[column - 1]))
    .map((column) => (headers[column] ? `${headers[column]}: ${cellOf(column)}` : cellOf(column)))
    .join('; ')
}
