import type { Completion, CompletionRequest, CompleteInBackground } from '../../answering/agents/agent.ts'
import type { Database } from '../../store/engine/database.ts'
import type { ModelBudget } from '../model-budget.ts'
import { payForCompletion } from './paid-completion.ts'

/** Limits of running and queued completions; further ones are dropped. */
const MAX_RUNNING = 4
const MAX_WAITING = 100
/** Pause after a failure. Failed work is retried after a later turn. */
const PAUSE_MS = 60_000

export interface BackgroundCompletionsOptions {
  database: Database
  /** Called on failures, which are harmless. */
  onFault: (message: string, cause: unknown) => void
  /** A monotonic clock in milliseconds. */
  clock?: () => number
}

/** Runs a completion within the turn's remaining budgets; null if they are used up. */
export type PaidCompletion = (write: CompleteInBackground, request: Omit<CompletionRequest, 'signal'>) => Promise<Completion | null>

export interface BackgroundWork {
  name: string
  /** Its name in the log. */
  label: string
  /** Those of the turn, whose accounts pay. */
  reservations: ModelBudget['reservations']
  work: (paid: PaidCompletion, signal: AbortSignal) => Promise<void>
}

/**
 * Runs model completions in the background after a turn, such as summaries and titles.
 * They are bounded, charged to the turn's accounts, and may fail or be dropped at any time.
 */
export class BackgroundCompletions {
  readonly #options: BackgroundCompletionsOptions
  readonly #clock: () => number
  readonly #waiting = new Map<string, () => Promise<void>>()
  readonly #running = new Map<string, Promise<void>>()
  readonly #closing = new AbortController()
  #pausedUntil = Number.NEGATIVE_INFINITY

  constructor(options: BackgroundCompletionsOptions) {
    this.#options = options
    this.#clock = options.clock ?? (() => performance.now())
  }

  /** Queues work, unless work of this name is pending, the queue is full, or a model has just failed. */
  begin({ name, label, reservations, work }: BackgroundWork): void {
    const { signal } = this.#closing
    if (signal.aborted || this.#clock() < this.#pausedUntil) return
    if (this.#waiting.has(name) || this.#running.has(name) || this.#waiting.size >= MAX_WAITING) return
    const { database } = this.#options
    const paid: PaidCompletion = (write, request) => payForCompletion({ database, reservations, write, request: { ...request, signal } })
    this.#waiting.set(name, () =>
      work(paid, signal).catch((error: unknown) => {
        if (signal.aborted) return
        this.#pausedUntil = this.#clock() + PAUSE_MS
        this.#options.onFault(`${label} failed; continuing without it`, error)
      }),
    )
    this.#next()
  }

  /** Aborts running work and drops queued work. */
  async close(): Promise<void> {
    this.#closing.abort()
    this.#waiting.clear()
    await Promise.all(this.#running.values())
  }

  #next(): void {
    for (const [name, work] of this.#waiting) {
      if (this.#running.size >= MAX_RUNNING) return
      this.#waiting.delete(name)
      const running = work().finally(() => {
        this.#running.delete(name)
        this.#next()
      })
      this.#running.set(name, running)
    }
  }
}
