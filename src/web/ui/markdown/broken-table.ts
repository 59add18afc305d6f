/** Larger ones stay as written. */
const MAX_CHARACTERS = 4_000
const MAX_CELLS = 1_500

/** A row of marks that separates the head from the rows. */
const RULE = /^\|[\s|:-]*-[\s|:-]*$/
/** The first row of a table that was cut off in it. */
const CUT_HEAD = /^\| \S/
const WHOLE_ROW = /^\|.*\S.*\|.*\|$/

/**
 * The table that a paragraph of rows was meant to be: with a rule below its first row, as wide as its widest one. Null for other paragraphs.
 * `isLast` says that the text may have been cut off in it.
 */
export function repairedTable(paragraph: string, isLast: boolean): string | null {
  if (!paragraph.startsWith('|') || paragraph.length > MAX_CHARACTERS) return null
  const lines = paragraph
    .trim()
    .split('\n')
    .map((line) => line.trim())
  const rows = lines.filter((line) => !RULE.test(line))
  const [head = ''] = rows
  const isTable = WHOLE_ROW.test(head) || (isLast && CUT_HEAD.test(head))
  if (!isTable || !lines.every((line) => line.startsWith('|'))) return null
  const columns = Math.max(...rows.map(columnsOf))
  if (columns * rows.length > MAX_CELLS) return null
  const wide = closed(head) + ' |'.repeat(columns - columnsOf(head))
  return [wide, `${'|---'.repeat(columns)}|`, ...rows.slice(1)].join('\n')
}

/** A row that ends with a bar. */
const closed = (row: string): string => (/(?<!\\)\|$/.test(row) ? row : `${row} |`)

/** Cells of a row, which begins with a bar. */
const columnsOf = (row: string): number => closed(row).replaceAll(/\\./g, '').split('|').length - 2
