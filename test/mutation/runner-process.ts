import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Answer, Request } from './test-runner.ts'

export type Outcome = Answer & { isTimedOut: boolean }

/** Runs test files in the copy, in a process that is ended with all that it started when a run takes too long. */
export class RunnerProcess {
  readonly #copy: string
  readonly #env: NodeJS.ProcessEnv
  readonly #args: string[]
  #child: ChildProcess | undefined

  constructor(copy: string, env: NodeJS.ProcessEnv, args: string[] = []) {
    this.#copy = copy
    this.#env = env
    this.#args = args
  }

  async run(request: Request, limitMs: number): Promise<Outcome> {
    const child = (this.#child ??= await this.#start())
    return new Promise((resolve, reject) => {
      const settle = (act: () => void) => {
        clearTimeout(limit)
        child.off('message', onAnswer).off('exit', onExit)
        act()
      }
      const onAnswer = (answer: Answer) => settle(() => resolve({ ...answer, isTimedOut: false }))
      const onExit = () => {
        this.#child = undefined
        settle(() => reject(new Error('The process that runs the tests ended.')))
      }
      const limit = setTimeout(() => {
        settle(() => resolve({ failures: [], hangs: false, durations: {}, passed: {}, isTimedOut: true }))
        this.stop()
      }, limitMs)
      child.on('message', onAnswer).on('exit', onExit)
      child.send(request)
    })
  }

  stop(): void {
    const pid = this.#child?.pid
    this.#child?.removeAllListeners('exit')
    this.#child = undefined
    // The group, because workers and servers are its children.
    if (pid) process.kill(-pid, 'SIGKILL')
  }

  async #start(): Promise<ChildProcess> {
    const child = fork('test/mutation/test-runner.ts', this.#args, {
      cwd: this.#copy,
      env: this.#env,
      detached: true,
      execArgv: ['--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(() => {
        throw new Error('The process that runs the tests did not start.')
      }),
    ])
    return child
  }
}
