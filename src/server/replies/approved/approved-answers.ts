import type { ApprovedDraft, ApprovedProblem } from '../../../contract/staff/content/approved-answers.ts'
import { APPROVED_FOLDER } from '../../../contract/chat/approved-folder.ts'
import type { ApprovedAnswer } from './approved-answer.ts'
import { type ApprovedFile, readApprovedFiles } from './approved-files.ts'
import { answerOfDraft, problemAt } from './check-approved-draft.ts'
import { nearestAnswer } from './nearest-answer.ts'
import type { KnowledgeBase } from '../../knowledge/knowledge-base.ts'
import { foldWording } from '../../../text/fold-wording.ts'

const MAX_PROBLEMS_PER_FILE = 10

export interface ApprovedAnswersOptions {
  /** The knowledge folder. */
  directory: string
  /** Finds the wordings nearest to a prompt; without it, only exact ones count. */
  knowledge?: Pick<KnowledgeBase, 'setWordings' | 'nearWordings' | 'hasEmbedding'>
  now: () => Date
  onWarning: (message: string, cause?: unknown) => void
}

/** An answer that staff manage in the console. */
export interface ManagedAnswer {
  id: string
  content: ApprovedDraft
}

/** Whether an answer is given today, and if not, why. */
export type AnswerState = 'answers' | 'not-yet' | 'expired' | 'left-out' | 'hidden'

/** A file of the folder as it is in force, or not. */
export interface ListedApprovedFile {
  file: string
  answer: ApprovedAnswer | null
  state: Exclude<AnswerState, 'hidden'>
  problems: string[]
}

/** Says where a mistake of an answer is. */
type PlaceOf = (path: WordingProblem['path']) => string

/** Path below the knowledge folder by which a managed answer is named. */
export function fileOfAnswer(id: string): string {
  return `${APPROVED_FOLDER}/${id}.md`
}

/**
 * The approved answers of the knowledge folder, one per Markdown file, and those that staff manage; of two with the same file, the folder's
 * is in force. One with a mistake is left out and reported; the others apply.
 */
export class ApprovedAnswers {
  readonly #options: ApprovedAnswersOptions
  #files: readonly ApprovedFile[] = []
  #managed: readonly ManagedAnswer[] = []
  #answers: readonly ApprovedAnswer[] = []
  #wordings = new Wordings([])
  #mistakes: readonly string[] = []
  #reported: readonly string[] = []
  #problemsOf: ReadonlyMap<string, string[]> = new Map()
  #reading: Promise<void> = Promise.resolve()

  constructor(options: ApprovedAnswersOptions) {
    this.#options = options
  }

  /** Mistakes, and answers that have expired. */
  get problems(): string[] {
    return [...this.#mistakes, ...this.#answers.filter((answer) => this.#isExpired(answer)).map(expired)]
  }

  get folder(): ListedApprovedFile[] {
    return this.#files.map(({ file, answer }) => ({
      file,
      answer,
      state: this.#stateOf(file),
      problems: [...(this.#problemsOf.get(file) ?? []), ...(answer && this.#isExpired(answer) ? [expired(answer)] : [])],
    }))
  }

  /** The state of a managed answer that is published. */
  stateOf(id: string): AnswerState {
    return this.hiddenBy(id) === null ? this.#stateOf(fileOfAnswer(id)) : 'hidden'
  }

