import { onAbort } from '../../contract/abort.ts'

/** How often those who wait hear of their place. */
const TELL_EVERY_MS = 500
/** What a tick lets in at most: all who have waited at once would make the process slow again. */
const MOST_A_TICK = 16

export interface PromptQueueOptions {
  maxRunning: number
  maxWaiting: number
  maxWaitMs: number
  /** Whether the process is too slow already to begin another answer. */
  isSlow: () => boolean
  /** Milliseconds since some moment. */
  now: () => number
  /** Hears of each that had to wait, or could not. */
  onWaited?: ((end: WaitEnd, waitedMs: number) => void) | undefined
}

/** How waiting came out: let in, waited too long, turned away at once because the queue was full, gone, or the server goes down. */
export type WaitEnd = 'entered' | 'late' | 'full' | 'left' | 'closed'

/** `leave` gives the place back, once. */
export type Entry = { kind: 'entered'; leave: () => void } | { kind: Exclude<WaitEnd, 'entered'> }

export interface Entrant {
  /** Who shares a lane shares its turns. */
  lane: string
  /** A signal that aborts when nobody waits for the answer any more; asked for when there is no place at once. */
  gone: () => AbortSignal
  /** Hears the place, from 1, when waiting begins and when it has changed. */
  onPlace?: ((place: number) => void) | undefined
}

interface Waiter extends Entrant {
  since: number
  told: number
  settle: (entry: Entry) => void
}

/**
 * The places of answers that are being written, and the queue before them. Who comes first is let in first, lane by lane in turn:
 * a lane with many prompts gets as many places as one with few. When the queue is full, the longest lane makes room for a shorter one.
 * While the process is slow, everybody waits, and `tick` lets in one at a time.
 */
export class PromptQueue {
  readonly #options: PromptQueueOptions
  /** In the order of their turns. */
  readonly #lanes = new Map<string, Waiter[]>()
  #running = 0
  #waiting = 0
  /** How many a tick lets in: few at first after the process was slow. */
  #batch = 1
  #isClosed = false
  #telling: NodeJS.Timeout | undefined

  constructor(options: PromptQueueOptions) {
    this.#options = options
  }

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    return this.#waiting
  }

  /** Whether a prompt that comes now does not have to wait. */
  get hasPlace(): boolean {
    return this.#waiting === 0 && this.#running < this.#options.maxRunning && !this.#options.isSlow()
  }

  /** Whether a prompt of this lane would be turned away at once. */
  isFullFor(lane: string): boolean {
    return this.#waiting >= this.#options.maxWaiting && !this.#longestBeside(lane)
  }

  /** Resolves when there is a place, or there is to be none. */
  enter(entrant: Entrant): Promise<Entry> | Entry {
    if (this.#isClosed) return { kind: 'closed' }
    if (this.hasPlace) return this.#take()
    if (this.#waiting >= this.#options.maxWaiting) {
      const longest = this.#longestBeside(entrant.lane)?.at(-1)
      if (!longest) return this.#turnAway()
      this.#end(longest, { kind: 'full' })
    }
    return this.#wait(entrant)
  }

  /** To be called some times a second: lets in those who wait for the process to be quick again, more with each time that it is. */
  tick(): void {
    this.#batch = this.#options.isSlow() ? 1 : Math.min(this.#batch * 2, MOST_A_TICK)
    if (this.#waiting > 0) this.#letIn(this.#batch)
  }

  /** Turns away all who wait, and all who come. */
  close(): void {
    this.#isClosed = true
    for (const waiter of this.#inOrder()) this.#end(waiter, { kind: 'closed' })
  }

  #take(): Entry {
    this.#running += 1
    let isHeld = true
    return {
      kind: 'entered',
      leave: () => {
        if (!isHeld) return
        isHeld = false
        this.#running -= 1
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
      const waiter: Waiter = { ...entrant, since: this.#options.now(), told: 0, settle }
      this.#lanes.set(entrant.lane, [...(this.#lanes.get(entrant.lane) ?? []), waiter])
      this.#waiting += 1
      removeListener = onAbort(gone, () => this.#end(waiter, { kind: 'left' }))
      if (gone.aborted) return
      this.#tell(waiter, this.#inOrder().indexOf(waiter) + 1)
      this.#telling ??= setInterval(() => this.#tellAll(), TELL_EVERY_MS)
    })
  }

  #letIn(most: number): void {
    for (let count = 0; count < most && this.#running < this.#options.maxRunning; count += 1) {
      const [first] = this.#lanes.values()
      const next = first?.[0]
      if (!next) return
      this.#end(next, this.#take())
      // Its lane has had its turn.
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
    this.#waiting -= 1
    if (this.#waiting === 0) {
      clearInterval(this.#telling)
      this.#telling = undefined
    }
    this.#options.onWaited?.(entry.kind, this.#options.now() - waiter.since)
    waiter.settle(entry)
  }

  #tellAll(): void {
    for (const [index, waiter] of this.#inOrder().entries()) this.#tell(waiter, index + 1)
  }

  #tell(waiter: Waiter, place: number): void {
    if (waiter.told === place) return
    waiter.told = place
    waiter.onPlace?.(place)
  }

  /** All who wait, in the order in which they will be let in. */
  #inOrder(): Waiter[] {
    const lanes = [...this.#lanes.values()]
    const rounds = Math.max(0, ...lanes.map((lane) => lane.length))
    return Array.from({ length: rounds }, (_, round) => lanes.flatMap((lane) => lane[round] ?? [])).flat()
  }

  /** The longest lane, if one more in `lane` would still be fewer. */
  #longestBeside(lane: string): Waiter[] | undefined {
    const own = this.#lanes.get(lane)?.length ?? 0
    const [longest] = [...this.#lanes.values()].toSorted((one, other) => other.length - one.length)
    return longest && longest.length > own + 1 ? longest : undefined
  }
}
