import type { ReactNode } from 'react'
import { t } from '../../ui/language/translate.ts'
import type { Columns, ListedRows } from './table-choice.ts'
import { FILTERED_FROM, FilterField, FoundCount, MAX_ROWS, SaveButton, useChosenRows } from './table-tools.tsx'

export type { Columns } from './table-choice.ts'

interface DataTableProps<Row> extends ListedRows<Row> {
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
  const { choice, found, addressOf, choose } = useChosenRows(props)
  const { filter, sort, isDescending } = choice
  const shown = found.slice(0, maxRows)
  return (
    <>
      {(rows.length >= filteredFrom || filter !== '') && (
        <FilterField table={name} hint={filterHint} filter={filter} onChange={(words) => choose({ filter: words })} />
      )}
      <FoundCount filter={filter} found={found.length} shown={shown.length} all={rows.length} isPartial={isPartial} />
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
        <SaveButton name={name} rows={found} columns={columns} />
      ) : (
        <a href={csv} download aria-label={t('Download CSV: {table}', { table: name })}>
          {t('Download CSV')}
        </a>
      )}
    </>
  )
}

function Cell<Row>({ column, row, isFirst }: { column: Columns<Row>[string]; row: Row; isFirst: boolean }): ReactNode {
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
