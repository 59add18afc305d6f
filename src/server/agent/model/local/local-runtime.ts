import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { AgentFailure } from '../../agent-failure.ts'
import { AnswerQueue } from './answer-queue.ts'
import { fetchModel, NoModelFile, type Progress } from './fetch-model.ts'
import { ModelNotLoaded, ModelProcess, type AnswerListener } from './model-process.ts'
import { type LocalModelSettings, sourceOf } from './model-source.ts'
import type { Answered, AnswerRequest } from './process-messages.ts'

/** Within the folder into which the launcher installs it. */
const LIBRARY = 'node_modules/node-llama-cpp/dist/index.js'
/** Pauses before another try: the first, doubled with each up to the longest. */
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 5 * 60_000
/** A process that lived so long is started again as if it were the first. */
const SOUND_MS = 60_000
/** So long an answer waits for a process that is being started. */
const START_WAIT_MS = 30_000
/** What is said of when to come back, in seconds. */
const LEAST_RETRY_S = 5
const MOST_RETRY_S = 600

export interface LocalRuntimeOptions {
  settings: LocalModelSettings
  /** Where fetched files of models are kept. */
  modelsDirectory: string
  /** Where `node-llama-cpp` is installed. */
  libraryDirectory: string
  /** All that the model's process has of the environment. */
  env: Record<string, string>
  /** Hears what the operator should know. */
  onWarning: (message: string, cause?: unknown) => void
  firstPauseMs?: number
}

type State =
  | { kind: 'fetching'; begunAt: number; begunBytes: number; progress: Progress | null }
  /** The file is there, and its process on the way. */
  | { kind: 'loading' }
  | { kind: 'ready'; process: ModelProcess }
  | { kind: 'failed'; sentence: string; againAt: number }
  | { kind: 'closed' }

/** Why the model does not answer now. `percent` is how much of it has been fetched. */
export interface NotReady {
  code: 'model_loading' | 'model_unavailable'
  percent: number | undefined
  retryAfterS: number
}

/**
 * The local model of this server: fetched, loaded into a process of its own, and started again when that ends. Nothing of it
 * holds up the server, which says meanwhile what is missing. One answer is written at a time.
 */
export class LocalRuntime {
  readonly #options: LocalRuntimeOptions
  readonly #queue = new AnswerQueue()
  readonly #closing = new AbortController()
  readonly #living: Promise<void>
  #state: State = { kind: 'loading' }
  #changed = Promise.withResolvers<void>()

  constructor(options: LocalRuntimeOptions) {
    this.#options = options
    this.#living = this.#live()
  }

  /** What an operator has to know while it does not answer; null when it does. */
  get problem(): string | null {
    const state = this.#state
    const percent = this.notReady?.percent
    if (state.kind === 'fetching') return `The local model is being fetched${percent === undefined ? '' : `: ${percent} %`}.`
    if (state.kind === 'loading') return 'The local model is being loaded.'
    return state.kind === 'failed' ? `${state.sentence} It is tried again.` : null
  }

  /** Null when it answers, or will in a moment. */
  get notReady(): NotReady | null {
    const state = this.#state
    if (state.kind === 'fetching') return { code: 'model_loading', percent: percentOf(state.progress), retryAfterS: restOf(state) }
    if (state.kind !== 'failed') return null
    return { code: 'model_unavailable', percent: undefined, retryAfterS: within((state.againAt - performance.now()) / 1000) }
  }

  /**
   * Writes an answer when it is its turn. Rejects with `AgentFailure`, or with the signal's reason; that is when the model is free again.
   */
  async answer(request: AnswerRequest, listener: AnswerListener): Promise<Answered> {
    const leave = await this.#queue.enter(listener.signal)
    try {
      const process = await this.#ready(listener.signal)
      return await process.answer(request, listener).finally(() => listener.signal.throwIfAborted())
    } finally {
      leave()
    }
  }

