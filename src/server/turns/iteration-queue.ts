import { Semaphore } from '../semaphore.ts'

/**
 * Lets a limited number of tasks begin in each iteration of the event loop, first come, first served, so that what arrives meanwhile is handled
 * in between. Without it, all prompts of a burst are stored before the first answer to any of them is read.
 */
export class IterationQueue {
  readonly #slots: Semaphore

  constructor(tasksPerIteration: number) {
    this.#slots = new Semaphore(tasksPerIteration)
  }

  /** Resolves when the caller may begin: at once if fewer have begun in this iteration. */
  async next(): Promise<void> {
    const release = await this.#slots.acquire()
    setImmediate(release)
  }
}
