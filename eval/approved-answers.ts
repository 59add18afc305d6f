import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parse } from 'yaml'
import { ApprovedAnswers } from '../src/server/policy/approved/approved-answers.ts'
import { readApprovedAnswer } from '../src/server/policy/approved/read-approved-answer.ts'
import { ContentWordReader } from '../src/server/policy/content-words.ts'
import { type ReadText, similarity } from '../src/server/policy/example-matcher.ts'

interface Prompt {
  text: string
  /** The answer's file without its extension, or `none`. */
  answer: string
}

const FOLDER = join(import.meta.dirname, 'approved-answers')
const SETS = ['seen', 'unseen', 'fresh'] as const

/** Prints how many paraphrases get their approved answer and how many near misses get one, beside word similarity with one threshold. */
export async function measureApprovedAnswers(say: (line: string) => void): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'approved-answers-'))
  try {
    cpSync(join(FOLDER, 'answers'), join(directory, 'approved'), { recursive: true })
    const answers = new ApprovedAnswers({ directory, now: () => new Date('2026-06-01'), onWarning: say })
    await answers.reload()
    const strict = (text: string) => nameOf(answers.answerTo(text, [])?.file)
    const baseline = await similarityBaseline(directory, answers.files)
    const threshold = bestThreshold(baseline, promptsOf('seen'))
    for (const set of SETS) {
      const prompts = promptsOf(set)
      say(`approved answers, ${set}: ${counted(prompts, strict)}`)
      say(`  similarity of words from ${threshold}: ${counted(prompts, (text) => answerFrom(baseline(text), threshold))}`)
    }
  } finally {
    rmSync(directory, { recursive: true })
  }
}

interface Similar {
  answer: string
  score: number
}

/** What many would build first: the answer with the most similar paraphrase, if it is similar enough. */
async function similarityBaseline(directory: string, files: readonly string[]): Promise<(text: string) => Similar> {
  const reader = await ContentWordReader.open()
  const read = (text: string): ReadText => {
    const words = reader.read(text)
    return { words, stems: new Set(words.flat()) }
  }
  const paraphrases = files.flatMap((file) => {
    const reading = readApprovedAnswer(file, readFileSync(join(directory, file), 'utf8'))
    return reading.kind === 'read' ? reading.answer.matches.map((text) => ({ answer: nameOf(file), read: read(text) })) : []
  })
  return (text) => {
    const prompt = read(text)
    return paraphrases
      .map((one) => ({ answer: one.answer, score: similarity(prompt, one.read) }))
      .reduce((best, one) => (one.score > best.score ? one : best), { answer: 'none', score: 0 })
  }
}

/** The threshold with which most prompts near the paraphrases are right. Seen paraphrases are in the files, so only near misses tell. */
function bestThreshold(baseline: (text: string) => Similar, prompts: readonly Prompt[]): number {
  const thresholds = [0.5, 0.6, 0.7, 0.8, 0.9, 1]
  const rightWith = (threshold: number) => prompts.filter(({ text, answer }) => answerFrom(baseline(text), threshold) === answer).length
  return thresholds.reduce((best, one) => (rightWith(one) > rightWith(best) ? one : best))
}

function answerFrom({ answer, score }: Similar, threshold: number): string {
  return score >= threshold ? answer : 'none'
}

function counted(prompts: readonly Prompt[], answerTo: (text: string) => string): string {
  const got = prompts.map(({ text, answer }) => ({ answer, got: answerTo(text) }))
  const [meant, near] = [got.filter(({ answer }) => answer !== 'none'), got.filter(({ answer }) => answer === 'none')]
  const right = meant.filter((one) => one.got === one.answer).length
  const wrong = meant.filter((one) => one.got !== one.answer && one.got !== 'none').length
  const matched = near.filter((one) => one.got !== 'none').length
  return `right ${right} of ${meant.length}, wrong answer ${wrong}, near misses that match ${matched} of ${near.length}`
}

function promptsOf(set: (typeof SETS)[number]): Prompt[] {
  return parse(readFileSync(join(FOLDER, `${set}.yaml`), 'utf8')) as Prompt[]
}

const nameOf = (file: string | undefined): string => (file === undefined ? 'none' : basename(file, '.md'))
