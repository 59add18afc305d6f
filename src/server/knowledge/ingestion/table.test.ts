import { expect, test } from 'vitest'
import { tableText } from './table.ts'

test('each row says its cells after their headers, and empty ones', () => {
  const rows = [
    ['Zone', 'Single', 'Return:', ''],
    ['B', '', '3 €', ''],
    ['', '', ''],
    ['C', '2 €'],
  ]
  expect(tableText(rows, 1)).toBe('- Zone: B; Single: –; Return: 3 €\n- Zone: C; Single: 2 €; Return: –')
})

test('headers of several rows are one, and a column without a header has its cells alone', () => {
  const rows = [
    ['', 'Summer', 'Summer', 'Note'],
    ['', 'Single', 'Return', 'Note'],
    ['Adult', '4', '7', 'x'],
  ]
  expect(tableText(rows, 2)).toBe('- Adult; Summer Single: 4; Summer Return: 7; Note: x')
})

test('a row over all columns is said in each row below it, and by itself at the end', () => {
  const rows = [
    ['Day', 'Hours'],
    ['Winter', 'Winter'],
    ['Monday', '8–12'],
    ['Tuesday', '8–16'],
    ['Closed in May.', 'Closed in May.'],
  ]
  expect(tableText(rows, 1)).toBe('- Winter; Day: Monday; Hours: 8–12\n- Winter; Day: Tuesday; Hours: 8–16\n- Closed in May.')
})

test('without headers, the first of two columns names the second', () => {
  expect(
    tableText(
      [
        ['Phone:', '555'],
        ['', '556'],
        ['Fax', ''],
      ],
      0,
    ),
  ).toBe('- Phone: 555\n- 556\n- Fax: –')
  expect(
    tableText(
      [
        ['a', '', 'c'],
        ['d', 'e', ''],
      ],
      0,
    ),
  ).toBe('- a; –; c\n- d; e; –')
  expect(tableText([['a', 'b']], 1)).toBe('- a; b')
  expect(tableText([], 1)).toBe('')
})
