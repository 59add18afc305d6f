import { type ChildProcess, fork } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { ExtractedFile, ExtractionRequest } from './extract-file.ts'

const PROGRAM = fileURLToPath(new URL('./run-extraction.ts', import.meta.url))
const WATCH_INTERVAL_MS = 250
const PAGE_BYTES = 4_096
const MEGABYTE = 1024 * 1024
/** Node's own minimum. */
const MIN_HEAP_MEGABYTES = 64

export interface ExtractionLimits {
  /** Of one file. */
  timeMs: number
  /** Limit for the whole process, enforced where /proc reports it. */
  residentBytes: number
}

const LIMITS: ExtractionLimits = { timeMs: 120_000, residentBytes: 768 * MEGABYTE }
/** Restarts the process regularly, in case a parser leaks memory. */
const MAX_FILES_PER_PROCESS = 2_000

interface Waiting {
  request: ExtractionRequest
  resolve: (extracted: ExtractedFile) => void
}

/**
 * Extracts untrusted files in a child process, one at a time, with limits on time and memory. A file that exceeds a limit or crashes the
 * process is reported as unreadable; a new process reads the files after it.
 */
export class ExtractionProcess {
  readonly #limits: ExtractionLimits
  readonly #onProcess: (pid: number | null) => void
  readonly #waiting: Waiting[] = []
  #child: ChildProcess | null = null
  #files = 0
  #startedAt = 0
  #watch: NodeJS.Timeout | undefined
  /** Why the process is being ended, caused by the first queued file. */
  #reason = 'It ends the process that reads it.'

  /** `onProcess` is called with the id of each started process, and with null when it has ended. */
  constructor(limits: Partial<ExtractionLimits> = {}, onProcess: (pid: number | null) => void = () => {}) {
    this.#limits = { ...LIMITS, ...limits }
    this.#onProcess = onProcess
  }

  extract(request: ExtractionRequest): Promise<ExtractedFile> {
    const { promise, resolve } = Promise.withResolvers<ExtractedFile>()
    this.#waiting.push({ request, resolve })
    if (this.#waiting.length === 1) this.#sendNext()
    return promise
  }

  /** Ends the process; the next file starts another. */
  close(): void {
    clearInterval(this.#watch)
    this.#child?.removeAllListeners()
    this.#child?.kill('SIGKILL')
    if (this.#child) this.#onProcess(null)
    this.#child = null
    this.#files = 0
  }

  #sendNext(): void {
    const [next] = this.#waiting
    if (!next) return
    if (this.#files >= MAX_FILES_PER_PROCESS) this.close()
    this.#files += 1
    this.#startedAt = performance.now()
    const child = this.#child ?? this.#start()
    // A process that has ended receives nothing; its exit is handled.
    child.send(next.request, () => {})
  }

  #start(): ChildProcess {
    const child = fork(PROGRAM, [], {
      env: {},
      execArgv: [
        '--disable-warning=ExperimentalWarning',
        // Parsing produces much garbage; a small young generation limits memory.
        '--max-semi-space-size=4',
        `--max-old-space-size=${Math.max(MIN_HEAP_MEGABYTES, Math.ceil(this.#limits.residentBytes / MEGABYTE))}`,
      ],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    this.#child = child
    child.on('message', (extracted: ExtractedFile) => this.#settle(extracted))
    child.once('exit', () => this.#ended(child))
    child.once('error', () => this.#ended(child))
    this.#onProcess(child.pid ?? null)
    clearInterval(this.#watch)
    this.#watch = setInterval(() => this.#check(child), WATCH_INTERVAL_MS).unref()
    return child
  }

  #settle(extracted: ExtractedFile): void {
    this.#waiting.shift()?.resolve(extracted)
    this.#sendNext()
  }

  #ended(child: ChildProcess): void {
    if (this.#child !== child) return
    const reason = this.#reason
    this.#reason = 'It ends the process that reads it.'
    this.close()
    this.#settle({ kind: 'unreadable', reason })
  }

  #check(child: ChildProcess): void {
    if (this.#waiting.length === 0) return
    if (performance.now() - this.#startedAt > this.#limits.timeMs) return this.#end(child, 'It takes too long to read.')
    this.#checkMemory(child).catch(() => undefined)
  }

  async #checkMemory(child: ChildProcess): Promise<void> {
    if ((await residentBytesOf(child.pid)) > this.#limits.residentBytes) this.#end(child, 'It takes too much memory to read.')
  }

  #end(child: ChildProcess, reason: string): void {
    if (this.#child !== child || this.#waiting.length === 0) return
    this.#reason = reason
    child.kill('SIGKILL')
  }
}

/** Rejects where the system has no /proc. */
async function residentBytesOf(pid: number | undefined): Promise<number> {
  const pages = (await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ')[1]
  return Number(pages) * PAGE_BYTES
}
