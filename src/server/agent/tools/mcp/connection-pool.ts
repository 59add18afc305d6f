import { ToolFailure } from '../guard-tool.ts'
import type { McpConnection } from './mcp-connection.ts'
import { abortable } from '../../../abort.ts'

export interface ConnectionPoolOptions {
  connect: (onLost: () => void) => Promise<McpConnection>
  /** Connections that are open or being opened. */
  maxConnections: number
  idleMs: number
  /** Hears of a connection that could not be closed. */
  onFault: (cause: unknown) => void
}

interface Place {
  connection: Promise<McpConnection>
  calls: number
  idle: NodeJS.Timeout | undefined
}

const MAX_WAITING = 1_000

/**
 * Connections to one server, each for one chat alone: none is ever given to another. Where there are as many as may be, the one
 * that has been idle the longest is closed; where none is idle, a call waits.
 */
export class ConnectionPool {
  readonly #options: ConnectionPoolOptions
  /** By chat, the one that was used last at the end. */
  readonly #places = new Map<string, Place>()
  readonly #waiting = new Set<() => void>()
  readonly #closing = new Set<Promise<void>>()

  constructor(options: ConnectionPoolOptions) {
    this.#options = options
  }

  /** Uses the chat's connection, opened where there is none. Rejects as connecting or `use` does, or with the signal's reason. */
  async use<T>(chat: string, signal: AbortSignal | undefined, use: (connection: McpConnection) => Promise<T>): Promise<T> {
    const place = await this.#take(chat, signal)
    try {
      return await use(await place.connection)
    } finally {
      this.#release(chat, place)
    }
  }

  async close(): Promise<void> {
    for (const [chat, place] of this.#places) this.#remove(chat, place)
    await Promise.all(this.#closing)
  }

  async #take(chat: string, signal: AbortSignal | undefined): Promise<Place> {
    for (;;) {
      signal?.throwIfAborted()
      const place = this.#places.get(chat) ?? this.#open(chat)
      if (place) {
        place.calls += 1
        clearTimeout(place.idle)
        this.#places.delete(chat)
        this.#places.set(chat, place)
        return place
      }
      await this.#freePlace(signal)
    }
  }

  #open(chat: string): Place | null {
    if (this.#places.size + this.#closing.size >= this.#options.maxConnections) {
      const idle = this.#places.size >= this.#options.maxConnections ? [...this.#places].find(([, { calls }]) => calls === 0) : undefined
      if (idle) this.#remove(...idle)
      return null
    }
    const connection = this.#options.connect(() => this.#remove(chat, place))
    const place: Place = { connection, calls: 0, idle: undefined }
    this.#places.set(chat, place)
    return place
  }

  #release(chat: string, place: Place): void {
    place.calls -= 1
    if (place.calls > 0) return
    place.connection.catch(() => this.#remove(chat, place))
    place.idle = setTimeout(() => this.#remove(chat, place), this.#options.idleMs).unref()
    if (this.#waiting.size > 0 && this.#places.size >= this.#options.maxConnections) this.#remove(chat, place)
  }

  #remove(chat: string, place: Place): void {
    clearTimeout(place.idle)
    if (this.#places.get(chat) !== place) return
    this.#places.delete(chat)
    const closing = place.connection
      .then(
        (connection) => connection.close(),
        () => undefined,
      )
      .catch(this.#options.onFault)
      .finally(() => {
        this.#closing.delete(closing)
        for (const wake of this.#waiting) wake()
      })
    this.#closing.add(closing)
  }

  async #freePlace(signal: AbortSignal | undefined): Promise<void> {
    if (this.#waiting.size >= MAX_WAITING) throw new ToolFailure('The tool has too much to do now.')
    const { promise: woken, resolve: wake } = Promise.withResolvers<void>()
    this.#waiting.add(wake)
    try {
      await abortable(woken, signal)
    } finally {
      this.#waiting.delete(wake)
    }
  }
}