  /** The file that is in force instead of a managed answer; `null` if none. */
  hiddenBy(id: string): string | null {
    return fileHiding(id, this.#files)
  }

  /** Reads the files again. Never rejects: without a readable folder, the answers stay. */
  reload(): Promise<void> {
    return this.#change('Reading the approved answers failed; keeping the loaded ones', async () => {
      await this.#apply(await readApprovedFiles(this.#options.directory, this.#options.onWarning), this.#managed)
    })
  }

  /** Replaces the managed answers in force. Never rejects. */
  setManaged(managed: readonly ManagedAnswer[]): Promise<void> {
    return this.#change('Putting the managed approved answers into force failed; keeping the loaded ones', async () => {
      await this.#apply(this.#files, managed)
    })
  }

  /** Problems of a draft, if it were in force beside the other answers. */
  check(id: string, draft: ApprovedDraft): ApprovedProblem[] {
    const outcome = answerOfDraft(fileOfAnswer(id), draft)
    if ('problems' in outcome) return outcome.problems
    const { answer } = outcome
    const others = this.#answers.filter((other) => other.file !== answer.file && !this.#isExpired(other))
    const problems = wordingProblems(answer, new Wordings([...others, answer])).map(({ path: [field, at], message }) =>
      problemAt(field, at, message),
    )
    if (this.#isExpired(answer)) problems.push({ field: 'validUntil', line: null, message: 'Is in the past. Choose a later day.' })
    return problems
  }

  /** Whether prompts are compared by meaning, too. */
  get comparesMeaning(): boolean {
    return this.#options.knowledge?.hasEmbedding ?? false
  }

  /**
   * The answer that has exactly this question, otherwise the one whose wording is nearest in meaning; `null` if there is none, or two have
   * it. `excluded`: files that may not be used.
   */
  async answerTo(prompt: string, excluded: readonly string[]): Promise<ApprovedAnswer | null> {
    const today = this.#today()
    const isUsable = ({ file, source, validFrom, validUntil }: ApprovedAnswer) =>
      validFrom <= today && today <= validUntil && !excluded.includes(file) && !excluded.includes(source.title)
    const exact = this.#wordings.answersTo(prompt)
    const usable = exact.filter(isUsable)
    if (exact.length > 0) return usable.length === 1 ? (usable[0] ?? null) : null
    const near = (await this.#options.knowledge?.nearWordings(prompt)) ?? []
    const nearest = nearestAnswer(prompt, near, this.#answers)
    return nearest && isUsable(nearest) ? nearest : null
  }

  /** Changes run one after another. */
  #change(failure: string, change: () => Promise<void>): Promise<void> {
    this.#reading = this.#reading.then(change).catch((cause: unknown) => this.#options.onWarning(failure, cause))
    return this.#reading
  }

  /** Tests all answers against each other, and puts those without a mistake into force. Until then, everything is as it was. */
  async #apply(files: readonly ApprovedFile[], managed: readonly ManagedAnswer[]): Promise<void> {
    const mistakes: string[] = []
    const problemsOf = new Map<string, string[]>()
    const report = (file: string, found: string[]) => {
      problemsOf.set(file, [...(problemsOf.get(file) ?? []), ...found])
      mistakes.push(...found)
    }
    const places = new Map<ApprovedAnswer, PlaceOf>()
    for (const { file, answer, mistakes: found, placed } of files) {
      if (!answer) report(file, found)
      else places.set(answer, (path) => `${file}, line ${placed(path)}: ${path.join('.')}`)
    }
    for (const { id, content } of managed) {
      const file = fileOfAnswer(id)
      const hiding = fileHiding(id, files)
      const outcome = answerOfDraft(file, content)
      if (hiding !== null) mistakes.push(`${hiding} has the id of the managed approved answer "${id}", which is not in force while it has`)
      else if ('problems' in outcome) report(file, [`${file}, managed: ${outcome.problems[0]?.message ?? ''} It is left out`])
      else places.set(outcome.answer, (path) => `${file}, managed: ${path.join('.')}`)
    }
    const all = new Wordings([...places.keys()])
    const answers: ApprovedAnswer[] = []
    for (const [answer, placeOf] of places) {
      const problems = wordingProblems(answer, all)
      const sentences = problems.map(
        ({ path, message, isFatal }) => `${placeOf(path)} ${message}${isFatal ? '; the file is left out' : ''}`,
      )
      report(answer.file, sentences.slice(0, MAX_PROBLEMS_PER_FILE))
      if (!problems.some(({ isFatal }) => isFatal)) answers.push(answer)
    }
    this.#files = files
    this.#managed = managed
    this.#mistakes = mistakes
    this.#problemsOf = problemsOf
    this.#answers = answers
    this.#wordings = new Wordings(answers)
    const { problems } = this
    for (const problem of problems) if (!this.#reported.includes(problem)) this.#options.onWarning(problem)
    this.#reported = problems
    this.#options.knowledge?.setWordings(answers.flatMap(({ matches, mustNotMatch }) => [...matches, ...mustNotMatch]))
  }

  #stateOf(file: string): Exclude<AnswerState, 'hidden'> {
    const found = this.#answers.find((answer) => answer.file === file)
    if (!found) return 'left-out'
    if (this.#isExpired(found)) return 'expired'
    return found.validFrom > this.#today() ? 'not-yet' : 'answers'
  }

  #today(): string {
    return this.#options.now().toISOString().slice(0, 10)
  }

  #isExpired({ validUntil }: ApprovedAnswer): boolean {
    return validUntil < this.#today()
  }
}

function fileHiding(id: string, files: readonly ApprovedFile[]): string | null {
  const own = fileOfAnswer(id)
  return files.find(({ file }) => file.toLowerCase() === own)?.file ?? null
}

function expired({ file, validUntil, owner }: ApprovedAnswer): string {
  return `${file}: expired on ${validUntil} and is no longer used. Ask ${owner} for a new version.`
}

/** The problem of a wording of an answer, as the rest of a sentence. */
interface WordingProblem {
  /** Key of the front matter, and position in its list. */
  path: ['question'] | ['matches' | 'mustNotMatch', number]
  message: string
  /** Whether the answer must not be given because of it. */
  isFatal: boolean
}

/** Answers by their wordings, folded. */
class Wordings {
  readonly #answers = new Map<string, ApprovedAnswer[]>()

  constructor(answers: readonly ApprovedAnswer[]) {
    for (const answer of answers)
      for (const wording of new Set(answer.matches.map(foldWording))) {
        const others = this.#answers.get(wording)
        if (others) others.push(answer)
        else this.#answers.set(wording, [answer])
      }
  }

  /** The answers that have exactly this wording. */
  answersTo(prompt: string): readonly ApprovedAnswer[] {
    return this.#answers.get(foldWording(prompt)) ?? []
  }
}

/** Problems of an answer's own wordings: two answers share one, or one must not match. */
function wordingProblems(answer: ApprovedAnswer, all: Wordings): WordingProblem[] {
  const own = new Set(answer.matches.map(foldWording))
  const wordings = answer.matches.flatMap((text, at): WordingProblem[] => {
    const path: WordingProblem['path'] = at === 0 ? ['question'] : ['matches', at - 1]
    if (foldWording(text) === '') return [{ path, message: 'has no letters or digits', isFatal: true }]
    const others = all.answersTo(text).flatMap(({ file }) => (file === answer.file ? [] : file))
    return others.length === 0 ? [] : [{ path, message: `is also a wording of ${others.join(', ')}; neither answers it`, isFatal: false }]
  })
  const counters = answer.mustNotMatch.flatMap((text, at): WordingProblem[] =>
    own.has(foldWording(text)) ? [{ path: ['mustNotMatch', at], message: 'is one of its wordings', isFatal: true }] : [],
  )
  return [...wordings, ...counters]
}
