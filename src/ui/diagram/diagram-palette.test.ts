import { expect, test } from 'vitest'
import { paletteOf } from './diagram-palette.ts'

const isDark = (source: string) => paletteOf(source, true)['darkMode']

test('a diagram follows the theme of the page', () => {
  expect(isDark('flowchart LR\n A["#1: backfill: yes"] --> B')).toBe(true)
  expect(paletteOf('flowchart LR\n A --> B', false)['darkMode']).toBe(false)
})

test.each([
  'style A fill:#f9f',
  'classDef hot background:orange',
  'linkStyle 0 color: red',
  'rect rgb(200, 220, 240)',
  'bgColor="#1168bd"',
])('a diagram with colours of its own stays light: %s', (line) => {
  expect(isDark(`flowchart LR\n A --> B\n ${line}`)).toBe(false)
})
