import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PageLanguage } from '../../../contract/page-languages.ts'
import { APPROVED_FOLDER } from '../../knowledge/sources/list-files.ts'
import { readTextFile } from '../../knowledge/sources/read-regular-file.ts'
import type { ApprovedAnswer } from './approved-answer.ts'
import { ParaphraseMatcher } from './paraphrase-matcher.ts'
import { MAX_QUESTION_CHARACTERS, QuestionReader, type ReadQuestion } from './question-reader.ts'
import { readApprovedAnswer } from './read-approved-answer.ts'

const MAX_ANSWERS = 500
const MAX_FILE_BYTES = 64 * 1024
const MAX_PROBLEMS_PER_FILE = 10

export interface ApprovedAnswersOptions {
  /** The knowledge folder. */
  directory: string
  now: () => Date
  onWarning: (message: string, cause?: unknown) => void
}

interface Matchable {
  answer: ApprovedAnswer
  reader: QuestionReader
  matcher: ParaphraseMatcher
  placed: (path: PropertyKey[]) => number
}

/** The approved answers of the knowledge folder, one per Markdown file. A file with a mistake is left out and reported; the others apply. */
export class ApprovedAnswers {
  readonly #options: ApprovedAnswersOptions
  readonly #readers = new Map<string, Promise<QuestionReader>>()
  readonly #reportedAsExpired = new Set<string>()
  #answers: readonly Matchable[] = []
  #mistakes: readonly string[] = []
  #reading: Promise<void> = Promise.resolve()

  constructor(options: ApprovedAnswersOptions) {
    this.#options = options
  }

