import { statSync } from 'node:fs'
import { type LocalRuntimePaths, ModelSupervisor } from '../../../local-runtime/model-supervisor.ts'
import type { ModelSource } from '../../../local-runtime/model-source.ts'
import { ModelNotLoaded } from '../../../local-runtime/forked-process.ts'
import { EmbeddingProcess, LOCAL_EMBEDDING_MODEL } from './embedding-process.ts'

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
