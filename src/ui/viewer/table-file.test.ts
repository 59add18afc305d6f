import { expect, test } from 'vitest'
import { csvOf } from './table-file.ts'

const lineOf = (...cells: string[]) => csvOf([cells]).replace('\uFEFF', '').trimEnd()

test('writes a table as CSV that Excel reads as UTF-8', () => {
  expect(csvOf([['tea', 'water'], ['grün', '75 °C']])).toBe('\uFEFFtea,water\r\ngrün,75 °C\r\n') // biome-ignore format: a table
})

test('quotes commas, quotation marks and lines', () => {
  expect(lineOf('a, b', 'say "c"', 'd\ne')).toBe('"a, b","say ""c""","d\ne"')
})

test.each(['=1+1', '@SUM(A1)', '+cmd', '-2+3', '=HYPERLINK("http://x")'])('writes the formula %s as text', (formula) => {
  expect(lineOf(formula)).toMatch(/^"?'/)
})

test.each(['-5', '+5 %', '-1.5', '5-3', '-'])('keeps %s', (text) => {
  expect(lineOf(text)).toBe(text)
})
