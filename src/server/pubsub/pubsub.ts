/** Wildcard: anything may have changed. */
const EVERYTHING = '*'

/** Connects the pubsub to other processes. */
export interface PubSubTransport {
  /** Whether messages of other processes currently arrive promptly. */
  readonly isReliable: boolean
  /** Sends topics, best effort. Never waits or throws. */
  send(topics: Iterable<string>): void
  close(): Promise<void>
}

export type OpenTransport = (hear: { topics: (topics: string[]) => void; trustChanged: () => void }) => PubSubTransport

/**
 * Notifies subscribers that something may have changed. Messages are topics, such as `turn:<id>`, never content: subscribers read the
 * database. Messages may be lost or repeated; without `isReliable`, subscribers must poll often.
 */
export class PubSub {
  readonly #listeners = new Map<string, Set<() => void>>()
  readonly #doubters = new Set<() => void>()
  readonly #line: PubSubTransport | null

  /** Without a transport it is local to this process and never reliable, since others may share the database. */
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

  /** Call it after the commit. */
  publish(...topics: string[]): void {
    this.#hear(topics)
    this.#line?.send(topics)
  }

  /** Publishes to other processes only. */
  publishRemote(topics: Iterable<string>): void {
    this.#line?.send(topics)
  }

  /** Calls `heard` on each message of the topic. Returns an unsubscribe function. */
  subscribe(topic: string, heard: () => void): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set()
    this.#listeners.set(topic, listeners.add(heard))
    return () => {
      listeners.delete(heard)
      if (listeners.size === 0 && this.#listeners.get(topic) === listeners) this.#listeners.delete(topic)
    }
  }

  /** Calls `changed` whenever `isReliable` changes; messages may have been lost before. Returns an unsubscribe function. */
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

/** Pending topics without duplicates. Collapses to the wildcard if there are too many. */
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
