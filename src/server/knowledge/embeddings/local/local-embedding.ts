import { statSync } from 'node:fs'
import { type LocalRuntimePaths, ModelSupervisor } from '../../../local-runtime/model-supervisor.ts'
import type { ModelSource } from '../../../local-runtime/model-source.ts'
import { ModelNotLoaded, ForkedProcess } from '../../../local-runtime/forked-process.ts'
import { fileURLToPath } from 'node:url'
import { FromEmbedder, type ToEmbedder } from './embedding-messages.ts'
import { PendingRequests } from '../../../../async/pending-requests.ts'

const LOCAL_EMBEDDING_MODEL = 'local embedding model'
const PROGRAM = fileURLToPath(new URL('./embed-texts.ts', import.meta.url))

class EmbeddingProcess {
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
    if (data.type === 'embedded') this.#requests.resolve(data.id, data.vectors)
    else this.#requests.reject(data.id, new Error(`The ${LOCAL_EMBEDDING_MODEL} failed: ${data.message}`))
  }
}

/** Less free memory than this, and the process could end others. */
const MIN_FREE_BYTES = 1024 ** 3
const MB = 1024 ** 2

export interface LocalEmbeddingOptions {
  source: ModelSource
  place: LocalRuntimePaths
  onWarning: (message: string, cause?: unknown) => void
  firstPauseMs?: number
  freeBytes?: () => number
}

/** An embedding model that runs on the CPU in a child process. Close it after use. */
export class LocalEmbedding {
  /** Identity of the model. Vectors of other models are not comparable. */
  readonly identity: string
  readonly #supervisor: ModelSupervisor<EmbeddingProcess>

  constructor({ source, place, onWarning, firstPauseMs, freeBytes = () => process.availableMemory() }: LocalEmbeddingOptions) {
    this.identity = `local ${identityOf(source)}`
    this.#supervisor = new ModelSupervisor({
      name: LOCAL_EMBEDDING_MODEL,
      source,
      paths: place,
      start: (files) => {
        const free = freeBytes()
        if (free < MIN_FREE_BYTES) throw new ModelNotLoaded(tooLittleMemory(free))
        return new EmbeddingProcess({ ...files, env: place.env })
      },
      onWarning,
      firstPauseMs,
    })
  }

  get problem(): string | null {
    return this.#supervisor.problem
  }

  async embed(texts: readonly string[], signal: AbortSignal): Promise<number[][]> {
    const process = await this.#supervisor.ready(signal)
    if (!process) throw new Error(this.problem ?? 'The server goes down.')
    return process.embed(texts, signal)
  }

  close(): Promise<void> {
    return this.#supervisor.close()
  }
}

function tooLittleMemory(free: number): string {
  return `The ${LOCAL_EMBEDDING_MODEL} is not started: ${Math.floor(free / MB)} MB of memory are free, and it needs ${MIN_FREE_BYTES / MB}.`
}

function identityOf(source: ModelSource): string {
  if (source.kind === 'fetched' || source.sha256 !== null) return `${source.sha256}`
  const file = statSync(source.path, { throwIfNoEntry: false })
  return `${source.path} ${file?.size} ${file?.mtimeMs}`
}
