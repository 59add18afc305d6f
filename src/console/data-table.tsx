import { type ReactNode, useMemo } from 'react'
import { csvOf } from '../contract/csv.ts'
import { type MessageText, t } from '../web/language/translate.ts'
import { Button } from '../web/ui/button.tsx'
import { Field } from './parts.tsx'
import { addressWith, replaceQuery, useHashQuery } from './use-hash.ts'

/** More rows would make the page slow; the filter finds the others. */
const MAX_ROWS = 200
/** Shorter tables are read at a glance. */
const FILTERED_FROM = 6

type Value = string | number | null

/** A column of a table. */
interface Column<Row> {
  name: MessageText
  /** What rows are ordered by, searched in, and saved as. */
  value(row: Row): Value
  /** What is shown, unless it is the value. */
  show?(row: Row): ReactNode
  /** Whether it has sentences, which wrap. */
  isSentence?: boolean
}

/** Columns by their key in the address. */
export type Columns<Row> = Readonly<Record<string, Column<Row>>>

interface DataTableProps<Row> {
  /** Begins the keys of the address, where a screen has several tables. */
  id?: string
  name: string
  rows: readonly Row[]
  columns: Columns<Row>
  keyOf(row: Row): string
  /** Words to find a row by, beside those of its columns. */
  searched?(row: Row): string
  filterHint?: string
  /** Where the server has the whole table as CSV; otherwise the rows that the filter finds are saved. */
  csv?: string
  maxRows?: number
  /** Rows from which on there is a field for the filter. */
  filteredFrom?: number
  /** Whether there are more rows than these. */
  isPartial?: boolean
  className?: string
}

/** A table that is sorted by its headings, filtered by words and saved as CSV. Order and filter are part of the address. */
export function DataTable<Row>(props: DataTableProps<Row>): ReactNode {
  const {
    id = '',
    name,
    rows,
    columns,
    keyOf,
    filterHint,
    csv,
    isPartial = false,
    className = '',
    maxRows = MAX_ROWS,
    filteredFrom = FILTERED_FROM,
  } = props
  const query = useHashQuery()
  const { filter, sort, isDescending } = useMemo(() => choiceIn(query, id), [query, id])
  const found = selected(props, { filter, sort, isDescending })
  const shown = found.slice(0, maxRows)
  const counts = { found: t.number(found.length), all: t.number(rows.length) }
  const addressOf = (change: Partial<Choice>) => addressWith(withChoice(query, id, { filter, sort, isDescending, ...change }))
  return (
    <>
      {(rows.length >= filteredFrom || filter !== '') && (
        <Field label={t('Filter: {table}', { table: name })} {...(filterHint !== undefined && { hint: filterHint })}>
          {(ids) => (
            <input
              {...ids}
              type="search"
              dir="auto"
              value={filter}
              onChange={({ target }) => replaceQuery(withChoice(query, id, { filter: target.value, sort, isDescending }))}
            />
          )}
        </Field>
      )}
      {(filter !== '' || found.length > shown.length || isPartial) && (
        <p className="muted" aria-live="polite">
          {isPartial ? t('{found} of {all} and more', counts) : t('{found} of {all}', counts)}
          {found.length > shown.length && <> {t('The first {count} are shown.', { count: t.number(maxRows) })}</>}
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
                    <a href={addressOf({ sort: column, isDescending: isSorted && !isDescending })}>
                      {t(heading)}
                      {isSorted && <span aria-hidden>{isDescending ? ' ↓' : ' ↑'}</span>}
                    </a>
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
      {csv === undefined ? (
        <Button
          look="outline"
          className="small"
          aria-label={t('Download CSV: {table}', { table: name })}
          onClick={() => save(name, found, columns)}
        >
          {t('Download CSV')}
        </Button>
      ) : (
        <a href={csv} download aria-label={t('Download CSV: {table}', { table: name })}>
          {t('Download CSV')}
        </a>
      )}
    </>
  )
}

function Cell<Row>({ column, row, isFirst }: { column: Column<Row>; row: Row; isFirst: boolean }): ReactNode {
  const { value, show, isSentence } = column
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

interface Choice {
  filter: string
  /** Key of a column; empty for the order in which the rows came. */
  sort: string
  isDescending: boolean
}

const keysOf = (id: string) => {
  const prefix = id === '' ? '' : `${id}.`
  return { filter: `${prefix}filter`, sort: `${prefix}sort`, order: `${prefix}order` }
}

function choiceIn(query: string, id: string): Choice {
  const parameters = new URLSearchParams(query)
  const keys = keysOf(id)
  return {
    filter: parameters.get(keys.filter) ?? '',
    sort: parameters.get(keys.sort) ?? '',
    isDescending: parameters.get(keys.order) === 'descending',
  }
}

function withChoice(query: string, id: string, { filter, sort, isDescending }: Choice): URLSearchParams {
  const parameters = new URLSearchParams(query)
  const keys = keysOf(id)
  const values = [
    [keys.filter, filter],
    [keys.sort, sort],
    [keys.order, sort !== '' && isDescending ? 'descending' : ''],
  ] as const
  for (const [key, value] of values) {
    if (value === '') parameters.delete(key)
    else parameters.set(key, value)
  }
  return parameters
}

/** Rows that have all words of the filter, in order. */
function selected<Row>(
  { rows, columns, searched }: Pick<DataTableProps<Row>, 'rows' | 'columns' | 'searched'>,
  { filter, sort, isDescending }: Choice,
): readonly Row[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  const all = Object.values(columns)
  const found = rows.filter((row) => {
    if (words.length === 0) return true
    const values = all.map(({ value }) => value(row))
    const text = [...values, ...all.map(({ show }) => textShown(show?.(row))), searched?.(row)].join(' ').toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const column = Object.hasOwn(columns, sort) ? columns[sort] : undefined
  if (!column) return found
  const sorted = found.toSorted((one, other) => compared(column.value(one), column.value(other)))
  return isDescending ? sorted.toReversed() : sorted
}

/** What is shown, where it is text: people search for what they read. */
const textShown = (shown: ReactNode) => (typeof shown === 'string' ? shown : '')

function compared(one: Value, other: Value): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  if (one === null || other === null) return one === other ? 0 : one === null ? -1 : 1
  return String(one).localeCompare(String(other))
}

function save<Row>(name: string, rows: readonly Row[], columns: Columns<Row>): void {
  const records = rows.map((row) => Object.fromEntries(Object.values(columns).map((column) => [column.name, column.value(row)])))
  const address = URL.createObjectURL(new Blob([csvOf(records)], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.csv`
  link.click()
  URL.revokeObjectURL(address)
}
