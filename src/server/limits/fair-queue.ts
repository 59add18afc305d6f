import { onAbort } from '../../async/abort.ts'

/** Most entrants admitted per tick, to avoid overloading the process again. */
const MOST_A_TICK = 16

export interface FairQueueOptions {
  maxRunning: number
  /** Limit per lane; `maxRunning` by default. */
  maxRunningOfLane?: number
  maxPending: number
  maxWaitMs: number
  /** Whether the process is too slow to start another task. */
  isSlow: () => boolean
  now: () => number
  /** Called for each entrant that waited or was turned away. */
  onWaited?: ((end: WaitEnd, waitedMs: number) => void) | undefined
}

/** Outcome of waiting: entered, timed out, rejected because the queue was full, client left, or shutdown. */
export type WaitEnd = 'entered' | 'late' | 'full' | 'left' | 'closed'

/** `leave` releases the slot once. */
export type Entry = { kind: 'entered'; leave: () => void } | { kind: Exclude<WaitEnd, 'entered'> }

export interface Entrant {
  /** Entrants of a lane share its turns. */
  lane: string
  /** Creates a signal that aborts when the client leaves; called only if the prompt must wait. */
  gone: () => AbortSignal
}

interface Waiter extends Entrant {
  since: number
  settle: (entry: Entry) => void
}

/**
 * Slots of running tasks and a fair queue for them: round robin over lanes, first come first served within one. When the queue is
 * full, the longest lane gives way to a shorter one. While the process is slow, all entrants wait and `tick` admits them gradually.
 */
export class FairQueue {
  readonly #options: FairQueueOptions
  /** Lanes in round-robin order. */
  readonly #lanes = new Map<string, Waiter[]>()
  readonly #runningOf = new Map<string, number>()
  running = 0
  waiting = 0
  /** Entrants admitted per tick; grows after the process was slow. */
  #batch = 1
  #isClosed = false

  constructor(options: FairQueueOptions) {
    this.#options = options
  }

  /** Whether a slot is free for the next entrant, regardless of the limit of its lane. */
  get hasPlace(): boolean {
    return this.waiting === 0 && this.#hasSlot && !this.#options.isSlow()
  }

  isFullFor(lane: string): boolean {
    return this.waiting >= this.#options.maxPending && !this.#longestBeside(lane)
  }

  enter(entrant: Entrant): Promise<Entry> | Entry {
    if (this.#isClosed) return { kind: 'closed' }
    if (this.#hasSlot && !this.#options.isSlow() && this.#next() === undefined && this.#hasSlotFor(entrant.lane))
      return this.#take(entrant.lane)
    if (this.waiting >= this.#options.maxPending) {
      const longest = this.#longestBeside(entrant.lane)?.at(-1)
      if (!longest) return this.#turnAway()
      this.#end(longest, { kind: 'full' })
    }
    return this.#wait(entrant)
  }

  /** Call it a few times a second. Admits entrants that wait for the process to recover, more with each tick. */
  tick(): void {
    this.#batch = this.#options.isSlow() ? 1 : Math.min(this.#batch * 2, MOST_A_TICK)
    if (this.waiting > 0) this.#letIn(this.#batch)
  }

  close(): void {
    this.#isClosed = true
    for (const waiter of [...this.#lanes.values()].flat()) this.#end(waiter, { kind: 'closed' })
  }

  get #hasSlot(): boolean {
    return this.running < this.#options.maxRunning
  }

  #hasSlotFor(lane: string): boolean {
    return (this.#runningOf.get(lane) ?? 0) < (this.#options.maxRunningOfLane ?? Number.POSITIVE_INFINITY)
  }

  /** The next waiter whose lane may have another slot. */
  #next(): Waiter | undefined {
    for (const [lane, [first]] of this.#lanes) if (this.#hasSlotFor(lane)) return first
    return undefined
  }

  #take(lane: string): Entry {
    this.running += 1
    this.#runningOf.set(lane, (this.#runningOf.get(lane) ?? 0) + 1)
    let isHeld = true
    return {
      kind: 'entered',
      leave: () => {
        if (!isHeld) return
        isHeld = false
        this.running -= 1
        const left = (this.#runningOf.get(lane) ?? 0) - 1
        if (left > 0) this.#runningOf.set(lane, left)
        else this.#runningOf.delete(lane)
        if (!this.#options.isSlow()) this.#letIn(1)
      },
    }
  }

  #turnAway(): Entry {
    this.#options.onWaited?.('full', 0)
    return { kind: 'full' }
  }

  #wait(entrant: Entrant): Promise<Entry> {
    const gone = entrant.gone()
    return new Promise((resolve) => {
      const late = setTimeout(() => this.#end(waiter, { kind: 'late' }), this.#options.maxWaitMs)
      let removeListener = () => {}
      const settle = (entry: Entry) => {
        clearTimeout(late)
        removeListener()
        resolve(entry)
      }
      const waiter: Waiter = { ...entrant, since: this.#options.now(), settle }
      this.#lanes.set(entrant.lane, [...(this.#lanes.get(entrant.lane) ?? []), waiter])
      this.waiting += 1
      removeListener = onAbort(gone, () => this.#end(waiter, { kind: 'left' }))
    })
  }

  #letIn(most: number): void {
    for (let count = 0; count < most && this.#hasSlot; count += 1) {
      const next = this.#next()
      if (!next) return
      this.#end(next, this.#take(next.lane))
      // Moves the lane to the end.
      const rest = this.#lanes.get(next.lane)
      if (rest) {
        this.#lanes.delete(next.lane)
        this.#lanes.set(next.lane, rest)
      }
    }
  }

  #end(waiter: Waiter, entry: Entry): void {
    const rest = (this.#lanes.get(waiter.lane) ?? []).filter((other) => other !== waiter)
    if (rest.length > 0) this.#lanes.set(waiter.lane, rest)
    else this.#lanes.delete(waiter.lane)
    this.waiting -= 1
    this.#options.onWaited?.(entry.kind, this.#options.now() - waiter.since)
    waiter.settle(entry)
  }

  /** The longest lane, if it stays longer than `lane` plus one. */
  #longestBeside(lane: string): Waiter[] | undefined {
    const own = this.#lanes.get(lane)?.length ?? 0
    const [longest] = [...this.#lanes.values()].toSorted((one, other) => other.length - one.length)
    return longest && longest.length > own + 1 ? longest : undefined
  }
}
