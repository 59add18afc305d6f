import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { KIND_BUCKETS } from '../../src/server/safety/emergency/classifier/features.ts'
import { type ClassifierWeights, encodeWeights } from '../../src/server/safety/emergency/classifier/weights-file.ts'
import { phraseKindIn } from '../../src/server/safety/emergency/read-sentences.ts'
import { type Example, type LinearModel, oddsOf, seededRandom, trainLinear } from './linear-training.ts'
import { checksumOf, ordinarySentences, pageSentences, type TrainingLine, trainingLines } from './training-lines.ts'

const FILE = join(import.meta.dirname, '../../src/server/safety/emergency/classifier/weights.bin')
const FOLDS = 5
const FALSE_ALARMS = 0.015
/** There are many of them, and they resemble each other. */
const PAGE_WEIGHT = 0.3
const ORDINARY_WEIGHT = 1
const OTHER_TEXT_WEIGHT = 0.3
/** Pieces of harmless sentences teach that common words say nothing by themselves. */
const FRAGMENT = { weight: 0.3, ofSentence: 2, longestWords: 6 }

/** A line with the fold in which it is held out: its variants are never on both sides. */
interface Held {
  line: TrainingLine
  examples: readonly Example[]
  fold: number
}

const lines = trainingLines()
const random = seededRandom(1)
const ordinary = ordinarySentences()
const held: Held[] = lines.map((line) => ({
  line,
  examples: [...examplesOf(line), ...withinOtherText(line)],
  fold: Math.floor(random() * FOLDS),
}))
const harmless = [
  ...pageSentences().flatMap((text) => withFragments(text, PAGE_WEIGHT)),
  ...ordinary.flatMap((text) => withFragments(text, ORDINARY_WEIGHT)),
]
const threshold = calibrate()
const model = trainLinear([...held.flatMap(({ examples }) => examples), ...harmless])
writeFileSync(FILE, encodeWeights({ ...quantised(model), threshold, trainedOn: checksumOf(lines) }))
console.log(`Trained on ${lines.length} lines, threshold ${threshold.toFixed(2)}. npm run eval -- --detectors counts the held-back sets.`)

function examplesOf({ variants, kind, hasTunedRules }: TrainingLine): Example[] {
  return variants.map((text) => ({
    text,
    kind,
    weight: 1 / Math.sqrt(variants.length),
    hasRule: !hasTunedRules && phraseKindIn(text) !== null,
  }))
}

/** An emergency stays one beside what else a visitor writes. */
function withinOtherText({ kind, variants: [text = ''], hasTunedRules }: TrainingLine): Example[] {
  if (kind === 'none') return []
  const other = ordinary[Math.floor(random() * ordinary.length)] ?? ''
  const both = random() < 0.5 ? `${text}. ${other}` : `${other} ${text}`
  return [{ text: both, kind, weight: OTHER_TEXT_WEIGHT, hasRule: !hasTunedRules && phraseKindIn(text) !== null }]
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
  return { text, kind: 'none', weight, hasRule: false }
}

/** The lowest threshold with which 1.5 % of the held-out lines that are none are taken for emergencies. */
function calibrate(): number {
  const found: { odds: number; isEmergency: boolean }[] = []
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const trained = trainLinear([
      ...held.filter((one) => one.fold !== fold).flatMap(({ examples }) => examples),
      ...harmless.filter((_, index) => index % FOLDS !== fold),
    ])
    for (const { line, examples } of held.filter((one) => one.fold === fold))
      for (const example of examples.slice(0, 1)) found.push({ odds: oddsOf(trained, example), isEmergency: line.kind !== 'none' })
  }
  const others = found.filter(({ isEmergency }) => !isEmergency).toSorted((a, b) => b.odds - a.odds)
  const limit = others[Math.floor(others.length * FALSE_ALARMS)]?.odds ?? 0
  const emergencies = found.filter(({ isEmergency }) => isEmergency)
  console.log(
    `Held-out lines: ${emergencies.filter(({ odds }) => odds > limit).length} of ${emergencies.length} found at ${100 * FALSE_ALARMS} % false alarms`,
  )
  return limit
}

function quantised({ emergency, kinds, bias, ruleWeight }: LinearModel): Omit<ClassifierWeights, 'threshold' | 'trainedOn'> {
  const emergencyScale = scaleOf(emergency)
  const kindScale = Math.max(...kinds.map(scaleOf))
  const allKinds = new Int8Array(kinds.length * KIND_BUCKETS)
  for (const [index, weights] of kinds.entries()) allKinds.set(rounded(weights, kindScale), index * KIND_BUCKETS)
  return { emergency: rounded(emergency, emergencyScale), emergencyScale, kinds: allKinds, bias, phraseWeight: ruleWeight }
}

function scaleOf(weights: Float32Array): number {
  return weights.reduce((largest, weight) => Math.max(largest, Math.abs(weight)), 0) / 127
}

function rounded(weights: Float32Array, scale: number): Int8Array<ArrayBuffer> {
  return Int8Array.from(weights, (weight) => Math.round(weight / scale))
}
