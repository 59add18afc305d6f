import { expect, test } from 'vitest'
import { csvOf } from './send-csv.ts'

test('writes a header and a line for each record', () => {
  expect(csvOf([{ day: '2026-11-20', turns: 12, useful: null }])).toBe('day,turns,useful\r\n2026-11-20,12,\r\n')
  expect(csvOf([])).toBe('')
})

test('quotes what would break a line, and lets no text become a formula', () => {
  expect(csvOf([{ file: 'a "b", c\n' }, { file: '=HYPERLINK("http://x")' }, { file: '@x' }, { file: '-1' }])).toBe(
    'file\r\n"a ""b"", c\n"\r\n"\'=HYPERLINK(""http://x"")"\r\n\'@x\r\n\'-1\r\n',
  )
  expect(csvOf([{ change: -1 }])).toBe('change\r\n-1\r\n')
})
