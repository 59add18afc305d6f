import { Fragment, type ReactNode } from 'react'
import { t } from '../../ui/language/translate.ts'
import { SelectField } from './parts.tsx'
import type { Choice, Columns, ListedRows } from './table-choice.ts'
import { FILTERED_FROM, FilterField, FoundCount, MAX_ROWS, SaveButton, useChosenRows } from './table-tools.tsx'

interface DataListProps<Row> extends ListedRows<Row> {
  /** The row as a list item, with what can be done about it. */
  children: (row: Row) => ReactNode
}

/** Cards that are ordered by a choice, filtered by words and saved as CSV, like a table. Order and filter are part of the address. */
export function DataList<Row>(props: DataListProps<Row>): ReactNode {
  const { name, rows, columns, keyOf, children } = props
  const { choice, found, choose } = useChosenRows(props)
  const { filter } = choice
  const shown = found.slice(0, MAX_ROWS)
  return (
    <>
      {(rows.length > 1 || filter !== '') && (
        <div className="list-tools">
          {(rows.length >= FILTERED_FROM || filter !== '') && (
            <FilterField table={name} filter={filter} onChange={(words) => choose({ filter: words })} />
          )}
          <OrderField table={name} columns={columns} choice={choice} onChange={choose} />
          <SaveButton name={name} rows={found} columns={columns} />
        </div>
      )}
      <FoundCount filter={filter} found={found.length} shown={shown.length} all={rows.length} />
      {shown.length > 0 && (
        <ul className="cards" aria-label={name}>
          {shown.map((row) => (
            <Fragment key={keyOf(row)}>{children(row)}</Fragment>
          ))}
        </ul>
      )}
    </>
  )
}

interface OrderFieldProps<Row> {
  table: string
  columns: Columns<Row>
  choice: Choice
  onChange(order: Omit<Choice, 'filter'>): void
}

const DESCENDING = '-'

function OrderField<Row>({ table, columns, choice: { sort, isDescending }, onChange }: OrderFieldProps<Row>): ReactNode {
  const chosen = Object.hasOwn(columns, sort) ? `${isDescending ? DESCENDING : ''}${sort}` : ''
  const order = (value: string) => {
    const isReversed = value.startsWith(DESCENDING)
    onChange({ sort: isReversed ? value.slice(DESCENDING.length) : value, isDescending: isReversed })
  }
  return (
    <SelectField label={t('Order: {table}', { table })} value={chosen} onChange={order}>
      <option value="">{t('Usual order')}</option>
      {Object.entries(columns).map(([column, { name }]) => (
        <Fragment key={column}>
          <option value={column}>{t('{column}, ascending', { column: t(name) })}</option>
          <option value={`${DESCENDING}${column}`}>{t('{column}, descending', { column: t(name) })}</option>
        </Fragment>
      ))}
    </SelectField>
  )
}
