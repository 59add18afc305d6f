import { type ChildProcess, fork } from 'node:child_process'

/** Time limit for loading: enough to read a gigabyte from a slow disk. */
const LOAD_LIMIT_MS = 120_000
/** Most characters of standard error before the model is loaded, when it can't contain visitors' text. */
const MAX_STDERR_CHARACTERS = 300

/** Why a process did not load its model, as one sentence for the operator. */
export class ModelNotLoaded extends Error {}

export interface ForkedProcessOptions {
  program: string
  name: string
  env: Record<string, string>
  onMessage: (message: unknown) => void
  onEnd: (how: string) => void
}

/** A process with a model. It always ends with the server, because their channel closes. */
export class ForkedProcess<Message extends object> {
  readonly loaded: Promise<void>
  /** Resolves with the exit reason, such as `SIGKILL` or `code 1`. */
  readonly ended: Promise<string>
  readonly #name: string
  readonly #child: ChildProcess
  readonly #loading = Promise.withResolvers<void>()
  #stderr = ''

  constructor({ program, name, env, onMessage, onEnd }: ForkedProcessOptions) {
    this.#name = name
    this.loaded = this.#loading.promise
    this.#child = fork(program, [], {
      env,
      execArgv: ['--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    this.ended = new Promise((resolve) => {
      this.#child.once('close', (code, signal) => resolve(signal ?? `code ${code}`))
      // Without `close`, the process could not be started.
      this.#child.once('error', (error) => resolve((error as NodeJS.ErrnoException).code ?? error.message))
    })
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => this.#appendStderr(text))
    this.#child.on('message', onMessage)
    const late = setTimeout(() => this.kill(), LOAD_LIMIT_MS)
    this.loaded.finally(() => clearTimeout(late)).catch(() => undefined)
    this.ended.then(
      (how) => (this.#rejectLoading(how), onEnd(how)),
      () => undefined,
    )
  }

  resolveLoaded(): void {
    this.#loading.resolve()
  }

  /** Has no effect once the process has ended, which `ended` reports. */
  send(message: Message): void {
    this.#child.send(message, () => undefined)
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }

  #appendStderr(text: string): void {
    this.#stderr = `${this.#stderr}${text}`.slice(-MAX_STDERR_CHARACTERS)
    this.loaded.then(
      () => (this.#stderr = ''),
      () => undefined,
    )
  }

  #rejectLoading(how: string): void {
    const line = this.#stderr.trim().split('\n').at(-1) ?? ''
    this.#loading.reject(new ModelNotLoaded(`The process of the ${this.#name} ended while loading it (${how})${line && `: ${line}`}`))
  }
}
