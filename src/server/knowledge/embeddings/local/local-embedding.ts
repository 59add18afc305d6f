import { statSync } from 'node:fs'
import { type LocalRuntimePlace, ModelSupervisor } from '../../../local-runtime/model-supervisor.ts'
import type { ModelSource } from '../../../local-runtime/model-source.ts'
import { EmbeddingProcess, LOCAL_EMBEDDING_MODEL } from './embedding-process.ts'

export interface LocalEmbeddingOptions {
  source: ModelSource
  place: LocalRuntimePlace
  onWarning: (message: string, cause?: unknown) => void
  firstPauseMs?: number
}

/** An embedding model on this machine's processor, in a process of its own. To be closed. */
export class LocalEmbedding {
  /** Of the model: vectors of another one are of no use. */
  readonly identity: string
  readonly #supervisor: ModelSupervisor<EmbeddingProcess>

  constructor({ source, place, onWarning, firstPauseMs }: LocalEmbeddingOptions) {
    this.identity = `local ${identityOf(source)}`
    this.#supervisor = new ModelSupervisor({
      name: LOCAL_EMBEDDING_MODEL,
      source,
      place,
      start: (files) => new EmbeddingProcess({ ...files, env: place.env }),
      onWarning,
      firstPauseMs,
    })
  }

  /** What an operator has to know while it gives no vectors; null when it does. */
  get problem(): string | null {
    return this.#supervisor.problem
  }

  /** A vector for each text. Rejects when there is none now, or with the signal's reason. */
  async embed(texts: readonly string[], signal: AbortSignal): Promise<number[][]> {
    const process = await this.#supervisor.ready(signal)
    if (!process) throw new Error(this.problem ?? 'The server goes down.')
    return process.embed(texts, signal)
  }

  close(): Promise<void> {
    return this.#supervisor.close()
  }
}

/** By content where a checksum is known. */
function identityOf(source: ModelSource): string {
  if (source.kind === 'fetched' || source.sha256 !== null) return `${source.sha256}`
  const file = statSync(source.path, { throwIfNoEntry: false })
  return `${source.path} ${file?.size} ${file?.mtimeMs}`
}
