import { availableParallelism } from 'node:os'
import { Semaphore } from '../../../async/semaphore.ts'
import { ModelSupervisor, type LocalRuntimePaths, type NotReady } from '../../local-runtime/model-supervisor.ts'
import { AgentFailure } from '../agent-failure.ts'
import { type AnswerListener, LOCAL_MODEL, ModelProcess } from './model-process.ts'
import { type LocalModelSettings, sourceOf } from './model-source.ts'
import type { Answered, AnswerRequest } from './process-messages.ts'

/** Retry delay during shutdown. */
const RETRY_AFTER_S = 5

/** More answers than this wait too long: a CPU takes about a minute for one. */
const MAX_WAITING = 8
/** Retry delay when too many answers wait. */
const BUSY_RETRY_AFTER_S = 30

export interface LocalRuntimeOptions extends LocalRuntimePaths {
  settings: LocalModelSettings
  /** Called with messages for the operator's log. */
  onWarning: (message: string, cause?: unknown) => void
  firstPauseMs?: number
}

/** The local model. Runs one answer at a time; the others queue. */
export class LocalRuntime {
  readonly #answers = new Semaphore(1)
  readonly #supervisor: ModelSupervisor<ModelProcess>

  constructor({ settings, env, onWarning, firstPauseMs, ...paths }: LocalRuntimeOptions) {
    this.#supervisor = new ModelSupervisor({
      name: LOCAL_MODEL,
      source: sourceOf(settings),
      paths,
      start: (files) => {
        // The visitor waits for it: on two cores, the second one halves the time to the first word.
        const threads = Math.max(files.threads, Math.min(2, availableParallelism()))
        return new ModelProcess({ ...files, threads, contextTokens: settings.contextTokens, env })
      },
      onWarning,
      firstPauseMs,
    })
  }

  /** Why it doesn't answer, for the operator; `null` if it does. */
  get problem(): string | null {
    return this.#supervisor.problem
  }

  /** `null` if it answers now or within moments. */
  get notReady(): NotReady | null {
    return this.#supervisor.notReady
  }

  /** Queues and runs an answer. Rejects with `AgentFailure`, or with the signal's reason once the model is free again. */
  async answer(request: AnswerRequest, listener: AnswerListener): Promise<Answered> {
    const { signal } = listener
    signal.throwIfAborted()
    if (this.#answers.waiting >= MAX_WAITING)
      throw new AgentFailure('model_busy', 'Too many answers wait for the local model.', { retryAfterS: BUSY_RETRY_AFTER_S })
    return this.#answers.run(async () => {
      const process = await this.#ready(signal)
      return process.answer(request, listener).finally(() => signal.throwIfAborted())
    }, signal)
  }

  close(): Promise<void> {
    return this.#supervisor.close()
  }

  async #ready(signal: AbortSignal): Promise<ModelProcess> {
    const process = await this.#supervisor.ready(signal)
    if (process) return process
    const { code, retryAfterS } = this.notReady ?? { code: 'model_unavailable', retryAfterS: RETRY_AFTER_S }
    throw new AgentFailure(code, `The local model is unavailable: ${this.problem ?? 'the server is shutting down.'}`, { retryAfterS })
  }
}
