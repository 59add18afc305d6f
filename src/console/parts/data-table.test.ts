import { expect, test } from 'vitest'
import { defineMessage } from '../../ui/language/translate.ts'
import { chosenRows, type Columns } from './data-table.tsx'

interface Office {
  name: string
  visits: number | null
  note: string
}

const OFFICES: Office[] = [
  { name: 'Town hall', visits: 9, note: 'closed on Friday' },
  { name: '=Harbour', visits: null, note: '' },
  { name: 'airfield', visits: 12, note: '' },
]
const COLUMNS: Columns<Office> = {
  name: { name: defineMessage('Name'), value: ({ name, note }) => `${name} ${note}`, show: ({ name }) => name },
  visits: { name: defineMessage('Count'), value: ({ visits }) => visits, show: ({ visits }) => (visits === null ? 'Few' : visits) },
}
const NOTHING = { filter: '', sort: '', isDescending: false }
const namesOf = (choice: object) => chosenRows({ rows: OFFICES, columns: COLUMNS }, { ...NOTHING, ...choice }).map(({ name }) => name)

test('keeps the usual order until a known column is chosen', () => {
  expect(namesOf({})).toEqual(['Town hall', '=Harbour', 'airfield'])
  expect(namesOf({ sort: 'gone' })).toEqual(['Town hall', '=Harbour', 'airfield'])
})

test('orders texts by letters and numbers by size, and what is unknown first', () => {
  expect(namesOf({ sort: 'name' })).toEqual(['=Harbour', 'airfield', 'Town hall'])
  expect(namesOf({ sort: 'visits' })).toEqual(['=Harbour', 'Town hall', 'airfield'])
  expect(namesOf({ sort: 'visits', isDescending: true })).toEqual(['airfield', 'Town hall', '=Harbour'])
})

test('finds rows that have all words, in a column, in what is shown, or beside them', () => {
  expect(namesOf({ filter: ' HALL 9 ' })).toEqual(['Town hall'])
  expect(namesOf({ filter: 'few' })).toEqual(['=Harbour'])
  expect(namesOf({ filter: 'friday' })).toEqual(['Town hall'])
  expect(namesOf({ filter: 'hall few' })).toEqual([])
})
