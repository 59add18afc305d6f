import { type ReactNode, useMemo } from 'react'
import { t } from '../../ui/language/translate.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from './parts.tsx'
import { type Choice, choiceIn, chosenRows, csvFileName, csvOfRows, type ListedRows, withChoice } from './table-choice.ts'
import { addressWith, replaceQuery, useHashQuery } from '../use-hash.ts'

/** More rows would make the page slow; the filter finds the others. */
export const MAX_ROWS = 200
/** Shorter tables are read at a glance. */
export const FILTERED_FROM = 6

interface ChosenRows<Row> {
  choice: Choice
  found: readonly Row[]
  /** Address of the screen with another choice. */
  addressOf(change: Partial<Choice>): string
  /** Changes the address without an entry in the history, for example with each letter that is typed. */
  choose(change: Partial<Choice>): void
}

export function useChosenRows<Row>(listed: ListedRows<Row>): ChosenRows<Row> {
  const { id = '' } = listed
  const query = useHashQuery()
  const choice = useMemo(() => choiceIn(query, id), [query, id])
  const changed = (change: Partial<Choice>) => withChoice(query, id, { ...choice, ...change })
  return {
    choice,
    found: chosenRows(listed, choice),
    addressOf: (change) => addressWith(changed(change)),
    choose: (change) => replaceQuery(changed(change)),
  }
}

interface FilterFieldProps {
  table: string
  hint?: string | undefined
  filter: string
  onChange(filter: string): void
}

export function FilterField({ table, hint, filter, onChange }: FilterFieldProps): ReactNode {
  return (
    <Field label={t('Search: {table}', { table })} {...(hint !== undefined && { hint })}>
      {(ids) => <input {...ids} type="search" dir="auto" value={filter} onChange={({ target }) => onChange(target.value)} />}
    </Field>
  )
}

interface FoundCountProps {
  filter: string
  found: number
  shown: number
  all: number
  /** Whether there are more rows than these. */
  isPartial?: boolean
}

/** How many rows the filter finds, and that not all of them are shown. */
export function FoundCount({ filter, found, shown, all, isPartial = false }: FoundCountProps): ReactNode {
  if (filter === '' && found === shown && !isPartial) return null
  const counts = { found: t.number(found), all: t.number(all) }
  return (
    <p className="muted" aria-live="polite">
      {isPartial ? t('{found} of {all} and more', counts) : t('{found} of {all}', counts)}
      {found > shown && <> {t('The first {count} are shown.', { count: t.number(shown) })}</>}
    </p>
  )
}

export function SaveButton<Row>({ name, rows, columns }: Pick<ListedRows<Row>, 'name' | 'rows' | 'columns'>): ReactNode {
  const save = () => {
    const address = URL.createObjectURL(new Blob([csvOfRows(rows, columns)], { type: 'text/csv;charset=utf-8' }))
    const link = document.createElement('a')
    link.href = address
    link.download = csvFileName(name)
    link.click()
    URL.revokeObjectURL(address)
  }
  return (
    <Button variant="outline" className="small" aria-label={t('Download CSV: {table}', { table: name })} onClick={save}>
      {t('Download CSV')}
    </Button>
  )
}
