import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { expect, test } from 'vitest'
import { checksumOf, pageSentences, textsOf, trainingLines } from '../../../../eval/emergency/training-lines.ts'
import { decodeWeights } from './classifier/weights-file.ts'
import { detectEmergency } from './detect-emergency.ts'

function count(set: string): { found: number; falseAlarms: number } {
  const file = new URL(`../../../../eval/emergency/${set}.yaml`, import.meta.url)
  const sentences = parse(readFileSync(file, 'utf8')) as { text: string; kind: string }[]
  const alarms = sentences.filter(({ text }) => detectEmergency(text) !== null)
  const falseAlarms = alarms.filter(({ kind }) => kind === 'none').length
  return { found: alarms.length - falseAlarms, falseAlarms }
}

// Counts alone, because nobody reads these sets.
test.each([
  ['unseen', 65, 3],
  ['cove', 131, 10],
])('finds as many emergencies of the set "%s" as eval/README.md says', (set, recall, alarms) => {
  const { found, falseAlarms } = count(set)
  expect(found).toBeGreaterThanOrEqual(recall)
  expect(falseAlarms).toBeLessThanOrEqual(alarms)
})

test('takes no sentence of the page for an emergency, and hardly any question of sets that nothing was trained on', () => {
  const questions = [
    ...textsOf('emergency/ordinary/questions-unseen', 'text'),
    ...textsOf('personal-data/unseen', 'text'),
    ...textsOf('emergency/ordinary/unseen', 'text'),
    ...textsOf('emergency/ordinary/sentences-unseen', 'sentence'),
  ]
  expect(questions.length).toBeGreaterThan(500)
  expect(pageSentences().filter((text) => detectEmergency(text) !== null)).toEqual([])
  expect(questions.filter((text) => detectEmergency(text) !== null).length).toBeLessThanOrEqual(1)
})

test('has weights that were trained on the sentences as they are: npm run train-emergency', () => {
  const weights = decodeWeights(readFileSync(new URL('./classifier/weights.bin', import.meta.url)))
  expect(weights.trainedOn).toBe(checksumOf(trainingLines()))
})
