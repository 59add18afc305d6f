import { AgentFailure } from '../../answer/agent-failure.ts'
import { onAbort } from '../../../abort.ts'

/** A processor writes one answer in a minute or so: who would wait behind more than these is better told so at once. */
const MAX_WAITING = 8
/** When to come back, in seconds. */
const RETRY_AFTER_S = 30

/** Lets one answer be written at a time; the others wait in the order in which they came, `MAX_WAITING` of them. */
export class AnswerQueue {
  readonly #waiting: (() => void)[] = []
  #isTaken = false

  /** Resolves when it is this one's turn, with what gives it up. Rejects with `model_busy` when too many wait, or with the signal's reason. */
  async enter(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted()
    if (this.#isTaken) {
      if (this.#waiting.length >= MAX_WAITING)
        throw new AgentFailure('model_busy', 'Too many answers wait for the local model.', { retryAfterS: RETRY_AFTER_S })
      await this.#wait(signal)
    }
    this.#isTaken = true
    return () => this.#leave()
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const proceed = () => {
        removeListener()
        resolve()
      }
      this.#waiting.push(proceed)
      const removeListener = onAbort(signal, (reason) => {
        this.#waiting.splice(this.#waiting.indexOf(proceed), 1)
        reject(reason)
      })
    })
  }

  /** The place is handed on, so that nobody slips in between. */
  #leave(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#isTaken = false
  }
}
