import { type ChildProcess, fork } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { abortable } from '../../async/abort.ts'
import type { ParserReply } from './serve-parser.ts'

const WATCH_INTERVAL_MS = 50
const PAGE_BYTES = 4_096
/** Linux counts processor time in hundredths of a second for all programs. */
const TICK_MS = 10
/** How much longer than its limit a request may take on a busy machine, or while it waits. */
const PATIENCE = 10
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
  /** Limit of one request's processor time; where /proc doesn't report it, of the time that passes. */
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
  /** Processor time of the process before this request; null until it is read. */
  #spentMs: number | null = null
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
    this.#spentMs = null
    const child = this.#child ?? this.#start()
    clearInterval(this.#watch)
    this.#watch = setInterval(() => void this.#check(child), WATCH_INTERVAL_MS).unref()
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

  async #check(child: ChildProcess): Promise<void> {
    const startedAt = this.#startedAt
    const passedMs = performance.now() - startedAt
    const usage = await usageOf(child.pid).catch(() => null)
    // The request that was looked at may have ended meanwhile.
    if (startedAt !== this.#startedAt) return
    const { timeMs, residentBytes } = this.#program
    this.#spentMs ??= usage?.processorMs ?? null
    const isOver = usage && this.#spentMs !== null ? usage.processorMs - this.#spentMs >= timeMs : passedMs > timeMs
    if (isOver || passedMs > timeMs * PATIENCE) this.#exceed(child, 'time')
    else if (usage && usage.residentBytes > residentBytes) this.#exceed(child, 'memory')
  }

  #exceed(child: ChildProcess, limit: 'time' | 'memory'): void {
    if (this.#child !== child || this.#waiting.length === 0) return
    this.#exceeded ??= limit
    child.kill('SIGKILL')
  }
}

/** Parses one untrusted file in a process of its own. Rejects if the signal aborts. */
export async function parseApart<Result>(program: ParserProgram, request: object, signal?: AbortSignal): Promise<ParserOutcome<Result>> {
  signal?.throwIfAborted()
  const process = new ParserProcess<object, Result>(program)
  try {
    return await abortable(process.parse(request), signal)
  } finally {
    process.close()
  }
}

/** Lets requests run before parsers, which still get on where all cores are busy. */
function yieldProcessor(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It has ended, or the system doesn't allow it.
  }
}

/** Memory and processor time of a process, without those that it runs. Rejects where the system has no /proc. */
async function usageOf(pid: number | undefined): Promise<{ residentBytes: number; processorMs: number }> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  // The name, in brackets, may have spaces. https://www.man7.org/linux/man-pages/man5/proc_pid_stat.5.html
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const [user = 0, system = 0] = fields.slice(11, 13)
  return { residentBytes: (fields[21] ?? 0) * PAGE_BYTES, processorMs: (user + system) * TICK_MS }
}
