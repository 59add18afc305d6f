import { expect, test } from 'vitest'
import { readSettings } from './config.ts'
import { contrast } from '../branding/contrast.ts'

test('computes contrast as WCAG does', () => {
  expect(contrast('#000000', '#ffffff')).toBe(21)
  expect(contrast('#ffffff', '#ffffff')).toBe(1)
  expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2)
})

test('adds nothing to the page without settings', () => {
  expect(readSettings({}).branding).toEqual({ colors: null, logoFile: null, welcomeLine: null, links: [] })
})

test('accepts readable colours, and links with labels', () => {
  const LINKS = 'Imprint = https://example.org/imprint?a=b | Write to us=mailto:us@example.org |'
  const { branding } = readSettings({ THEME_COLOR: '#7A1F5C, #f0a8d4', WELCOME_LINE: 'Ask about rooms.', LINKS })
  expect(branding).toEqual({
    colors: { light: '#7a1f5c', dark: '#f0a8d4' },
    logoFile: null,
    welcomeLine: 'Ask about rooms.',
    links: [
      { label: 'Imprint', url: 'https://example.org/imprint?a=b' },
      { label: 'Write to us', url: 'mailto:us@example.org' },
    ],
  })
})

test.each([
  [{ THEME_COLOR: '#82d3b3' }, 'THEME_COLOR has too little contrast on the light page (at least 4.5:1): choose a darker colour'],
  [{ THEME_COLOR: '#14634b,#14634b' }, 'THEME_COLOR has too little contrast on the dark page (at least 4.5:1): choose a lighter colour'],
  [{ THEME_COLOR: 'green' }, 'THEME_COLOR must be a colour like #14634b'],
  [{ LINKS: 'Imprint' }, 'LINKS must be up to 5 links like Imprint=https://example.org/imprint, with | between them'],
  [{ LINKS: 'Run=javascript:alert(1)' }, 'LINKS must be up to 5 links'],
  [{ LINKS: Array.from({ length: 6 }, () => 'A=https://example.org/').join('|') }, 'LINKS must be up to 5 links'],
])('rejects %j', (environment, sentence) => {
  expect(() => readSettings(environment)).toThrow(sentence)
})
