/** Everything may have changed: more was rung than can be named. */
const EVERYTHING = '*'

/** How rings reach other processes, and theirs this one. */
export interface PubSubTransport {
  /** Whether what other processes ring is heard here now, within moments. */
  readonly isReliable: boolean
  /** Passes topics on, or loses them: it never waits and never throws. */
  send(topics: Iterable<string>): void
  close(): Promise<void>
}

export type OpenTransport = (hear: { topics: (topics: string[]) => void; trustChanged: () => void }) => PubSubTransport

/**
 * How readers hear that something may have changed. It carries topics, as `turn:<id>`, and never content: who hears one reads the
 * database. A ring may be lost or come twice; `isReliable` says whether a reader may rely on it or has to look for itself, often.
 */
export class PubSub {
  readonly #listeners = new Map<string, Set<() => void>>()
  readonly #doubters = new Set<() => void>()
  readonly #line: PubSubTransport | null

  /** Without a line it rings within this process alone, and is never trusted: others may share the database. */
  constructor(openLine?: OpenTransport) {
    this.#line = openLine
      ? openLine({
          topics: (topics) => this.#hear(topics),
          trustChanged: () => {
            for (const doubt of this.#doubters) doubt()
          },
        })
      : null
  }

  get isReliable(): boolean {
    return this.#line?.isReliable ?? false
  }

  /** To be called after what changed is committed. */
  publish(...topics: string[]): void {
    this.#hear(topics)
    this.#line?.send(topics)
  }

  /** Tells other processes alone: whoever listens here knows already. */
  publishRemote(topics: Iterable<string>): void {
    this.#line?.send(topics)
  }

  /** Calls `heard` for each ring of the topic, from here or elsewhere, until the returned function is called. */
  subscribe(topic: string, heard: () => void): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set()
    this.#listeners.set(topic, listeners.add(heard))
    return () => {
      listeners.delete(heard)
      if (listeners.size === 0 && this.#listeners.get(topic) === listeners) this.#listeners.delete(topic)
    }
  }

  /** Calls `changed` whenever `isReliable` has changed, until the returned function is called. Rings may have been lost before. */
  onReliabilityChange(changed: () => void): () => void {
    this.#doubters.add(changed)
    return () => this.#doubters.delete(changed)
  }

  async close(): Promise<void> {
    await this.#line?.close()
  }

  #hear(topics: string[]): void {
    const all = topics.includes(EVERYTHING)
    for (const topic of all ? [...this.#listeners.keys()] : topics) {
      for (const heard of this.#listeners.get(topic) ?? []) heard()
    }
  }
}

/** Topics that wait to be sent, each once; when there are too many, only that everything may have changed. */
export class PendingTopics {
  readonly #max: number
  #topics = new Set<string>()

  constructor(max: number) {
    this.#max = max
  }

  get isEmpty(): boolean {
    return this.#topics.size === 0
  }

  add(topics: Iterable<string>): void {
    if (this.#topics.has(EVERYTHING)) return
    for (const topic of topics) this.#topics.add(topic)
    if (this.#topics.size > this.#max) this.#topics = new Set([EVERYTHING])
  }

  take(): string[] {
    const topics = [...this.#topics]
    this.#topics.clear()
    return topics
  }
}
