/**
 * Lets one caller through in each pass of the event loop; a start that finds nobody before it passes at once.
 * A burst of prompts is then worked off one after another, each as far as its request to the model, and the answers
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
      const next = this.#waiting.start.shift() ?? this.#waiting.end.shift()
      if (!next) return
      this.#take()
      next()
    })
  }
}
