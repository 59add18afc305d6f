import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fetchModel, ModelFileError, type Progress } from './fetch-model.ts'
import { type ForkedProcess, ModelNotLoaded } from './forked-process.ts'
import { LIBRARY_MODULE } from './llama-library.ts'
import type { ModelSource } from './model-source.ts'
import { onAbort, settledOrAborted } from '../../async/abort.ts'

/** Retry delays: the first, doubled with each attempt up to the longest. */
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 5 * 60_000
/** A process that ran this long resets the retry delay. */
const STABLE_MS = 60_000
/** Longest wait of a caller for a process that is starting. */
const START_WAIT_MS = 30_000
const MIN_RETRY_S = 5
const MAX_RETRY_S = 600

export interface LocalRuntimePaths {
  modelsDirectory: string
  /** Where `node-llama-cpp` is installed. */
  libraryDirectory: string
  env: Record<string, string>
}

export interface ModelHost {
  readonly process: Pick<ForkedProcess<never>, 'loaded' | 'ended' | 'kill'>
}

export interface ModelSupervisorOptions<Host extends ModelHost> {
  name: string
  source: ModelSource
  paths: Pick<LocalRuntimePaths, 'modelsDirectory' | 'libraryDirectory'>
  start: (files: { library: string; model: string; threads: number }) => Host
  onWarning: (message: string, cause?: unknown) => void
  firstPauseMs?: number | undefined
}

type State<Host> =
  | { kind: 'fetching'; begunAt: number; begunBytes: number; progress: Progress | null }
  /** The file is available and its process is starting. */
  | { kind: 'loading' }
  | { kind: 'ready'; host: Host }
  | { kind: 'failed'; sentence: string; againAt: number }
  | { kind: 'closed' }

/** Why the model doesn't answer now. `percent` is the progress of the download. */
export interface NotReady {
  code: 'model_loading' | 'model_unavailable'
  percent: number | undefined
  retryAfterS: number
}

/** Downloads a model, runs it in a process of its own and restarts that until `close`. Never blocks the server. */
export class ModelSupervisor<Host extends ModelHost> {
  readonly #options: ModelSupervisorOptions<Host>
  readonly #closing = new AbortController()
  readonly #running: Promise<void>
  #state: State<Host> = { kind: 'loading' }
  #changed = Promise.withResolvers<void>()

  constructor(options: ModelSupervisorOptions<Host>) {
    this.#options = options
    this.#running = this.#run()
  }

  /** Why the model doesn't answer, for the operator; `null` if it does. */
  get problem(): string | null {
    const { name } = this.#options
    const state = this.#state
    const percent = this.notReady?.percent
    if (state.kind === 'fetching') return `Downloading the ${name}${percent === undefined ? '' : `: ${percent} %`}.`
    if (state.kind === 'loading') return `Loading the ${name}.`
    return state.kind === 'failed' ? `${state.sentence} Retrying.` : null
  }

  /** `null` if it answers now or within moments. */
  get notReady(): NotReady | null {
    const state = this.#state
    if (state.kind === 'fetching') return { code: 'model_loading', percent: percentOf(state.progress), retryAfterS: restOf(state) }
    if (state.kind !== 'failed') return null
    return { code: 'model_unavailable', percent: undefined, retryAfterS: within((state.againAt - performance.now()) / 1000) }
  }

