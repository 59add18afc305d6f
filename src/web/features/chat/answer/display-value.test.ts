import { expect, test } from 'vitest'
import { displayValue, displayResult } from './display-value.ts'

const text = (words: string) => ({ kind: 'text', text: words })
const passage = {
  number: 1,
  title: 'Privacy',
  file: 'privacy.md',
  heading: 'Keeping',
  text: '# Keeping\nChats  go\nafter **30** days.',
  relevance: 0.9,
}

test.each([
  ['calculator', { expression: '6*7', result: 42, text: '42' }, text('6*7 = 42')],
  ['calculator', { error: 'There is a bracket too many.' }, text('There is a bracket too many.')],
  [
    'search_knowledge',
    { passages: [passage], topics: [] },
    { kind: 'hits', hits: [{ number: 1, title: 'Privacy', place: 'Keeping', excerpt: 'Keeping Chats go after 30 days.' }], isCut: false },
  ],
  ['search_knowledge', { passages: [], topics: ['Tea'] }, { kind: 'hits', hits: [], isCut: false }],
  [
    'web_search',
    { source: 'a search of the web', notice: 'n', content: [{ url: 'https://tea.example/a', title: 'Tea', excerpt: 'Green.' }] },
    { kind: 'hits', hits: [{ title: 'Tea', place: 'tea.example', excerpt: 'Green.' }], isCut: false },
  ],
  ['shop_order', { source: 'a tool', notice: 'n', content: 'It is ordered.' }, text('It is ordered.')],
])('summarizes the result of %s', (tool, output, reading) => {
  expect(displayResult(tool, output)).toEqual(reading)
})

test('shows an unknown result, or a text of JSON, as named values', () => {
  const reading = {
    kind: 'entries',
    entries: [
      { name: 'In stock', value: { kind: 'boolean', value: true } },
      { name: 'Unit price', value: text('4.5') },
      { name: 'Kinds', value: { kind: 'list', items: [text('green'), text('black')], isCut: false } },
      { name: 'Until', value: { kind: 'empty' } },
    ],
    isCut: false,
  }
  const value = { in_stock: true, unitPrice: 4.5, kinds: ['green', 'black'], until: null }
  expect([displayValue(value), displayValue(JSON.stringify(value))]).toEqual([reading, reading])
})

test.each([
  ['calculator', null],
  ['calculator', { expression: 6, text: {} }],
  ['search_knowledge', { passages: [null, 5, { title: 'x' }] }],
  ['search_knowledge', { passages: 'none' }],
  ['web_search', { notice: 1, content: [{ url: 'no address', title: 'T', excerpt: 3 }] }],
  ['anything', '{"broken'],
])('displays a malformed result of %s: %j', (tool, output) => {
  expect(displayResult(tool, output).kind).toMatch(/empty|text|entries|list/)
})

test('shows deeply nested values as JSON and cuts long ones', () => {
  expect(displayValue({ a: { b: { c: { d: 1 } }, x: 1 }, y: 2 })).toMatchObject({
    entries: [{ value: { entries: [{ value: { entries: [{ name: 'C', value: { kind: 'code', text: '{\n  "d": 1\n}' } }] } }, {}] } }, {}],
  })
  expect(displayValue('x'.repeat(9_000))).toEqual(text(`${'x'.repeat(2_000)}…`))
  expect(displayValue(Array.from({ length: 50 }, () => 1))).toMatchObject({ items: { length: 20 }, isCut: true })
})
