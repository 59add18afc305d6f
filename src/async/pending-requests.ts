import { onAbort, type Signal } from './abort.ts'

/** Requests to another thread or process, by number, which it answers in any order. */
export class PendingRequests<Result> {
  readonly #pending = new Map<number, PromiseWithResolvers<Result>>()
  #lastId = 0

  get size(): number {
    return this.#pending.size
  }

  /** Sends a request, and resolves with its answer. Rejects with the signal's reason, after `cancel`. */
  async send(post: (id: number) => void, signal?: Signal, cancel: (id: number) => void = () => {}): Promise<Result> {
    if (signal?.aborted) throw signal.reason
    const id = (this.#lastId += 1)
    const request = Promise.withResolvers<Result>()
    this.#pending.set(id, request)
    const removeListener = onAbort(signal, (reason) => {
      cancel(id)
      request.reject(reason)
    })
    try {
      post(id)
      return await request.promise
    } finally {
      removeListener()
      this.#pending.delete(id)
    }
  }

  resolve(id: number, result: Result): void {
    this.#pending.get(id)?.resolve(result)
  }

  reject(id: number, error: Error): void {
    this.#pending.get(id)?.reject(error)
  }

  rejectAll(error: Error): void {
    for (const { reject } of this.#pending.values()) reject(error)
  }
}
