import type { EvaluatedCase, EvaluationStatus } from '../../contract/staff/content/evaluations.ts'
import type { Case } from '../insights/evaluation/cases.ts'
import { type AnswerMessages, draftChat } from '../insights/evaluation/draft-chat.ts'
import { isRight, runCases, type TurnResult } from '../insights/evaluation/run-cases.ts'
import { endEvaluation, touchEvaluation } from '../store/knowledge/agent-evaluations.ts'
import type { Database } from '../store/engine/database.ts'

/** Evaluations at the same time in this process, and chats of one. */
const MAX_RUNNING = 2
const CHATS = 2
const TIME_LIMIT_MS = 15 * 60_000
/** Interval at which progress is stored and stop requests are read. */
const TOUCH_INTERVAL_MS = 500
const MAX_ANSWER_CHARACTERS = 4_000
const MAX_SOURCES = 20

export interface EvaluationsOptions {
  database: Database
  now: () => number
  onFault: (message: string, cause: unknown) => void
}

export interface RunnableEvaluation {
  id: string
  number: number
  cases: readonly Case[]
  answer: AnswerMessages
}

export class Evaluations {
  readonly #options: EvaluationsOptions
  readonly #running = new Map<string, { abort: AbortController; ended: Promise<void> }>()
  #reserved = 0

  constructor(options: EvaluationsOptions) {
    this.#options = options
  }

  /** Takes a place for an evaluation; `null` if all are taken. Call `release` in any case. */
  reserve(): { run: (evaluation: RunnableEvaluation) => void; release: () => void } | null {
    if (this.#running.size + this.#reserved >= MAX_RUNNING) return null
    this.#reserved += 1
    let isHeld = true
    const release = () => {
      if (isHeld) this.#reserved -= 1
      isHeld = false
    }
    return {
      release,
      run: (evaluation) => {
        release()
        this.#begin(evaluation)
      },
    }
  }

  async close(): Promise<void> {
    const running = [...this.#running.values()]
    for (const { abort } of running) abort.abort(new EndReason('interrupted'))
    await Promise.all(running.map(({ ended }) => ended))
  }

  #begin(evaluation: RunnableEvaluation): void {
    const abort = new AbortController()
    const name = `${evaluation.id} ${evaluation.number}`
    const ended = this.#run(evaluation, abort)
      .catch((cause: unknown) => this.#options.onFault('An evaluation failed; it ends as interrupted', cause))
      .finally(() => this.#running.delete(name))
    this.#running.set(name, { abort, ended })
  }

  async #run({ id, number, cases, answer }: RunnableEvaluation, abort: AbortController): Promise<void> {
    const { database, now, onFault } = this.#options
    const { signal } = abort
    let asked = 0
    const touch = () => {
      touchEvaluation(database, { id, number, asked, at: now() }).then(
        (mustStop) => mustStop && abort.abort(new EndReason('stopped')),
        (cause: unknown) => onFault('Writing how far an evaluation is failed; retrying', cause),
      )
    }
    const touching = setInterval(touch, TOUCH_INTERVAL_MS)
    const limit = setTimeout(() => abort.abort(new EndReason('timed_out')), TIME_LIMIT_MS)
    try {
      const results = await runCases(cases, {
        firstAgent: id,
        repeat: 1,
        concurrency: CHATS,
        judge: null,
        openChat: () => draftChat(answer, signal),
        signal,
        onRun: () => (asked += 1),
      })
      const status = signal.aborted ? (signal.reason as EndReason).status : 'done'
      const ended = results.flatMap(({ name, runs: [turns] }) => (turns && !signal.aborted ? [evaluatedCase(name, turns)] : []))
      await endEvaluation(database, { id, number, status, asked: Math.min(asked, cases.length), cases: ended, at: now() })
    } finally {
      clearInterval(touching)
      clearTimeout(limit)
    }
  }
}

/** Why an evaluation ends before its last case. */
class EndReason extends Error {
  readonly status: Exclude<EvaluationStatus, 'running' | 'done'>

  constructor(status: EndReason['status']) {
    super(`The evaluation has ended as ${status}.`)
    this.status = status
  }
}

function evaluatedCase(name: string, turns: readonly TurnResult[]): EvaluatedCase {
  return {
    name,
    isRight: isRight(turns),
    turns: turns.map(({ prompt, text, state, sources, faults, seconds }) => ({
      prompt,
      text: text.slice(0, MAX_ANSWER_CHARACTERS).toWellFormed(),
      state,
      sources: [...new Set(sources.map(({ file }) => file))].slice(0, MAX_SOURCES),
      faults,
      seconds,
    })),
  }
}
