import type { Cell, CellValue, Sheet as RawSheet } from 'hucre/xlsx'
import type JsZip from 'jszip'
import type { ExtractedDocument } from '../../document.ts'
import { documentOfSheets, MAX_ROWS, type Sheet } from '../sheet-sections.ts'
import { allOf, modifiedOf, partFor, relationships, xmlPartOf } from './xml.ts'
import { openZip } from './zip-parts.ts'

const UNSOLVED = 'Formulas without a stored result are read as empty: open it in its program and save it.'
/** A date that Excel shows as the reader's country writes it, which only this form tells in any. */
const LOCAL_DATE = [/^m\/d\/yy(?:yy)?(?= h:mm$|$)/, 'yyyy-mm-dd'] as const

/** The sheets of a workbook as they are shown: without hidden sheets, rows and columns, struck text and comments. */
export async function readSpreadsheet(bytes: Buffer, maxInflatedBytes?: number): Promise<ExtractedDocument> {
  const zip = await openZip(bytes, maxInflatedBytes)
  const { readXlsx } = await import('hucre/xlsx')
  const { format } = await import('numfmt')
  const others = await otherSheets(zip)
  const isShown = (info: { name: string; hidden?: boolean; veryHidden?: boolean }) =>
    !info.hidden && !info.veryHidden && !others.has(info.name)
  const { sheets, dateSystem } = await readXlsx(bytes, { readStyles: true, maxRows: MAX_ROWS + 1, sheets: isShown })
  const textOf = (value: CellValue, pattern: string): string => {
    const isPlain = typeof value !== 'number' && !(value instanceof Date)
    if (isPlain || pattern === '@' || (pattern === 'General' && Number.isInteger(value))) return String(value ?? '')
    const isDuration = value instanceof Date && dateSystem === '1904' && /\[[hms]+\]/i.test(pattern)
    const shown = isDuration ? (Number(value) - Date.UTC(1904, 0)) / 86_400_000 : value
    return format(pattern.replace(...LOCAL_DATE), shown, { ignoreTimezone: true, invalid: JSON.stringify(value), throws: false })
  }
  const isUnsolved = ({ formula, value }: Cell) => formula !== undefined && value === null
  const warnings = sheets.some(({ cells }) => [...(cells?.values() ?? [])].some(isUnsolved)) ? [UNSOLVED] : []
  const shown = sheets.map((sheet) => shownPart(sheet, textOf))
  return documentOfSheets(shown, await modifiedOf(zip), warnings)
}

/** Names of sheets that are a chart or a dialog, which the library can't read. */
async function otherSheets(zip: JsZip): Promise<Set<string>> {
  const book = await partFor(zip, '', 'officeDocument', 'xl/workbook.xml')
  const others = (await relationships(zip, book)).filter(({ type }) => /(?<!\/work)sheet$/i.test(type)).map(({ id }) => id)
  const isOther = (attributes: Record<string, string>) => Object.values(attributes).some((value) => others.includes(value))
  return new Set(allOf(await xmlPartOf(zip, book), 'sheet').flatMap(({ attribs }) => (isOther(attribs) ? (attribs['name'] ?? []) : [])))
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
  return address && /^[a-z][a-z+.-]*:/i.test(address) && !text.includes(address.replace(/^mailto:/i, ''))
    ? `${text} (${address.replace(/^mailto:/i, '')})`
    : text
}
