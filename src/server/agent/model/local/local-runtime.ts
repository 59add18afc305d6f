import { ModelSupervisor, type LocalRuntimePaths, type NotReady } from '../../../local-runtime/model-supervisor.ts'
import { AgentFailure } from '../../answer/agent-failure.ts'
import { AnswerQueue } from './answer-queue.ts'
import { type AnswerListener, LOCAL_MODEL, ModelProcess } from './model-process.ts'
import { type LocalModelSettings, sourceOf } from './model-source.ts'
import type { Answered, AnswerRequest } from './process-messages.ts'

/** When to come back while the server goes down, in seconds. */
const RETRY_AFTER_S = 5

export interface LocalRuntimeOptions extends LocalRuntimePaths {
  settings: LocalModelSettings
  /** Hears what the operator should know. */
  onWarning: (message: string, cause?: unknown) => void
  firstPauseMs?: number
}

/** The local model of this server, which writes one answer at a time. */
export class LocalRuntime {
  readonly #queue = new AnswerQueue()
  readonly #supervisor: ModelSupervisor<ModelProcess>

  constructor({ settings, env, onWarning, firstPauseMs, ...paths }: LocalRuntimeOptions) {
    this.#supervisor = new ModelSupervisor({
      name: LOCAL_MODEL,
      source: sourceOf(settings),
      paths,
      start: (files) => new ModelProcess({ ...files, contextTokens: settings.contextTokens, env }),
      onWarning,
      firstPauseMs,
    })
  }

  /** What an operator has to know while it does not answer; null when it does. */
  get problem(): string | null {
    return this.#supervisor.problem
  }

  /** Null when it answers, or will in a moment. */
  get notReady(): NotReady | null {
    return this.#supervisor.notReady
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

  close(): Promise<void> {
    return this.#supervisor.close()
  }

  async #ready(signal: AbortSignal): Promise<ModelProcess> {
    const process = await this.#supervisor.ready(signal)
    if (process) return process
    const { code, retryAfterS } = this.notReady ?? { code: 'model_unavailable', retryAfterS: RETRY_AFTER_S }
    throw new AgentFailure(code, `The local model is not there: ${this.problem ?? 'the server goes down.'}`, { retryAfterS })
  }
}
