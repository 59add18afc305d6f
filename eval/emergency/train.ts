import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { featuresOf, KIND_BUCKETS } from '../../src/server/safety/emergency/classifier/features.ts'
import { type ClassifierWeights, encodeWeights, oddsOf } from '../../src/server/safety/emergency/classifier/weights-file.ts'
import { windowsOf } from '../../src/server/safety/emergency/classifier/windows.ts'
import { servicePrompts } from '../published.ts'
import { type Example, type LinearModel, seededRandom, trainLinear } from './linear-training.ts'
import { checksumOf, ordinarySentences, pageSentences, type TrainingLine, trainingLines } from './training-lines.ts'

const FILE = join(import.meta.dirname, '../../src/server/safety/emergency/classifier/weights.bin')
/** There are many of them, and they resemble each other. */
const PAGE_WEIGHT = 0.3
const ORDINARY_WEIGHT = 1
const OTHER_TEXT_WEIGHT = 0.3
/** Pieces of harmless sentences teach that common words say nothing by themselves. */
const FRAGMENT = { weight: 0.3, ofSentence: 2, longestWords: 6 }

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('npm run train-emergency -- FOLDER needs the folder of the published sets (eval/README.md)')
const lines = trainingLines()
const random = seededRandom(1)
const ordinary = ordinarySentences()
const model = quantised(
  trainLinear([
    ...lines.flatMap((line) => [...examplesOf(line), ...withinOtherText(line)]),
    ...pageSentences().flatMap((text) => withFragments(text, PAGE_WEIGHT)),
    ...ordinary.flatMap((text) => withFragments(text, ORDINARY_WEIGHT)),
  ]),
)
/** The lowest threshold with which none of the published prompts is taken for an emergency. */
const threshold = servicePrompts(folder).reduce(
  (most, prompt) => windowsOf(prompt).reduce((highest, text) => Math.max(highest, oddsOf(featuresOf(text), model)), most),
  0,
)
writeFileSync(FILE, encodeWeights({ ...model, threshold, trainedOn: checksumOf(lines) }))
console.log(`Trained on ${lines.length} lines, threshold ${threshold.toFixed(2)}. npm run eval -- --published counts the held-back sets.`)

function examplesOf({ variants, kind }: TrainingLine): Example[] {
  return variants.map((text) => ({ text, kind, weight: 1 / Math.sqrt(variants.length) }))
}

/** An emergency stays one beside what else a visitor writes. */
function withinOtherText({ kind, variants: [text = ''] }: TrainingLine): Example[] {
  if (kind === 'none') return []
  const other = ordinary[Math.floor(random() * ordinary.length)] ?? ''
  const both = random() < 0.5 ? `${text}. ${other}` : `${other} ${text}`
  return [{ text: both, kind, weight: OTHER_TEXT_WEIGHT }]
}

function withFragments(text: string, weight: number): Example[] {
  const words = text.split(/\s+/)
  const fragments = Array.from({ length: words.length > 2 ? FRAGMENT.ofSentence : 0 }, () => {
    const length = 1 + Math.floor(random() * Math.min(FRAGMENT.longestWords, words.length - 1))
    const start = Math.floor(random() * (words.length - length + 1))
    return words.slice(start, start + length).join(' ')
  })
  return [harmlessExample(text, weight), ...fragments.map((fragment) => harmlessExample(fragment, weight * FRAGMENT.weight))]
}

function harmlessExample(text: string, weight: number): Example {
  return { text, kind: 'none', weight }
}

function quantised({ emergency, kinds, bias }: LinearModel): Omit<ClassifierWeights, 'threshold' | 'trainedOn'> {
  const emergencyScale = scaleOf(emergency)
  const kindScale = Math.max(...kinds.map(scaleOf))
  const allKinds = new Int8Array(kinds.length * KIND_BUCKETS)
  for (const [index, weights] of kinds.entries()) allKinds.set(rounded(weights, kindScale), index * KIND_BUCKETS)
  return { emergency: rounded(emergency, emergencyScale), emergencyScale, kinds: allKinds, bias }
}

function scaleOf(weights: Float32Array): number {
  return weights.reduce((largest, weight) => Math.max(largest, Math.abs(weight)), 0) / 127
}

function rounded(weights: Float32Array, scale: number): Int8Array<ArrayBuffer> {
  return Int8Array.from(weights, (weight) => Math.round(weight / scale))
}
