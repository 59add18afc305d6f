import type { Completion, CompletionRequest, CompleteInBackground } from '../agent/agent.ts'
import { estimateCompletion } from '../agent/agent.ts'
import { reserveBudgetsAlone, settleBudgetsAlone } from '../store/budgets.ts'
import type { Database } from '../store/database.ts'
import type { ModelBudget } from './model-budget.ts'

/** Works that run at the same time, and that wait for it; more are left out. */
const MAX_RUNNING = 4
const MAX_WAITING = 100
/** After a failure nothing is begun for so long: what failed is tried again after a later turn. */
const PAUSE_MS = 60_000

export interface BackgroundCompletionsOptions {
  database: Database
  /** Hears of failures. They harm nothing. */
  onFault: (message: string, cause: unknown) => void
  /** A clock that only goes forward, milliseconds. */
  clock?: () => number
}

/** Has a text written within what the budgets of its turn have left; null when they have nothing left. */
export type PaidCompletion = (write: CompleteInBackground, request: Omit<CompletionRequest, 'signal'>) => Promise<Completion | null>

/**
 * What the server has a model do beside the answers, after the end of a turn: owned here, so that nobody waits for it.
 * It is bounded, paid for from the accounts of the turn that it follows, and may fail or be left out at any time.
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

  /** Does `work` soon, unless work of this name is at hand, too much is, or a model has just failed. `what` names it in the log. */
  begin(
    name: string,
    what: string,
    { reservations }: Pick<ModelBudget, 'reservations'>,
    work: (paid: PaidCompletion, signal: AbortSignal) => Promise<void>,
  ): void {
    const { signal } = this.#closing
    if (signal.aborted || this.#clock() < this.#pausedUntil) return
    if (this.#waiting.has(name) || this.#running.has(name) || this.#waiting.size >= MAX_WAITING) return
    const paid: PaidCompletion = (write, request) => this.#pay(reservations, write, { ...request, signal })
    this.#waiting.set(name, () =>
      work(paid, signal).catch((error: unknown) => {
        if (signal.aborted) return
        this.#pausedUntil = this.#clock() + PAUSE_MS
        this.#options.onFault(`${what} failed; continuing without it`, error)
      }),
    )
    this.#next()
  }

  /** Ends what runs and forgets what waits. */
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

  /** What is set aside here is spent when the process dies: a crash sets no money free. */
  async #pay(ofTurn: ModelBudget['reservations'], write: CompleteInBackground, request: CompletionRequest): Promise<Completion | null> {
    const { database } = this.#options
    const { inputTokens, outputTokens } = estimateCompletion(request)
    const reservations = ofTurn.map((reservation) => ({
      ...reservation,
      amount: Math.ceil(inputTokens * reservation.inputPrice + outputTokens * reservation.outputPrice),
    }))
    if (!(await reserveBudgetsAlone(database, reservations))) return null
    try {
      const aside = await write(request)
      await settleBudgetsAlone(database, reservations, aside.used)
      return aside
    } catch (error) {
      // How much the model had read and written by then is not known.
      await settleBudgetsAlone(database, reservations, null)
      throw error
    }
  }
}
