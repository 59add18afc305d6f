import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { AgentFailure } from '../../agent-failure.ts'
import { type Answered, type AnswerRequest, type Delta, FromProcess, type ToProcess } from './process-messages.ts'

const PROGRAM = fileURLToPath(new URL('./run-model.ts', import.meta.url))
/** A gigabyte is read from a slow disk in this time. */
const LOAD_LIMIT_MS = 120_000
/** A model that is told to stop first comes to the end of what it is reading; one that takes longer is ended with its process. */
const STOP_LIMIT_MS = 20_000
/** Of what the process said before it had loaded the model, when there was no prompt yet. */
const MAX_LAST_WORDS = 300

export interface ModelProcessOptions {
  /** The module that `node-llama-cpp` begins with. */
  library: string
  /** The GGUF file. */
  model: string
  contextTokens: number
  threads: number
  /** All that the process has of the environment. */
  env: Record<string, string>
}

export interface AnswerListener {
  onDelta: (delta: Delta) => void
  signal: AbortSignal
}

/** Why the process of a model did not load it, in one sentence for the operator. */
export class ModelNotLoaded extends Error {}

interface Answer {
  id: number
  onDelta: (delta: Delta) => void
  resolve: (answered: Answered) => void
  reject: (failure: AgentFailure) => void
}

/** A process with a model in it. It ends with the server, however that ends: the channel between them closes. */
export class ModelProcess {
  /** Rejects with `ModelNotLoaded`. */
  readonly loaded: Promise<{ contextTokens: number }>
  /** Resolves with how it ended, as `SIGKILL` or `code 1`. */
  readonly ended: Promise<string>
  readonly #child: ChildProcess
  readonly #loading = Promise.withResolvers<{ contextTokens: number }>()
  #answer: Answer | undefined
  #lastId = 0
  #lastWords = ''

  constructor({ env, ...load }: ModelProcessOptions) {
    this.loaded = this.#loading.promise
    this.#child = fork(PROGRAM, [], {
      env,
      execArgv: ['--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    this.ended = new Promise((resolve) => {
      this.#child.once('close', (code, signal) => resolve(signal ?? `code ${code}`))
      // Without a close: it could not be started at all.
      this.#child.once('error', (error) => resolve((error as NodeJS.ErrnoException).code ?? error.message))
    })
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => this.#hearLastWords(text))
    this.#child.on('message', (said) => this.#hear(said))
    const late = setTimeout(() => this.kill(), LOAD_LIMIT_MS)
    this.loaded.finally(() => clearTimeout(late)).catch(() => undefined)
    this.ended.then(
      (how) => this.#end(how),
      () => undefined,
    )
    this.#say({ type: 'load', ...load })
  }

  /** How a process of the operating system is told from others. */
  get pid(): number | undefined {
    return this.#child.pid
  }

  /**
   * Writes one answer; there must be no other. Resolves or rejects (with `AgentFailure`) when the process is free for the next, or has ended;
   * when the signal aborts, that is as soon as the model has stopped.
   */
  async answer(request: AnswerRequest, { onDelta, signal }: AnswerListener): Promise<Answered> {
    const id = (this.#lastId += 1)
    const { promise, resolve, reject } = Promise.withResolvers<Answered>()
    this.#answer = { id, onDelta, resolve, reject }
    let limit: NodeJS.Timeout | undefined
    const stop = () => {
      this.#say({ type: 'stop', id })
      limit = setTimeout(() => this.kill(), STOP_LIMIT_MS)
    }
    signal.addEventListener('abort', stop, { once: true })
    this.#say({ type: 'answer', id, request })
    if (signal.aborted) stop()
    try {
      return await promise
    } finally {
      clearTimeout(limit)
      signal.removeEventListener('abort', stop)
      this.#answer = undefined
    }
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }

  #say(message: ToProcess): void {
    // One that has ended hears nothing; `ended` says so.
    this.#child.send(message, () => undefined)
  }

  #hear(said: unknown): void {
    const message = FromProcess.safeParse(said)
    if (!message.success) return this.kill()
    const { data } = message
    if (data.type === 'loaded') return this.#loading.resolve(data)
    if (data.type === 'not-loaded') return this.#loading.reject(new ModelNotLoaded(`The local model could not be loaded: ${data.message}`))
    const answer = this.#answer?.id === data.id ? this.#answer : undefined
    if (data.type === 'delta') answer?.onDelta(data.delta)
    else if (data.type === 'answered') answer?.resolve(data.answered)
    else answer?.reject(failureOf(data))
  }

  #hearLastWords(text: string): void {
    this.#lastWords = `${this.#lastWords}${text}`.slice(-MAX_LAST_WORDS)
    this.loaded.then(
      () => (this.#lastWords = ''),
      () => undefined,
    )
  }

  #end(how: string): void {
    const words = this.#lastWords.trim().split('\n').at(-1) ?? ''
    this.#loading.reject(new ModelNotLoaded(`The process of the local model ended while it loaded it (${how})${words && `: ${words}`}`))
    this.#answer?.reject(new AgentFailure('model_failed', `The process of the local model ended in the middle of an answer (${how}).`))
  }
}

function failureOf({ reason, message }: Extract<FromProcess, { type: 'failed' }>): AgentFailure {
  if (reason === 'too-long') return new AgentFailure('context_too_long', 'The prompt does not fit into the context of the local model.')
  return new AgentFailure('model_failed', `The local model failed: ${message}`)
}
