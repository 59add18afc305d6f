/** So many streams in a row that were cut off mean that something between the server and the page does not let them through. */
const CUT_IN_A_ROW = 2
/** Streams that end this close together have ended for one reason, and count once: a server that died takes all with it. */
const TOGETHER_MS = 1_000
/** After this long without streams, one is tried again. */
const WITHOUT_MS = 120_000

/** Remembers how streams fare, so that a page behind a proxy that cuts them off asks for news instead. */
export class StreamHealth {
  #now: () => number
  #cut = 0
  #lastCutMs = Number.NEGATIVE_INFINITY
  #cutUntilMs = 0

  constructor(now: () => number) {
    this.#now = now
  }

  /** Whether streams are not worth a try at the moment. */
  get areCut(): boolean {
    return this.#now() < this.#cutUntilMs
  }

  /** A stream ended early, or brought nothing. */
  wasCut(): void {
    const now = this.#now()
    if (now - this.#lastCutMs < TOGETHER_MS) return
    this.#lastCutMs = now
    this.#cut += 1
    if (this.#cut >= CUT_IN_A_ROW) this.#cutUntilMs = now + WITHOUT_MS
  }

  /** A stream did what it should. */
  wasWhole(): void {
    this.#cut = 0
    this.#cutUntilMs = 0
  }
}

/** Of this page's streams. */
export const streams = new StreamHealth(() => performance.now())
