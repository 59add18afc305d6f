import { fileURLToPath } from 'node:url'
import { ForkedProcess } from '../../../local-runtime/forked-process.ts'
import { FromEmbedder, type ToEmbedder } from './embedding-messages.ts'
import { onAbort } from '../../../../async/abort.ts'

export const LOCAL_EMBEDDING_MODEL = 'local embedding model'
const PROGRAM = fileURLToPath(new URL('./embed-texts.ts', import.meta.url))

export interface EmbeddingProcessOptions {
  /** The entry module of `node-llama-cpp`. */
  library: string
  model: string
  threads: number
  env: Record<string, string>
}

export class EmbeddingProcess {
  readonly #process: ForkedProcess<void>
  readonly #pending = new Map<number, PromiseWithResolvers<number[][]>>()
  #lastId = 0

  constructor({ env, ...load }: EmbeddingProcessOptions) {
    this.#process = new ForkedProcess({
      program: PROGRAM,
      name: LOCAL_EMBEDDING_MODEL,
      // glibc's further arenas keep 20 MB.
      env: { ...env, MALLOC_ARENA_MAX: '1' },
      onMessage: (message) => this.#receive(message),
      onEnd: (how) => this.#rejectAll(how),
    })
    this.#send({ type: 'load', ...load })
  }

  /** Rejects with `ModelNotLoaded`. */
  get loaded(): Promise<void> {
    return this.#process.loaded
  }

  /** Resolves with the reason when the process ends. */
  get ended(): Promise<string> {
    return this.#process.ended
  }

  /** A vector for each text. Rejects when the model fails, its process ends, or with the signal's reason. */
  async embed(texts: readonly string[], signal: AbortSignal): Promise<number[][]> {
    signal.throwIfAborted()
    const id = (this.#lastId += 1)
    const request = Promise.withResolvers<number[][]>()
    this.#pending.set(id, request)
    const removeListener = onAbort(signal, (reason) => {
      this.#send({ type: 'cancel', id })
      request.reject(reason)
    })
    this.#send({ type: 'embed', id, texts: [...texts] })
    try {
      return await request.promise
    } finally {
      removeListener()
      this.#pending.delete(id)
    }
  }

  kill(): void {
    this.#process.kill()
  }

  #send(message: ToEmbedder): void {
    this.#process.send(message)
  }

  #receive(received: unknown): void {
    const message = FromEmbedder.safeParse(received)
    if (!message.success) return this.kill()
    const { data } = message
    if (data.type === 'loaded') return this.#process.resolveLoaded()
    if (data.type === 'not-loaded') return this.#process.rejectLoaded(data.message)
    const request = this.#pending.get(data.id)
    if (data.type === 'embedded') request?.resolve(data.vectors)
    else request?.reject(new Error(`The ${LOCAL_EMBEDDING_MODEL} failed: ${data.message}`))
  }

  #rejectAll(how: string): void {
    for (const { reject } of this.#pending.values()) reject(new Error(`The process of the ${LOCAL_EMBEDDING_MODEL} ended (${how}).`))
  }
}
