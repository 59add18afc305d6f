import { type ReactNode, useState } from 'react'
import { type MessageText, t } from '../../ui/language/translate.ts'
import { Field } from './parts.tsx'

type Value = string | number | null

interface Column<Row> {
  name: MessageText
  /** Value for ordering and search. */
  value(row: Row): Value
  show?(row: Row): ReactNode
  /** Whether it has sentences, which wrap. */
  isSentence?: boolean
}

export type Columns<Row> = Readonly<Record<string, Column<Row>>>

interface DataTableProps<Row> {
  name: string
  rows: readonly Row[]
  columns: Columns<Row>
  keyOf(row: Row): string
  /** In place of a table without rows; without it, its headings are shown. */
  empty?: ReactNode
  filterHint?: string
  /** Address of the whole table as CSV. */
  csv?: string
  maxRows?: number
  /** Rows from which on there is a field for the filter: shorter tables are read at a glance. */
  filteredFrom?: number
  /** Whether there are more rows than these. */
  isPartial?: boolean
  className?: string
}

/** A table that is sorted by its headings and filtered by words. */
export function DataTable<Row>(props: DataTableProps<Row>): ReactNode {
  // More rows would make the page slow; the filter finds the others.
  const { name, rows, columns, keyOf, filterHint, csv, isPartial = false, className = '', maxRows = 200, filteredFrom = 6 } = props
  const [filter, setFilter] = useState('')
  const [{ sort, isDescending }, setOrder] = useState({ sort: '', isDescending: false })
  if (rows.length === 0 && props.empty !== undefined) return props.empty
  const found = chosenRows(props, { filter, sort, isDescending })
  const shown = found.slice(0, maxRows)
  const counts = { found: t.number(found.length), all: t.number(rows.length) }
  return (
    <>
      {(rows.length >= filteredFrom || filter !== '') && (
        <Field label={t('Search: {table}', { table: name })} {...(filterHint !== undefined && { hint: filterHint })}>
          {(ids) => <input {...ids} type="search" dir="auto" value={filter} onChange={({ target }) => setFilter(target.value)} />}
        </Field>
      )}
      {(filter !== '' || found.length > shown.length || isPartial) && (
        <p className="muted" aria-live="polite">
          {isPartial ? t('{found} of {all} and more', counts) : t('{found} of {all}', counts)}
          {found.length > shown.length && <> {t('The first {count} are shown.', { count: t.number(shown.length) })}</>}
        </p>
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard */}
      <div className={`table ${className}`} tabIndex={0} role="group" aria-label={name}>
        <table>
          <thead>
            <tr>
              {Object.entries(columns).map(([column, { name: heading }]) => {
                const isSorted = column === sort
                return (
                  <th key={column} scope="col" aria-sort={isSorted ? (isDescending ? 'descending' : 'ascending') : undefined}>
                    <button type="button" onClick={() => setOrder({ sort: column, isDescending: isSorted && !isDescending })}>
                      {t(heading)}
                      {isSorted && <span aria-hidden>{isDescending ? ' ↓' : ' ↑'}</span>}
                    </button>
                  </th>
                )
              })}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={keyOf(row)}>
                {Object.entries(columns).map(([column, one], index) => (
                  <Cell key={column} column={one} row={row} isFirst={index === 0} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {csv !== undefined && (
        <a href={csv} download aria-label={t('Download CSV: {table}', { table: name })}>
          {t('Download CSV')}
        </a>
      )}
    </>
  )
}

function Cell<Row>({ column: { value, show, isSentence }, row, isFirst }: { column: Column<Row>; row: Row; isFirst: boolean }): ReactNode {
  const raw = value(row)
  const content = show ? show(row) : typeof raw === 'number' ? t.number(raw) : raw
  if (isFirst)
    return (
      <th scope="row" dir="auto">
        {content}
      </th>
    )
  return (
    <td dir="auto" className={isSentence ? 'sentence' : undefined}>
      {content}
    </td>
  )
}

/** The rows that have all words of the filter, in the order of the column `sort`, or in their own without one. */
export function chosenRows<Row>(
  { rows, columns }: Pick<DataTableProps<Row>, 'rows' | 'columns'>,
  { filter, sort, isDescending }: { filter: string; sort: string; isDescending: boolean },
): readonly Row[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  const all = Object.values(columns)
  const textOf = (row: Row) => {
    // People also search for what they read.
    const shown = all.map(({ show }) => show?.(row)).filter((one) => typeof one === 'string')
    return [...all.map(({ value }) => value(row)), ...shown].join(' ').toLowerCase()
  }
  const found = words.length === 0 ? rows : rows.filter((row) => words.every((word) => textOf(row).includes(word)))
  const column = columns[sort]
  if (!column) return found
  const sorted = found.toSorted((one, other) => compared(column.value(one), column.value(other)))
  return isDescending ? sorted.toReversed() : sorted
}

function compared(one: Value, other: Value): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  if (one === null || other === null) return one === other ? 0 : one === null ? -1 : 1
  return String(one).localeCompare(String(other))
}
