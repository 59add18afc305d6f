import type { Cell, CellValue, Sheet as RawSheet } from 'hucre/xlsx'
import type { ExtractedDocument } from '../../document.ts'
import { documentOfSheets, type Sheet } from './document-of-sheets.ts'
import { modifiedOf } from './xml.ts'
import { openZip } from './zip-parts.ts'

const MAX_ROWS = 100_000

/** The sheets of a workbook as they are shown: without hidden sheets, rows and columns, struck text and comments. */
export async function readSpreadsheet(bytes: Buffer, maxInflatedBytes?: number): Promise<ExtractedDocument> {
  const zip = await openZip(bytes, maxInflatedBytes)
  const { readXlsx } = await import('hucre/xlsx')
  const { formatValue } = await import('hucre')
  const isShown = (info: { hidden?: boolean; veryHidden?: boolean }) => !info.hidden && !info.veryHidden
  const { sheets, dateSystem } = await readXlsx(bytes, { readStyles: true, maxRows: MAX_ROWS, sheets: isShown })
  const textOf = (value: CellValue, format: string): string =>
    typeof value === 'number' || value instanceof Date ? formatValue(value, format, { is1904: dateSystem === '1904' }) : String(value ?? '')
  return { ...documentOfSheets(sheets.map((sheet) => shownPart(sheet, textOf))), asOf: await modifiedOf(zip) }
}

function shownPart(
  { name, rows, cells, columns, rowDefs, merges = [] }: RawSheet,
  textOf: (value: CellValue, format: string) => string,
): Sheet {
  const texts = rows.map((row, at) => row.map((value, column) => shownText(value, cells?.get(`${at},${column}`), textOf)))
  for (const { startRow, startCol, endRow, endCol } of merges)
    for (let at = startRow; at <= Math.min(endRow, texts.length - 1); at += 1)
      texts[at]?.fill(texts[startRow]?.[startCol] ?? '', startCol, endCol + 1)
  const isHiddenColumn = (column: number) => columns?.[column]?.hidden === true
  return { name, rows: texts.map((row, at) => (rowDefs?.get(at)?.hidden ? [] : row.filter((_, column) => !isHiddenColumn(column)))) }
}

function shownText(value: CellValue, cell: Cell | undefined, textOf: (value: CellValue, format: string) => string): string {
  if (cell?.style?.font?.strikethrough) return ''
  const rich = cell?.richText?.filter(({ font }) => !font?.strikethrough)
  const text = rich ? rich.map((run) => run.text).join('') : textOf(cell?.formulaResult ?? value, cell?.style?.numFmt ?? 'General')
  const address = cell?.hyperlink?.target
  return address && !text.includes(address.replace(/^mailto:/i, '')) ? `${text} (${address.replace(/^mailto:/i, '')})` : text
}
