/**
 * Lets one caller through in each pass of the event loop; who finds nobody before them passes at once.
 * A burst of prompts is then worked off one after another, each as far as its request to the model, and the answers
 * that come meanwhile are handled in between: the first visitors read while the last ones wait, instead of all waiting for all.
 */
export class Turnstile {
  readonly #waiting: (() => void)[] = []
  #isTaken = false

  async pass(): Promise<void> {
    if (this.#isTaken) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#take()
  }

  #take(): void {
    this.#isTaken = true
    setImmediate(() => {
      this.#isTaken = false
      const next = this.#waiting.shift()
      if (!next) return
      this.#take()
      next()
    })
  }
}
