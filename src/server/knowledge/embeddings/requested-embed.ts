import type { Embed } from './embed.ts'
import { PendingRequests } from '../../../async/pending-requests.ts'

export type EmbedRequest = { kind: 'embed'; id: number; texts: readonly string[] } | { kind: 'cancel-embed'; id: number }
export interface EmbedReply {
  kind: 'embedded'
  id: number
  vectors: number[][] | null
}

/** Worker side: embeds texts through the main thread's model. */
export class RequestedEmbed {
  readonly #send: (request: EmbedRequest) => void
  readonly #requests = new PendingRequests<number[][]>()

  constructor(send: (request: EmbedRequest) => void) {
    this.#send = send
  }

  readonly embed: Embed = (texts, signal) =>
    this.#requests.send(
      (id) => this.#send({ kind: 'embed', id, texts }),
      signal,
      (id) => this.#send({ kind: 'cancel-embed', id }),
    )

  settle({ id, vectors }: EmbedReply): void {
    if (vectors) this.#requests.resolve(id, vectors)
    else this.#requests.reject(id, new Error('The local embedding model gives no vectors.'))
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
