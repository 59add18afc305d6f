import { fileURLToPath } from 'node:url'
import { ForkedProcess } from '../../../local-runtime/forked-process.ts'
import { FromEmbedder, type ToEmbedder } from './embedding-messages.ts'
import { PendingRequests } from '../../../../async/pending-requests.ts'

export const LOCAL_EMBEDDING_MODEL = 'local embedding model'
const PROGRAM = fileURLToPath(new URL('./embed-texts.ts', import.meta.url))

export class EmbeddingProcess {
  readonly process: ForkedProcess<ToEmbedder>
  readonly #requests = new PendingRequests<number[][]>()

  constructor({ env, ...load }: Omit<Extract<ToEmbedder, { type: 'load' }>, 'type'> & { env: Record<string, string> }) {
    this.process = new ForkedProcess({
      program: PROGRAM,
      name: LOCAL_EMBEDDING_MODEL,
      // glibc's further arenas keep 20 MB.
      env: { ...env, MALLOC_ARENA_MAX: '1' },
      onMessage: (message) => this.#receive(message),
      onEnd: (how) => this.#requests.rejectAll(new Error(`The process of the ${LOCAL_EMBEDDING_MODEL} ended (${how}).`)),
    })
    this.process.send({ type: 'load', ...load })
  }

  /** A vector for each text. Rejects when the model fails, its process ends, or with the signal's reason. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<number[][]> {
    return this.#requests.send(
      (id) => this.process.send({ type: 'embed', id, texts: [...texts] }),
      signal,
      (id) => this.process.send({ type: 'cancel', id }),
    )
  }

  #receive(received: unknown): void {
    const message = FromEmbedder.safeParse(received)
    if (!message.success) return this.process.kill()
    const { data } = message
    if (data.type === 'loaded') return this.process.resolveLoaded()
    if (data.type === 'not-loaded') return this.process.rejectLoaded(data.message)
    if (data.type === 'embedded') this.#requests.resolve(data.id, data.vectors)
    else this.#requests.reject(data.id, new Error(`The ${LOCAL_EMBEDDING_MODEL} failed: ${data.message}`))
  }
}
