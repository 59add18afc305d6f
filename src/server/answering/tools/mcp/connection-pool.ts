import { ToolFailure } from '../guard-tool.ts'
import type { McpConnection } from './mcp-connection.ts'
import { abortable } from '../../../../async/abort.ts'

export interface ConnectionPoolOptions {
  connect: (onLost: () => void) => Promise<McpConnection>
  /** Most open or opening connections. */
  maxConnections: number
  idleMs: number
  /** Called when a connection can't be closed. */
  onFault: (cause: unknown) => void
}

interface Slot {
  connection: Promise<McpConnection>
  calls: number
  idle: NodeJS.Timeout | undefined
}

const MAX_WAITING = 1_000

/** Connections to one server, each for one chat only. At the limit, the longest idle one is closed; if none is idle, calls wait. */
export class ConnectionPool {
  readonly #options: ConnectionPoolOptions
  /** By chat, the most recently used last. */
  readonly #slots = new Map<string, Slot>()
  readonly #waiting = new Set<() => void>()
  readonly #closing = new Set<Promise<void>>()

  constructor(options: ConnectionPoolOptions) {
    this.#options = options
  }

  /** Runs `use` with the chat's connection, opening it if needed. Rejects as connecting or `use` does, or with the signal's reason. */
  async use<T>(chat: string, signal: AbortSignal | undefined, use: (connection: McpConnection) => Promise<T>): Promise<T> {
    const slot = await this.#take(chat, signal)
    try {
      return await use(await slot.connection)
    } finally {
      this.#release(chat, slot)
    }
  }

  async close(): Promise<void> {
    for (const [chat, slot] of this.#slots) this.#remove(chat, slot)
    await Promise.all(this.#closing)
  }

  async #take(chat: string, signal: AbortSignal | undefined): Promise<Slot> {
    for (;;) {
      signal?.throwIfAborted()
      const slot = this.#slots.get(chat) ?? this.#open(chat)
      if (slot) {
        slot.calls += 1
        clearTimeout(slot.idle)
        this.#slots.delete(chat)
        this.#slots.set(chat, slot)
        return slot
      }
      await this.#freeSlot(signal)
    }
  }

  #open(chat: string): Slot | null {
    if (this.#slots.size + this.#closing.size >= this.#options.maxConnections) {
      const idle = this.#slots.size >= this.#options.maxConnections ? [...this.#slots].find(([, { calls }]) => calls === 0) : undefined
      if (idle) this.#remove(...idle)
      return null
    }
    const connection = this.#options.connect(() => this.#remove(chat, slot))
    const slot: Slot = { connection, calls: 0, idle: undefined }
    this.#slots.set(chat, slot)
    return slot
  }

  #release(chat: string, slot: Slot): void {
    slot.calls -= 1
    if (slot.calls > 0) return
    slot.connection.catch(() => this.#remove(chat, slot))
    slot.idle = setTimeout(() => this.#remove(chat, slot), this.#options.idleMs).unref()
    if (this.#waiting.size > 0 && this.#slots.size >= this.#options.maxConnections) this.#remove(chat, slot)
  }

  #remove(chat: string, slot: Slot): void {
    clearTimeout(slot.idle)
    if (this.#slots.get(chat) !== slot) return
    this.#slots.delete(chat)
    const closing = slot.connection
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

  async #freeSlot(signal: AbortSignal | undefined): Promise<void> {
    if (this.#waiting.size >= MAX_WAITING) throw new ToolFailure('The tool is busy. Try again later.')
    const { promise: woken, resolve: wake } = Promise.withResolvers<void>()
    this.#waiting.add(wake)
    try {
      await abortable(woken, signal)
    } finally {
      this.#waiting.delete(wake)
    }
  }
}
