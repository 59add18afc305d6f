import { expect, test } from 'vitest'
import { ContentWordReader } from './content-words.ts'

test('reads a long prompt by its beginning', async () => {
  const reader = new ContentWordReader()
  const text = `${'please  '.repeat(600)}passport`
  const sentences = reader.readSentences(`Licence fee. ${'please  '.repeat(500)}. Then a passport.`)
  expect(sentences.flat().flat()).toContain('licenc')
  expect(sentences.flat().flat()).not.toContain('passport')
  expect(reader.read(text).flat()).not.toContain('passport')
  expect(reader.readForms(text)).toEqual([])
})
