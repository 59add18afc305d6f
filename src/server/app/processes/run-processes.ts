import cluster, { type Worker } from 'node:cluster'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CONSOLE_ARGUMENT, WORKER_ARGUMENT } from '../../config/process-settings.ts'
import { createSharedLimits, releaseSlotsOf } from '../../limits/shared-limits.ts'

/** Pauses before a process that ends again and again is replaced. */
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000
/** A process that lived longer than this did not end because of its start. */
const STABLE_MS = 60_000
const COLLECTING_LIMIT_MS = 2_000

/** Messages that processes of the group exchange through the first. */
export type GroupMessage =
  | { kind: 'ready'; address: string }
  /** Asks for the metrics of all processes, or for one's own. */
  | { kind: 'collect'; id: string }
  | { kind: 'metrics'; id: string; metrics: object[] }
  | { kind: 'collected'; id: string; metrics: object[][] }

/**
 * Runs processes that share the port. The first process serves nothing: it replaces those that end, passes on signals, and ends when
 * they have. `onReady` gets the address once all listen. Resolves with the exit code.
 */
export async function runProcesses(count: number, onReady: (address: string) => void, warn: (message: string) => void): Promise<number> {
  const folder = mkdtempSync(join(memoryFolder(), 'parley-limits-'))
  const limits = join(folder, 'limits.db')
  createSharedLimits(limits)
  const group = new ProcessGroup({ count, limits, onReady, warn })
  try {
    return await group.run()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface GroupOptions {
  count: number
  limits: string
  onReady: (address: string) => void
  warn: (message: string) => void
}

class ProcessGroup {
  readonly #options: GroupOptions
  readonly #ready = new Set<number>()
  readonly #ended = Promise.withResolvers<number>()
  #isReady = false
  #isStopping = false
  #pauseMs = FIRST_PAUSE_MS
  /** The process that has the staff console. */
  #withConsole: number | null = null

  constructor(options: GroupOptions) {
    this.#options = options
  }

  run(): Promise<number> {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => this.#stop(signal))
    process.on('SIGHUP', () => this.#tellAll('SIGHUP'))
    cluster.on('message', (worker, message: GroupMessage) => this.#receive(worker, message))
    for (let index = 0; index < this.#options.count; index += 1) this.#start()
    return this.#ended.promise
  }

  #start(): void {
    const startedAt = performance.now()
    const hasConsole = this.#withConsole === null
    cluster.setupPrimary({ args: [WORKER_ARGUMENT, this.#options.limits, ...(hasConsole ? [CONSOLE_ARGUMENT] : [])] })
    const worker = cluster.fork()
    if (hasConsole) this.#withConsole = worker.id
    worker.once('exit', (code, signal) => {
      if (this.#withConsole === worker.id) this.#withConsole = null
      releaseSlotsOf(this.#options.limits, worker.id)
      const wasReady = this.#ready.delete(worker.id)
      if (performance.now() - startedAt > STABLE_MS) this.#pauseMs = FIRST_PAUSE_MS
      if (this.#isStopping) this.#endWithTheLast(wasReady ? 0 : code)
      // A mistake in the settings is one of every process.
      else if (!this.#isReady) this.#fail(code)
      else this.#replaceLater(signal ?? `the exit code ${code}`)
    })
  }

  #replaceLater(reason: string): void {
    this.#options.warn(`A server process has ended with ${reason}; starting another in ${this.#pauseMs / 1000} s`)
    setTimeout(() => {
      if (!this.#isStopping) this.#start()
    }, this.#pauseMs)
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, this.#pauseMs * 2)
  }

  #fail(code: number): void {
    this.#isStopping = true
    this.#tellAll('SIGTERM')
    this.#endWithTheLast(code === 0 ? 1 : code)
  }

  #exitCode = 0

  #endWithTheLast(code: number): void {
    this.#exitCode = Math.max(this.#exitCode, code)
    if (Object.keys(cluster.workers ?? {}).length === 0) this.#ended.resolve(this.#exitCode)
  }

  #stop(signal: NodeJS.Signals): void {
    this.#isStopping = true
    this.#tellAll(signal)
    this.#endWithTheLast(0)
  }

  #tellAll(signal: NodeJS.Signals): void {
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill(signal)
  }

  #receive(worker: Worker, message: GroupMessage): void {
    if (message.kind === 'ready') this.#hearReady(worker, message.address)
    if (message.kind === 'collect') this.#collect(worker, message.id).catch(() => undefined)
  }

  #hearReady(worker: Worker, address: string): void {
    this.#ready.add(worker.id)
    if (this.#isReady || this.#ready.size < this.#options.count) return
    this.#isReady = true
    this.#options.onReady(address)
  }

  /** Sends the metrics of all processes to one. A process that doesn't reply is left out. */
  async #collect(requester: Worker, id: string): Promise<void> {
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
    const metrics = await Promise.all(workers.map((worker) => metricsOf(worker, id)))
    if (requester.isConnected())
      requester.send({ kind: 'collected', id, metrics: metrics.filter((one) => one !== null) } satisfies GroupMessage)
  }
}

async function metricsOf(worker: Worker, id: string): Promise<object[] | null> {
  const { promise, resolve } = Promise.withResolvers<object[] | null>()
  const hear = (message: GroupMessage) => {
    if (message.kind === 'metrics' && message.id === id) resolve(message.metrics)
  }
  const limit = setTimeout(() => resolve(null), COLLECTING_LIMIT_MS)
  worker.on('message', hear)
  try {
    if (!worker.isConnected()) return null
    worker.send({ kind: 'collect', id } satisfies GroupMessage)
    return await promise
  } finally {
    clearTimeout(limit)
    worker.off('message', hear)
  }
}

/** A file system in memory where there is one. */
function memoryFolder(): string {
  return process.platform === 'linux' ? '/dev/shm' : tmpdir()
}
