import { expect, test } from 'vitest'
import { PAGE_LANGUAGES } from '../../../contract/page-languages.ts'
import { EMERGENCY_KINDS } from './kinds.ts'
import { LABELS, OPENINGS, UNKNOWN_COUNTRY } from './reply-texts.ts'

const placeholders = (text: string) => text.match(/\{\w+\}/g) ?? []
const sentences = [...EMERGENCY_KINDS.map((kind) => [kind, OPENINGS[kind]] as const), ['of an unknown country', UNKNOWN_COUNTRY] as const]

test.each(sentences)('the sentence %s exists in every language, with the same placeholders', (_, texts) => {
  const written = Object.values(texts)
  expect(written).toHaveLength(PAGE_LANGUAGES.length)
  for (const text of written) expect([text, placeholders(text)]).toEqual([expect.stringMatching(/\p{L}/u), placeholders(texts.en ?? '')])
})

test('every kind of number has a name in every language', () => {
  for (const language of PAGE_LANGUAGES) for (const name of Object.values(LABELS[language])) expect(name, language).toMatch(/\p{L}/u)
})
