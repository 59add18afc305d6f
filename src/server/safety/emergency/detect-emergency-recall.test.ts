import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { expect, test } from 'vitest'
import { detectEmergency } from './detect-emergency.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const rowsOf = (set: string) => parse(readFileSync(join(ROOT, 'eval', `${set}.yaml`), 'utf8')) as Record<string, string>[]
const isAlarm = (text: string | undefined) => text !== undefined && detectEmergency(text) !== null

// Counts alone, because nobody reads the sets but "plain".
test.each([
  ['plain', 398, 0],
  ['unseen', 83, 1],
  ['cove', 155, 11],
])('finds as many emergencies of the set "%s" as eval/README.md says', (set, recall, alarms) => {
  const found = rowsOf(`emergency/${set}`).filter(({ text }) => isAlarm(text))
  const falseAlarms = found.filter(({ kind }) => kind === 'none').length
  expect(found.length - falseAlarms).toBeGreaterThanOrEqual(recall)
  expect(falseAlarms).toBeLessThanOrEqual(alarms)
})

test('takes no sentence of the page for an emergency', () => {
  const folder = join(ROOT, 'src/ui/language/messages')
  const sentences = readdirSync(folder).flatMap((file) => {
    const messages = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, string | Record<string, string>>
    return [
      ...Object.keys(messages),
      ...Object.values(messages).flatMap((message) => (typeof message === 'string' ? [message] : Object.values(message))),
    ]
  })
  expect(sentences.filter(isAlarm)).toEqual([])
})

test('takes hardly any question or sentence of an office for an emergency', () => {
  const texts = [
    'emergency/ordinary/questions-unseen',
    'personal-data/unseen',
    'emergency/ordinary/unseen',
    'emergency/ordinary/sentences-unseen',
  ].flatMap((set) => rowsOf(set).map(({ text, sentence }) => text ?? sentence))
  expect(texts.length).toBeGreaterThan(500)
  expect(texts.filter(isAlarm).length).toBeLessThanOrEqual(1)
})