  async close(): Promise<void> {
    this.#closing.abort()
    if (this.#state.kind === 'ready') this.#state.process.kill()
    await this.#living
  }

  async #ready(signal: AbortSignal): Promise<ModelProcess> {
    const limit = AbortSignal.any([signal, this.#closing.signal, AbortSignal.timeout(START_WAIT_MS)])
    while (this.#state.kind === 'loading' && !limit.aborted) await Promise.race([this.#changed.promise, aborted(limit)])
    signal.throwIfAborted()
    if (this.#state.kind === 'ready') return this.#state.process
    const { code, retryAfterS } = this.notReady ?? { code: 'model_unavailable', retryAfterS: LEAST_RETRY_S }
    throw new AgentFailure(code, `The local model is not there: ${this.problem ?? 'the server goes down.'}`, { retryAfterS })
  }

  /** Until `close`: whatever ends, it is begun again, later and later while it does not last. */
  async #live(): Promise<void> {
    const { firstPauseMs = FIRST_PAUSE_MS } = this.#options
    const { signal } = this.#closing
    for (let pauseMs = firstPauseMs; !signal.aborted; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      const begunAt = performance.now()
      let waitMs = pauseMs
      try {
        await this.#liveOnce(signal)
        if (signal.aborted) break
        if (performance.now() - begunAt > SOUND_MS) waitMs = pauseMs = firstPauseMs
        this.#become({ kind: 'loading' })
      } catch (error) {
        if (signal.aborted) break
        if (error instanceof NoModelFile && error.retryAfterMs !== null) waitMs = error.retryAfterMs
        this.#fail(error, waitMs)
      }
      await pause(waitMs, undefined, { signal }).catch(() => undefined)
    }
    this.#become({ kind: 'closed' })
  }

  /** From the file to the end of the process. Rejects when the model cannot be had. */
  async #liveOnce(signal: AbortSignal): Promise<void> {
    const { settings, modelsDirectory, libraryDirectory, env, onWarning } = this.#options
    const onProgress = (progress: Progress) => this.#progress(progress)
    const model = await fetchModel({ source: sourceOf(settings), directory: modelsDirectory, signal, onProgress })
    const library = join(libraryDirectory, LIBRARY)
    if (!existsSync(library)) throw new ModelNotLoaded('What runs a local model is not installed: run `npm run local-model` once.')
    // What failed before is said until it has not.
    if (this.#state.kind !== 'failed') this.#become({ kind: 'loading' })
    // With all cores at it, what else the machine does would hold up every step.
    const threads = Math.max(1, availableParallelism() - 1)
    const process = new ModelProcess({ library, model, contextTokens: settings.contextTokens, threads, env })
    const kill = () => process.kill()
    signal.addEventListener('abort', kill, { once: true })
    try {
      await process.loaded
      this.#become({ kind: 'ready', process })
      const how = await process.ended
      if (!signal.aborted) onWarning(`The process of the local model ended (${how}) and is started again.`)
    } finally {
      signal.removeEventListener('abort', kill)
      process.kill()
    }
  }

  #progress(progress: Progress): void {
    if (this.#state.kind === 'fetching') this.#state.progress = progress
    else this.#become({ kind: 'fetching', begunAt: performance.now(), begunBytes: progress.bytes, progress })
  }

  #fail(error: unknown, waitMs: number): void {
    const isKnown = error instanceof NoModelFile || error instanceof ModelNotLoaded
    const sentence = isKnown ? error.message : 'The local model could not be started.'
    const isNew = this.#state.kind !== 'failed' || this.#state.sentence !== sentence
    if (isNew) this.#options.onWarning(sentence, isKnown ? undefined : error)
    this.#become({ kind: 'failed', sentence, againAt: performance.now() + waitMs })
  }

  #become(state: State): void {
    this.#state = state
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }
}

function percentOf(progress: Progress | null): number | undefined {
  return progress?.totalBytes ? Math.floor((progress.bytes / progress.totalBytes) * 100) : undefined
}

/** About how long the rest takes at the pace so far, in seconds. */
function restOf({ progress, begunAt, begunBytes }: Extract<State, { kind: 'fetching' }>): number {
  if (!progress?.totalBytes || progress.bytes <= begunBytes) return MOST_RETRY_S / 10
  const bytesPerMs = (progress.bytes - begunBytes) / (performance.now() - begunAt)
  return within((progress.totalBytes - progress.bytes) / bytesPerMs / 1000)
}

function within(seconds: number): number {
  return Math.min(Math.max(LEAST_RETRY_S, Math.ceil(seconds)), MOST_RETRY_S)
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
