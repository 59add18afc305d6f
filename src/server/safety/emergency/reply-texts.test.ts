import { expect, test } from 'vitest'
import { PAGE_LANGUAGES } from '../../../contract/page-languages.ts'
import { LABELS, OPENINGS } from './reply-texts.ts'

test.each(PAGE_LANGUAGES)('the language "%s" has a text for each kind, and a name for each number', (language) => {
  for (const texts of Object.values(OPENINGS)) expect(texts[language]).toMatch(/^.{20}/u)
  const labels = Object.values(LABELS[language])
  expect(labels.every((label) => /^.{2}/u.test(label))).toBe(true)
  expect(new Set(labels).size).toBe(6)
})
