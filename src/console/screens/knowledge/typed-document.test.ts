import { expect, test } from 'vitest'
import { fileNameOf, hasContent, headingOf } from './typed-document.ts'

test('a heading is made of the first three words of a topic', () => {
  expect(headingOf(['élan rides', 'price', 'summer', 'winter'])).toBe('Élan rides price summer')
  expect(headingOf([])).toBe('')
})

test('a file is named after the first heading, in any script, or after its first words', () => {
  expect(fileNameOf('Text\n\n## What does it cost? — 2026\n\n# Other')).toBe('what-does-it-cost-2026.md')
  expect(fileNameOf('# رحلات المنطاد')).toBe('رحلات-المنطاد.md')
  expect(fileNameOf(`# ${'a'.repeat(500)}`)).toHaveLength(103)
  expect(fileNameOf('The office opens at nine on Mondays.')).toBe('the-office-opens-at-nine.md')
  for (const text of ['', '# ?!', '?']) expect(fileNameOf(text)).toBe('')
})

test('headings alone are no content', () => {
  for (const text of ['', ' \n', '# Zeppelin rides\n\n', '# A\n##\n### B']) expect(hasContent(text)).toBe(false)
  for (const text of ['Rides start at noon.', '# A\n\nText', '#hashtag']) expect(hasContent(text)).toBe(true)
})
