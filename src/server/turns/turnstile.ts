/** So many share one COMMIT where the database can do that; more would keep the first ones waiting for the last. */
const CALLERS_A_PASS = 8

/**
 * Lets a few callers through in each pass of the event loop; a start that finds nobody before it passes at once.
 * A burst of prompts is then worked off in small groups, each as far as its request to the model, and the answers
 * that come meanwhile are handled in between: the first visitors read while the last ones wait, instead of all waiting for all.
 * Starts go before ends, since somebody waits for a start, while an end only files what its reader already has.
 * An end waits for the next pass at least: storing waits for the disk on the main thread, and what was written goes out first.
 * It holds at most one start and one end for each turn that may run.
 */
export class Turnstile {
  readonly #waiting = { start: [] as (() => void)[], end: [] as (() => void)[] }
  #isTaken = false

  async pass(as: 'start' | 'end'): Promise<void> {
    if (as === 'start' && !this.#isTaken) return this.#take()
    if (!this.#isTaken) this.#take()
    await new Promise<void>((resolve) => this.#waiting[as].push(resolve))
  }

  #take(): void {
    this.#isTaken = true
    setImmediate(() => {
      this.#isTaken = false
      const next = [this.#waiting.start, this.#waiting.end].find((waiting) => waiting.length > 0)?.splice(0, CALLERS_A_PASS)
      if (!next) return
      this.#take()
      for (const letThrough of next) letThrough()
    })
  }
}
