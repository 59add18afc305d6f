import type { Embed } from './embed.ts'
import { onAbort } from '../../../async/abort.ts'

export type EmbedRequest = { kind: 'embed'; id: number; texts: readonly string[] } | { kind: 'cancel-embed'; id: number }
/** `vectors` is null on failure. */
export interface EmbedReply {
  kind: 'embedded'
  id: number
  vectors: number[][] | null
}

/** Worker side: embeds texts through the main thread's model. */
export class RequestedEmbed {
  readonly #send: (request: EmbedRequest) => void
  readonly #pending = new Map<number, PromiseWithResolvers<number[][]>>()
  #lastId = 0

  constructor(send: (request: EmbedRequest) => void) {
    this.#send = send
  }

  readonly embed: Embed = async (texts, signal) => {
    signal.throwIfAborted()
    const id = (this.#lastId += 1)
    const request = Promise.withResolvers<number[][]>()
    this.#pending.set(id, request)
    const removeListener = onAbort(signal, (reason) => {
      this.#send({ kind: 'cancel-embed', id })
      request.reject(reason)
    })
    this.#send({ kind: 'embed', id, texts })
    try {
      return await request.promise
    } finally {
      removeListener()
      this.#pending.delete(id)
    }
  }

  settle({ id, vectors }: EmbedReply): void {
    if (vectors) this.#pending.get(id)?.resolve(vectors)
    else this.#pending.get(id)?.reject(new Error('The local embedding model gives no vectors.'))
  }
}

/** Main-thread side: answers requests of a worker. */
export class EmbedResponder {
  readonly #embed: Embed
  readonly #running = new Map<number, AbortController>()

  constructor(embed: Embed) {
    this.#embed = embed
  }

  /** Calls `reply` once, asynchronously, unless the request is cancelled. */
  receive(request: EmbedRequest, reply: (reply: EmbedReply) => void): void {
    if (request.kind === 'cancel-embed') return this.#running.get(request.id)?.abort()
    const { id, texts } = request
    const controller = new AbortController()
    this.#running.set(id, controller)
    const settle = (vectors: number[][] | null) => {
      this.#running.delete(id)
      if (!controller.signal.aborted) reply({ kind: 'embedded', id, vectors })
    }
    this.#embed(texts, controller.signal).then(settle, () => settle(null))
  }

  cancelAll(): void {
    for (const controller of this.#running.values()) controller.abort()
  }
}