  /** Mistakes in the files, and answers that have expired. */
  get problems(): string[] {
    return [...this.#mistakes, ...this.#answers.filter(({ answer }) => this.#isExpired(answer)).map(({ answer }) => expired(answer))]
  }

  /** The files that can answer, as paths below the knowledge folder. */
  get files(): string[] {
    return this.#answers.map(({ answer }) => answer.file)
  }

  /** Reads the files again. Never rejects: without a readable folder, the answers stay. */
  reload(): Promise<void> {
    this.#reading = this.#reading
      .then(() => this.#read())
      .catch((cause: unknown) => this.#options.onWarning('Reading the approved answers failed; keeping the loaded ones', cause))
    return this.#reading
  }

  /** The answer to exactly this question; `null` if there is none, or two are equally close. `excluded`: files that may not be used. */
  answerTo(prompt: string, excluded: readonly string[]): ApprovedAnswer | null {
    this.#reportExpired()
    const today = this.#today()
    const current = this.#answers.filter(
      ({ answer: { file, source, validFrom, validUntil } }) =>
        validFrom <= today && today <= validUntil && !excluded.includes(file) && !excluded.includes(source.title),
    )
    const best = closestOf(prompt, current)
    return best.length === 1 ? (best[0]?.answer ?? null) : null
  }

  async #read(): Promise<void> {
    const mistakes: string[] = []
    const read: Matchable[] = []
    const files = await this.#files()
    if (files.length > MAX_ANSWERS) mistakes.push(`${APPROVED_FOLDER}: more than ${MAX_ANSWERS} approved answers; ignoring the rest.`)
    for (const file of files.slice(0, MAX_ANSWERS)) {
      const outcome = await this.#load(file)
      if (Array.isArray(outcome)) mistakes.push(...outcome)
      else read.push(outcome)
    }
    const answers: Matchable[] = []
    for (const one of read) {
      // Comparing many answers with each other takes long.
      await nextTurn()
      const { reported, isUsable } = tested(one, read)
      mistakes.push(...reported)
      if (isUsable) answers.push(one)
    }
    for (const mistake of mistakes) if (!this.#mistakes.includes(mistake)) this.#options.onWarning(mistake)
    this.#mistakes = mistakes
    this.#answers = answers
    this.#reportedAsExpired.clear()
    this.#reportExpired()
  }

  async #files(): Promise<string[]> {
    try {
      const names = await readdir(join(this.#options.directory, APPROVED_FOLDER), { recursive: true })
      return names
        .map((name) => name.replaceAll('\\', '/'))
        .filter((name) => /^(?!\.)(?!.*\/\.).*\.md$/i.test(name))
        .toSorted()
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw cause
    }
  }

  async #load(name: string): Promise<Matchable | string[]> {
    const file = `${APPROVED_FOLDER}/${name}`
    let text: string
    try {
      text = await readTextFile(join(this.#options.directory, file), MAX_FILE_BYTES)
    } catch (cause) {
      this.#options.onWarning(`Reading ${file} failed; leaving it out`, cause)
      return [`${file}: left out. It cannot be read.`]
    }
    const reading = readApprovedAnswer(file, text)
    if (reading.kind === 'mistaken') return reading.mistakes.map(({ line, message }) => `${file}, line ${line}: ${message}; it is left out`)
    const { answer, placed } = reading
    const reader = await this.#reader(answer.languages)
    return { answer, reader, placed, matcher: new ParaphraseMatcher(reader, answer) }
  }

  #reader(languages: readonly PageLanguage[]): Promise<QuestionReader> {
    const key = languages.toSorted().join()
    const reader = this.#readers.get(key) ?? QuestionReader.open(languages)
    this.#readers.set(key, reader)
    return reader
  }

  #today(): string {
    return this.#options.now().toISOString().slice(0, 10)
  }

  #isExpired({ validUntil }: ApprovedAnswer): boolean {
    return validUntil < this.#today()
  }

  #reportExpired(): void {
    for (const { answer } of this.#answers) {
      if (!this.#isExpired(answer) || this.#reportedAsExpired.has(answer.file)) continue
      this.#reportedAsExpired.add(answer.file)
      this.#options.onWarning(expired(answer))
    }
  }
}

/** What the answer's own paraphrases get from all answers. It is usable if they get it, and none of `mustNotMatch` does. */
function tested({ answer, placed }: Matchable, all: readonly Matchable[]): { reported: string[]; isUsable: boolean } {
  const reported: string[] = []
  let isUsable = true
  const report = (path: PropertyKey[], message: string) =>
    reported.push(`${answer.file}, line ${placed(path)}: ${path.join('.')} ${message}`)
  for (const [at, text] of answer.matches.entries()) {
    const path = at === 0 ? ['question'] : ['matches', at - 1]
    const best = closestOf(text, all)
    const isFound = best.some((found) => found.answer === answer)
    if (isFound && best.length > 1) report(path, `is as close to ${otherFiles(best, answer)}; neither answers it`)
    else if (!isFound)
      report(
        path,
        best.length > 0 ? `matches ${otherFiles(best, answer)} instead; the file is left out` : 'does not match; the file is left out',
      )
    isUsable &&= isFound
  }
  for (const [at, text] of answer.mustNotMatch.entries()) {
    if (!closestOf(text, all).some((found) => found.answer === answer)) continue
    report(['mustNotMatch', at], 'matches; the file is left out')
    isUsable = false
  }
  return { reported: reported.slice(0, MAX_PROBLEMS_PER_FILE), isUsable }
}

/** The answers that a prompt is closest to: none, one, or several that are equally close. */
function closestOf(prompt: string, answers: readonly Matchable[]): Matchable[] {
  if (prompt.trim().length > MAX_QUESTION_CHARACTERS) return []
  const read = new Map<QuestionReader, ReadQuestion>()
  let [best, score]: [Matchable[], number] = [[], 0]
  for (const one of answers) {
    const question = read.get(one.reader) ?? one.reader.read(prompt)
    read.set(one.reader, question)
    const reached = one.matcher.score(question)
    if (reached > score) [best, score] = [[one], reached]
    else if (reached > 0 && reached === score) best.push(one)
  }
  return best
}

function otherFiles(found: readonly Matchable[], answer: ApprovedAnswer): string {
  return found.flatMap(({ answer: { file } }) => (file === answer.file ? [] : file)).join(', ')
}

function expired({ file, validUntil, owner }: ApprovedAnswer): string {
  return `${file}: expired on ${validUntil} and answers no more. Ask ${owner} for a new version.`
}
