import { onAbort, type Signal } from './abort.ts'

/** Returns a slot. Calls after the first do nothing. */
export type Release = () => void

/** Caps how many tasks run at a time. The others wait, first come, first served. */
export class Semaphore {
  readonly #waiting: (() => void)[] = []
  #free: number

  constructor(slots: number) {
    this.#free = slots
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /** Waits for a slot. Rejects with the signal's reason if that aborts first. */
  async acquire(signal?: Signal): Promise<Release> {
    if (signal?.aborted) throw signal.reason
    if (this.#free > 0) this.#free -= 1
    else await this.#wait(signal)
    return once(() => this.#release())
  }

  /** Runs a task in a slot. Settles as the task does, or rejects as `acquire` does. */
  async run<T>(task: () => Promise<T>, signal?: Signal): Promise<T> {
    const release = await this.acquire(signal)
    try {
      return await task()
    } finally {
      release()
    }
  }

  #wait(signal: Signal | undefined): Promise<void> {
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

  /** Passes the slot on directly, so that a task that arrives meanwhile can't overtake. */
  #release(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free += 1
  }
}

/** A key, such as a visitor or a network, and how many slots it may have. */
export interface SlotLimit {
  key: string
  limit: number
}

/** Counts slots by key; nobody waits. */
export class KeyedSemaphore {
  readonly #taken = new Map<string, number>()

  /** Takes a slot of every key and returns the function that releases them, or takes none and returns the first limit that is reached. */
  tryAcquire(limits: readonly SlotLimit[]): Release | { reached: SlotLimit } {
    const reached = limits.find(({ key, limit }) => this.count(key) >= limit)
    if (reached) return { reached }
    for (const { key } of limits) this.#taken.set(key, this.count(key) + 1)
    return once(() => {
      for (const { key } of limits) this.#release(key)
    })
  }

  count(key: string): number {
    return this.#taken.get(key) ?? 0
  }

  #release(key: string): void {
    const left = this.count(key) - 1
    if (left > 0) this.#taken.set(key, left)
    else this.#taken.delete(key)
  }
}

function once(act: () => void): Release {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    act()
  }
}
