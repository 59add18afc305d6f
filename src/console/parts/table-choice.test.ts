import { expect, test } from 'vitest'
import { defineMessage } from '../../ui/language/translate.ts'
import { choiceIn, chosenRows, type Columns, csvFileName, csvOfRows, withChoice } from './table-choice.ts'

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
  name: { name: defineMessage('Name'), value: ({ name }) => name },
  visits: { name: defineMessage('Count'), value: ({ visits }) => visits, show: ({ visits }) => (visits === null ? 'Few' : visits) },
}
const NOTHING = { filter: '', sort: '', isDescending: false }
const namesOf = (choice: object) =>
  chosenRows({ rows: OFFICES, columns: COLUMNS, searched: ({ note }) => note }, { ...NOTHING, ...choice }).map(({ name }) => name)

test('keeps the usual order until a known column is chosen', () => {
  expect(namesOf({})).toEqual(['Town hall', '=Harbour', 'airfield'])
  expect(namesOf({ sort: 'constructor' })).toEqual(['Town hall', '=Harbour', 'airfield'])
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

test('has one choice for each table of a screen in the address', () => {
  const chosen = { filter: 'a & b', sort: 'name', isDescending: true }
  const query = String(withChoice('files.sort=name', 'managed', chosen))
  expect(choiceIn(query, 'managed')).toEqual(chosen)
  expect(choiceIn(query, 'files')).toEqual({ ...NOTHING, sort: 'name' })
  expect(String(withChoice(query, 'managed', NOTHING))).toBe('files.sort=name')
})

test('saves the values with the names of the columns, and no formulas', () => {
  expect(csvOfRows(OFFICES, COLUMNS)).toBe("Name,Count\r\nTown hall,9\r\n'=Harbour,\r\nairfield,12\r\n")
})

test('saves columns whose names are the same in a language, and the names alone without rows', () => {
  const name = defineMessage('Name')
  const columns: Columns<Office> = { name: { name, value: (office) => office.name }, note: { name, value: ({ note }) => note } }
  expect(csvOfRows(OFFICES.slice(0, 1), columns)).toBe('Name,Name\r\nTown hall,closed on Friday\r\n')
  expect(csvOfRows([], columns)).toBe('Name,Name\r\n')
})

test('names the file in the script of the table’s name', () => {
  expect(csvFileName('Prompts turned away today')).toBe('prompts-turned-away-today.csv')
  expect(csvFileName('हिन्दी तालिका')).toBe('हिन्दी-तालिका.csv')
})
