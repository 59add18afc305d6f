import { type ChildProcess, fork } from 'node:child_process'

/** Enough to read a gigabyte from a slow disk. */
const LOAD_LIMIT_MS = 120_000
/** Of what the process writes to its standard error before the model is loaded, when no visitor's text is in it. */
const MAX_STDERR_CHARACTERS = 300

/** Why a process did not load its model, in one sentence for the operator. */
export class ModelNotLoaded extends Error {}

export interface ForkedProcessOptions {
  /** Path of the program. */
  program: string
  /** What the model is called in messages: "local model". */
  name: string
  /** All that the process has of the environment. */
  env: Record<string, string>
  onMessage: (message: unknown) => void
  /** Called once, when the process has ended. */
  onEnd: (how: string) => void
}

/** A process that holds a model. It ends with the server, however that ends: the channel between them closes. */
export class ForkedProcess<Loaded> {
  /** Rejects with `ModelNotLoaded`. */
  readonly loaded: Promise<Loaded>
  /** Resolves with how it ended: `SIGKILL`, `code 1`. */
  readonly ended: Promise<string>
  readonly #name: string
  readonly #child: ChildProcess
  readonly #loading = Promise.withResolvers<Loaded>()
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
      // Without a close: it could not be started at all.
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

  /** Of the operating system. */
  get pid(): number | undefined {
    return this.#child.pid
  }

  /** To be called when the process says that its model is loaded. */
  resolveLoaded(loaded: Loaded): void {
    this.#loading.resolve(loaded)
  }

  /** To be called when the process says why it cannot load its model. */
  rejectLoaded(reason: string): void {
    this.#loading.reject(new ModelNotLoaded(`The ${this.#name} could not be loaded: ${reason}`))
  }

  /** A process that has ended receives nothing; `ended` reports that. */
  send(message: object): void {
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
    this.#loading.reject(new ModelNotLoaded(`The process of the ${this.#name} ended while it loaded it (${how})${line && `: ${line}`}`))
  }
}
