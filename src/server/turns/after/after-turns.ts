import type { PubSub } from '../../pubsub/pubsub.ts'
import type { Database } from '../../store/engine/database.ts'
import { BackgroundCompletions } from './background-completions.ts'
import { type EndedTurn, Summaries } from './summaries.ts'
import { Titles } from './titles.ts'

export interface AfterTurnsOptions {
  database: Database
  pubsub: PubSub
  /** Source of titles: the prompt, or the model after the first answer. */
  titles: 'prompt' | 'model'
  now: () => number
  onFault: (message: string, cause: unknown) => void
}

/** Background work after an answer: summaries and titles. */
export class AfterTurns {
  readonly #backgroundCompletions: BackgroundCompletions
  readonly #wanted: { consider(turn: EndedTurn): void }[]

  constructor({ titles, ...options }: AfterTurnsOptions) {
    this.#backgroundCompletions = new BackgroundCompletions(options)
    const parts = { ...options, backgroundCompletions: this.#backgroundCompletions }
    this.#wanted = [new Summaries(parts), ...(titles === 'model' ? [new Titles(parts)] : [])]
  }

  consider({ budget, ...turn }: EndedTurn): void {
    for (const wanted of this.#wanted) wanted.consider({ ...turn, budget: budget.background ?? budget })
  }

  async close(): Promise<void> {
    await this.#backgroundCompletions.close()
  }
}
