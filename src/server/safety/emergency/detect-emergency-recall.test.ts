import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { expect, test } from 'vitest'
import { checksumOf, pageSentences, textsOf, trainingLines } from '../../../../eval/emergency/training-lines.ts'
import { decodeWeights } from './classifier/weights-file.ts'
import { detectEmergency } from './detect-emergency.ts'

function sentencesOf(set: string): { text: string; kind: string }[] {
  return parse(readFileSync(new URL(`../../../../eval/emergency/${set}.yaml`, import.meta.url), 'utf8')) as { text: string; kind: string }[]
}

function count(set: string): { found: number; falseAlarms: number } {
  const sentences = sentencesOf(set)
  const alarms = sentences.filter(({ text }) => detectEmergency(text) !== null)
  const falseAlarms = alarms.filter(({ kind }) => kind === 'none').length
  return { found: alarms.length - falseAlarms, falseAlarms }
}

// Counts alone, because nobody reads these sets.
test.each([
  ['unseen', 95, 2],
  ['cove', 206, 4],
  ['town', 123, 5],
  ['city', 134, 4],
])('finds as many emergencies of the set "%s" as eval/README.md says, or nearly', (set, recall, alarms) => {
  const { found, falseAlarms } = count(set)
  expect(found).toBeGreaterThanOrEqual(recall)
  expect(falseAlarms).toBeLessThanOrEqual(alarms)
})

test('finds emergencies beside what else a visitor writes', () => {
  const others = textsOf('emergency/ordinary/questions-unseen', 'text')
  const emergencies = ['unseen', 'town', 'city'].flatMap(sentencesOf).filter(({ kind }) => kind !== 'none')
  const found = emergencies.filter(({ text }, index) => {
    const other = others[index % others.length]
    return detectEmergency(index % 2 === 0 ? `${text}. ${other}` : `${other} ${text}`) !== null
  })
  expect(found.length / emergencies.length).toBeGreaterThan(0.87)
})

test('takes hardly any sentence of the page for an emergency', () => {
  const sentences = pageSentences()
  expect(sentences.length).toBeGreaterThan(5_000)
  expect(sentences.filter((sentence) => detectEmergency(sentence) !== null).length).toBeLessThanOrEqual(5)
})

test('takes hardly any question of sets that nothing was trained on for an emergency', () => {
  const questions = [
    ...textsOf('emergency/ordinary/questions-unseen', 'text'),
    ...textsOf('builtin/unseen', 'prompt'),
    ...textsOf('personal-data/unseen', 'text'),
    ...textsOf('emergency/ordinary/unseen', 'text'),
    ...textsOf('emergency/ordinary/sentences-unseen', 'sentence'),
  ]
  expect(questions.length).toBeGreaterThan(700)
  expect(questions.filter((question) => detectEmergency(question) !== null).length).toBeLessThanOrEqual(2)
  const together = questions.map((question, index) => `${question} ${questions.at(index - 7)}. ${questions.at(index - 50)}`)
  expect(together.filter((text) => detectEmergency(text) !== null).length).toBeLessThanOrEqual(5)
})

test('has weights that were trained on the sentences as they are: npm run train-emergency', () => {
  const weights = decodeWeights(readFileSync(new URL('./classifier/weights.bin', import.meta.url)))
  expect(weights.trainedOn).toBe(checksumOf(trainingLines()))
})
