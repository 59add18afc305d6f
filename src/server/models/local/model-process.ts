import { fileURLToPath } from 'node:url'
import { ForkedProcess } from '../../local-runtime/forked-process.ts'
import { AgentFailure } from '../agent-failure.ts'
import { type Answered, type AnswerRequest, type Delta, FromProcess, type ToProcess } from './process-messages.ts'
import { onAbort } from '../../../async/abort.ts'

/** Name in messages. */
export const LOCAL_MODEL = 'local model'
const PROGRAM = fileURLToPath(new URL('./run-model.ts', import.meta.url))
/** A model finishes its current input before it stops. After this time its process is killed. */
const STOP_LIMIT_MS = 20_000

export interface AnswerListener {
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
export class ModelProcess {
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
    if (data.type === 'not-loaded') return this.process.rejectLoaded(data.message)
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
