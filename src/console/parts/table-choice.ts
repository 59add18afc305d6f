import type { ReactNode } from 'react'
import { csvOfLines } from '../../contract/csv.ts'
import { type MessageText, t } from '../../ui/language/translate.ts'

type Value = string | number | null

/** A column of a table, or a fact of a list's cards. */
interface Column<Row> {
  name: MessageText
  /** Value for ordering, search and download. */
  value(row: Row): Value
  show?(row: Row): ReactNode
  /** Whether it has sentences, which wrap. */
  isSentence?: boolean
}

/** Columns by their key in the address. */
export type Columns<Row> = Readonly<Record<string, Column<Row>>>

export interface ListedRows<Row> {
  /** Begins the keys of the address, where a screen has several tables. */
  id?: string
  name: string
  rows: readonly Row[]
  columns: Columns<Row>
  keyOf(row: Row): string
  /** Words to find a row by, beside those of its columns. */
  searched?(row: Row): string
}

export interface Choice {
  filter: string
  /** Key of a column; empty for the order in which the rows came. */
  sort: string
  isDescending: boolean
}

const keysOf = (id: string) => {
  const prefix = id === '' ? '' : `${id}.`
  return { filter: `${prefix}filter`, sort: `${prefix}sort`, order: `${prefix}order` }
}

export function choiceIn(query: string, id: string): Choice {
  const parameters = new URLSearchParams(query)
  const keys = keysOf(id)
  return {
    filter: parameters.get(keys.filter) ?? '',
    sort: parameters.get(keys.sort) ?? '',
    isDescending: parameters.get(keys.order) === 'descending',
  }
}

export function withChoice(query: string, id: string, { filter, sort, isDescending }: Choice): URLSearchParams {
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

export function chosenRows<Row>(
  { rows, columns, searched }: Pick<ListedRows<Row>, 'rows' | 'columns' | 'searched'>,
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

/** Shown text, if any: people search for what they read. */
const textShown = (shown: ReactNode) => (typeof shown === 'string' ? shown : '')

function compared(one: Value, other: Value): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  if (one === null || other === null) return one === other ? 0 : one === null ? -1 : 1
  return String(one).localeCompare(String(other))
}

export function csvOfRows<Row>(rows: readonly Row[], columns: Columns<Row>): string {
  const all = Object.values(columns)
  return csvOfLines([all.map(({ name }) => t(name)), ...rows.map((row) => all.map(({ value }) => value(row)))])
}

/** Name of the file for a table, in any script. */
export function csvFileName(table: string): string {
  return `${table.toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '-')}.csv`
}
