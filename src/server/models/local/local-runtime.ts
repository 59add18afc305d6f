import { availableParallelism } from 'node:os'
import { Semaphore } from '../../../async/semaphore.ts'
import { ModelSupervisor, type LocalRuntimePaths, type NotReady } from '../../local-runtime/model-supervisor.ts'
import { AgentFailure } from '../agent-failure.ts'
import { type LocalModelSettings, sourceOf } from './model-source.ts'
import { type Answered, type AnswerRequest, type Delta, FromProcess, type ToProcess } from './process-messages.ts'
import { fileURLToPath } from 'node:url'
import { ForkedProcess } from '../../local-runtime/forked-process.ts'
import { onAbort } from '../../../async/abort.ts'

/** Name in messages. */
const LOCAL_MODEL = 'local model'
const PROGRAM = fileURLToPath(new URL('./run-model.ts', import.meta.url))
/** A model finishes its current input before it stops. After this time its process is killed. */
const STOP_LIMIT_MS = 20_000

interface AnswerListener {
  onDelta: (delta: Delta) => void
  signal: AbortSignal
}

interface Answer {
  id: number
  onDelta: (delta: Delta) => void
  resolve: (answered: Answered) => void
  reject: (failure: AgentFailure) => void
}

/** A child process that has a local model loaded, and writes one answer at a time. */
class ModelProcess {
  readonly process: ForkedProcess<ToProcess>
  #answer: Answer | undefined
  #lastId = 0

  constructor({ env, ...load }: Omit<Extract<ToProcess, { type: 'load' }>, 'type'> & { env: Record<string, string> }) {
    this.process = new ForkedProcess({
      program: PROGRAM,
      name: LOCAL_MODEL,
      env,
      onMessage: (message) => this.#receive(message),
      onEnd: (how) => {
        const message = `The process of the local model ended in the middle of an answer (${how}).`
        this.#answer?.reject(new AgentFailure('model_failed', message))
      },
    })
    this.process.send({ type: 'load', ...load })
  }

  /**
   * Runs one answer; no other may be running. Settles when the process is free again or has ended, also after an abort. Rejects with
   * `AgentFailure`.
   */
  async answer(request: AnswerRequest, { onDelta, signal }: AnswerListener): Promise<Answered> {
    const id = (this.#lastId += 1)
    const { promise, resolve, reject } = Promise.withResolvers<Answered>()
    this.#answer = { id, onDelta, resolve, reject }
    let limit: NodeJS.Timeout | undefined
    this.process.send({ type: 'answer', id, request })
    const removeListener = onAbort(signal, () => {
      this.process.send({ type: 'stop', id })
      limit = setTimeout(() => this.process.kill(), STOP_LIMIT_MS)
    })
    try {
      return await promise
    } finally {
      clearTimeout(limit)
      removeListener()
      this.#answer = undefined
    }
  }

  #receive(received: unknown): void {
    const message = FromProcess.safeParse(received)
    if (!message.success) return this.process.kill()
    const { data } = message
    if (data.type === 'loaded') return this.process.resolveLoaded()
    const answer = this.#answer?.id === data.id ? this.#answer : undefined
    if (data.type === 'delta') answer?.onDelta(data.delta)
    else if (data.type === 'answered') answer?.resolve(data.answered)
    else answer?.reject(failureOf(data))
  }
}

function failureOf({ reason, message }: Extract<FromProcess, { type: 'failed' }>): AgentFailure {
  if (reason === 'too-long') return new AgentFailure('context_too_long', 'The prompt does not fit into the context of the local model.')
  return new AgentFailure('model_failed', `The local model failed: ${message}`)
}

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