  /** Waits for a process that is starting; `null` if there is none. Rejects with the signal's reason. */
  async ready(signal: AbortSignal): Promise<Host | null> {
    const limit = AbortSignal.any([signal, this.#closing.signal, AbortSignal.timeout(START_WAIT_MS)])
    while (this.#state.kind === 'loading' && !limit.aborted) await settledOrAborted(this.#changed.promise, limit)
    signal.throwIfAborted()
    return this.#state.kind === 'ready' ? this.#state.host : null
  }

  async close(): Promise<void> {
    this.#closing.abort()
    if (this.#state.kind === 'ready') this.#state.host.process.kill()
    await this.#running
  }

  /** Restarts the process, with growing delays while it fails early. */
  async #run(): Promise<void> {
    const { firstPauseMs = FIRST_PAUSE_MS } = this.#options
    const { signal } = this.#closing
    for (let pauseMs = firstPauseMs; !signal.aborted; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      const begunAt = performance.now()
      let waitMs = pauseMs
      try {
        await this.#runOnce(signal)
        if (signal.aborted) break
        if (performance.now() - begunAt > STABLE_MS) waitMs = pauseMs = firstPauseMs
        this.#setState({ kind: 'loading' })
      } catch (error) {
        if (signal.aborted) break
        if (error instanceof ModelFileError && error.retryAfterMs !== null) waitMs = error.retryAfterMs
        this.#fail(error, waitMs)
      }
      await pause(waitMs, undefined, { signal }).catch(() => undefined)
    }
    this.#setState({ kind: 'closed' })
  }

  /** One run, from the download to the end of the process. Rejects if the model can't be used. */
  async #runOnce(signal: AbortSignal): Promise<void> {
    const { name, source, paths, start, onWarning } = this.#options
    const onProgress = (progress: Progress) => this.#progress(progress)
    const model = await fetchModel({ name, source, directory: paths.modelsDirectory, signal, onProgress })
    const library = join(paths.libraryDirectory, LIBRARY_MODULE)
    if (!existsSync(library))
      throw new ModelNotLoaded(
        `The runtime of the ${name} is not installed: \`npm run local-model\` in a checkout does it (docs/local-model.md).`,
      )
    // An earlier failure stays reported until the process runs.
    if (this.#state.kind !== 'failed') this.#setState({ kind: 'loading' })
    // Leaves one core free: with all of them busy, other work on the machine delays every step.
    const host = start({ library, model, threads: Math.max(1, availableParallelism() - 1) })
    const { process } = host
    const removeListener = onAbort(signal, () => process.kill())
    try {
      await process.loaded
      this.#setState({ kind: 'ready', host })
      const how = await process.ended
      if (!signal.aborted) onWarning(`The process of the ${name} ended (${how}); restarting it`)
    } finally {
      removeListener()
      process.kill()
    }
  }

  #progress(progress: Progress): void {
    if (this.#state.kind === 'fetching') this.#state.progress = progress
    else this.#setState({ kind: 'fetching', begunAt: performance.now(), begunBytes: progress.bytes, progress })
  }

  #fail(error: unknown, waitMs: number): void {
    const isKnown = error instanceof ModelFileError || error instanceof ModelNotLoaded
    const sentence = isKnown ? error.message : `Starting the ${this.#options.name} failed.`
    const isNew = this.#state.kind !== 'failed' || this.#state.sentence !== sentence
    if (isNew) this.#options.onWarning(sentence, isKnown ? undefined : error)
    this.#setState({ kind: 'failed', sentence, againAt: performance.now() + waitMs })
  }

  #setState(state: State<Host>): void {
    this.#state = state
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }
}

/** Environment variables of a model's process: paths, no secrets. */
const VARIABLES = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'SystemRoot']

/** @param libraryDirectory Where the launcher installs `node-llama-cpp`. */
export function localRuntimePaths(
  { dataDirectory, variables }: { dataDirectory: string; variables: Readonly<Record<string, string>> },
  libraryDirectory: string,
): LocalRuntimePaths {
  const env = Object.fromEntries(Object.entries(variables).filter(([name]) => VARIABLES.includes(name)))
  return { modelsDirectory: join(dataDirectory, 'models'), libraryDirectory, env }
}

function percentOf(progress: Progress | null): number | undefined {
  return progress?.totalBytes ? Math.floor((progress.bytes / progress.totalBytes) * 100) : undefined
}

/** About how long the rest takes at the pace so far, in seconds. */
function restOf({ progress, begunAt, begunBytes }: Extract<State<ModelHost>, { kind: 'fetching' }>): number {
  if (!progress?.totalBytes || progress.bytes <= begunBytes) return MAX_RETRY_S / 10
  const bytesPerMs = (progress.bytes - begunBytes) / (performance.now() - begunAt)
  return within((progress.totalBytes - progress.bytes) / bytesPerMs / 1000)
}

function within(seconds: number): number {
  return Math.min(Math.max(MIN_RETRY_S, Math.ceil(seconds)), MAX_RETRY_S)
}
