import { type ChildProcess, fork } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { abortable } from '../../async/abort.ts'
import type { ParserReply } from './serve-parser.ts'

const WATCH_INTERVAL_MS = 50
const PAGE_BYTES = 4_096
const MEGABYTE = 1024 * 1024
/** Node's own minimum. */
const MIN_HEAP_MEGABYTES = 64
/** Restarts the process regularly, in case a parser leaks memory. */
const MAX_FILES_PER_PROCESS = 2_000

/** How V8 ends a process whose heap is full. */
const OUT_OF_HEAP: ReadonlySet<NodeJS.Signals> = new Set(['SIGABRT', 'SIGTRAP', 'SIGILL'])

/** A program that calls `serveParser`, and its limits. */
export interface ParserProgram {
  url: URL
  /** Limit for one request. */
  timeMs: number
  /** Limit for the whole process, enforced where /proc reports it. */
  residentBytes: number
}

/** `threw`: the parser rejected the file. `time`, `memory`: a limit was exceeded. `ended`: the process ended or didn't start. */
export type ParserFailure = 'threw' | 'time' | 'memory' | 'ended'

export type ParserOutcome<Result> = { kind: 'parsed'; value: Result } | { kind: 'failed'; reason: ParserFailure }

interface Waiting<Request, Result> {
  request: Request
  resolve: (outcome: ParserOutcome<Result>) => void
}

/** Parses untrusted files in a child process, one at a time. One that exceeds a limit ends it; the next one starts another. */
export class ParserProcess<Request extends object, Result> {
  readonly #program: ParserProgram
  readonly #onProcess: (pid: number | null) => void
  readonly #waiting: Waiting<Request, Result>[] = []
  #child: ChildProcess | null = null
  #files = 0
  #startedAt = 0
  #watch: NodeJS.Timeout | undefined
  /** The limit that the first queued file has exceeded. */
  #exceeded: 'time' | 'memory' | null = null

  /** `onProcess` is called with the id of each started process, and with null when it has ended. */
  constructor(program: ParserProgram, onProcess: (pid: number | null) => void = () => {}) {
    this.#program = program
    this.#onProcess = onProcess
  }

  /** Never rejects. */
  parse(request: Request): Promise<ParserOutcome<Result>> {
    const { promise, resolve } = Promise.withResolvers<ParserOutcome<Result>>()
    this.#waiting.push({ request, resolve })
    if (this.#waiting.length === 1) this.#sendNext()
    return promise
  }

  /** Ends the process. A file that is being parsed fails; the next one starts another process. */
  close(): void {
    this.#end()
    if (this.#waiting.length > 0) this.#settle({ kind: 'failed', reason: 'ended' })
  }

  #end(): void {
    clearInterval(this.#watch)
    // A process that didn't start reports it later.
    this.#child?.removeAllListeners().on('error', () => undefined)
    this.#child?.kill('SIGKILL')
    if (this.#child) this.#onProcess(null)
    this.#child = null
    this.#files = 0
  }

  #sendNext(): void {
    const [next] = this.#waiting
    if (!next) return clearInterval(this.#watch)
    if (this.#files >= MAX_FILES_PER_PROCESS) this.#end()
    this.#files += 1
    this.#startedAt = performance.now()
    const child = this.#child ?? this.#start()
    clearInterval(this.#watch)
    this.#watch = setInterval(() => this.#check(child), WATCH_INTERVAL_MS).unref()
    // A process that has ended receives nothing; its exit is handled.
    child.send(next.request, () => {})
  }

  #start(): ChildProcess {
    const child = fork(fileURLToPath(this.#program.url), [], {
      env: {},
      execArgv: [
        '--disable-warning=ExperimentalWarning',
        // Parsing produces much garbage; a small young generation limits memory.
        '--max-semi-space-size=4',
        `--max-old-space-size=${Math.max(MIN_HEAP_MEGABYTES, Math.ceil(this.#program.residentBytes / MEGABYTE))}`,
      ],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    this.#child = child
    child.on('message', (reply: ParserReply<Result>) => {
      // A process that is being ended can't take the next file; its exit settles this one.
      if (this.#exceeded === null) this.#settle(reply.kind === 'parsed' ? reply : { kind: 'failed', reason: 'threw' })
    })
    child.once('exit', (_code, signal) => this.#ended(child, signal))
    child.once('error', () => this.#ended(child, null))
    yieldProcessor(child.pid)
    this.#onProcess(child.pid ?? null)
    return child
  }

  #settle(outcome: ParserOutcome<Result>): void {
    this.#waiting.shift()?.resolve(outcome)
    this.#sendNext()
  }

  #ended(child: ChildProcess, signal: NodeJS.Signals | null): void {
    if (this.#child !== child) return
    const reason = this.#exceeded ?? (signal && OUT_OF_HEAP.has(signal) ? 'memory' : 'ended')
    this.#exceeded = null
    this.#end()
    this.#settle({ kind: 'failed', reason })
  }

  #check(child: ChildProcess): void {
    if (performance.now() - this.#startedAt > this.#program.timeMs) return this.#exceed(child, 'time')
    this.#checkMemory(child).catch(() => undefined)
  }

  async #checkMemory(child: ChildProcess): Promise<void> {
    if ((await residentBytesOf(child.pid)) > this.#program.residentBytes) this.#exceed(child, 'memory')
  }

  #exceed(child: ChildProcess, limit: 'time' | 'memory'): void {
    if (this.#child !== child || this.#waiting.length === 0) return
    this.#exceeded ??= limit
    child.kill('SIGKILL')
  }
}

/** Parses one untrusted file in a process of its own. Rejects if the signal aborts or the process ends without exceeding a limit. */
export async function parseApart<Result>(program: ParserProgram, request: object, signal?: AbortSignal): Promise<ParserOutcome<Result>> {
  signal?.throwIfAborted()
  const process = new ParserProcess<object, Result>(program)
  try {
    const outcome = await abortable(process.parse(request), signal)
    if (outcome.kind === 'failed' && outcome.reason === 'ended') throw new Error('The process that parses a file ended')
    return outcome
  } finally {
    process.close()
  }
}

/** Lets requests run before parsers. */
function yieldProcessor(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // It has ended, or the system doesn't allow it.
  }
}

/** Rejects where the system has no /proc. */
async function residentBytesOf(pid: number | undefined): Promise<number> {
  const pages = (await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ')[1]
  return Number(pages) * PAGE_BYTES
}
