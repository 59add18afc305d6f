import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { UNLIMITED_CONSTANTS } from '../../scripts/constants.mjs'
import { SERVER_ARGUMENTS, SERVER_ENVIRONMENT } from '../../scripts/server-command.mjs'

/** Limits off, because the client acts as thousands of visitors on one machine. The work of checking them is still done. */
const UNLIMITED = Object.fromEntries(
  ['PROMPTS_PER_MINUTE', 'PROMPTS_PER_DAY', 'ALL_NEW_VISITORS_PER_HOUR', 'RUNNING_TURNS', 'STREAMS', 'TOKENS_PER_DAY'].map((name) => [
    `LIMIT_${name}`,
    '1000000000',
  ]),
)

export const ROOT = join(import.meta.dirname, '../..')
/** On the disk of the checkout, because durable commits would cost nothing in memory. */
const SCRATCH = join(ROOT, 'node_modules/.cache/bench')
const START_LIMIT_MS = 30_000
const STOP_LIMIT_MS = 30_000
const TICKS_PER_SECOND = 100

export interface Running {
  /** Base address without a trailing slash. */
  readonly url: string
  readonly pid: number
}

export interface ParleyOptions {
  /** Settings besides HOST, PORT and DATA_DIR. The server gets nothing from the caller's environment. */
  settings?: Record<string, string>
  dataDirectory: string
}

/**
 * Starts processes and creates folders for one measurement, and always ends and removes them afterwards.
 * Each runs in its own process, so that measurements do not affect each other.
 */
export async function withProcesses<Result>(use: (processes: Processes) => Promise<Result>): Promise<Result> {
  const processes = new Processes()
  try {
    return await use(processes)
  } finally {
    await processes.end()
  }
}

export class Processes {
  readonly #children: ChildProcess[] = []
  readonly #folders: string[] = []

  constructor() {
    unfinished.add(this)
  }

  /** An empty folder on the disk of the checkout. */
  folder(): string {
    mkdirSync(SCRATCH, { recursive: true })
    const folder = mkdtempSync(join(SCRATCH, 'run-'))
    this.#folders.push(folder)
    return folder
  }

  /** The scripted model; its `url` ends in `/v1`. Arguments as in `test/support/scripted-model.ts`. */
  model(args: string[] = []): Promise<Running> {
    return this.#start([join(ROOT, 'test/support/scripted-model.ts'), ...args], /^(http:\S+)/m)
  }

  /** A website of the HTML files in a folder. */
  site(folder: string): Promise<Running> {
    return this.#start([join(import.meta.dirname, 'site-server.ts'), folder], /^(http:\S+)/m)
  }

  /** A server that pipes the bytes of the server behind it. */
  proxy(upstream: string): Promise<Running> {
    return this.#start([join(import.meta.dirname, 'bare-proxy.ts'), upstream], /^(http:\S+)/m)
  }

  /** Parley as shipped, on the embedded database. */
  parley({ settings = {}, dataDirectory }: ParleyOptions): Promise<Running> {
    const env = {
      ...SERVER_ENVIRONMENT,
      ...UNLIMITED,
      ...UNLIMITED_CONSTANTS,
      HOST: '127.0.0.1',
      PORT: '0',
      EMBEDDING_MODEL: 'none',
      DATA_DIR: dataDirectory,
      ...settings,
    }
    return this.#start([...profiling(), ...SERVER_ARGUMENTS], /ready at (http:\S+)/, env)
  }

  /** Ends one of the processes and waits for it. */
  async stop({ pid }: Running): Promise<void> {
    const child = this.#children.find((one) => one.pid === pid)
    if (child) await endOf(child)
  }

  /** A child process that exchanges messages with this one. */
  worker(file: string, env: NodeJS.ProcessEnv = process.env): ChildProcess {
    const options = { cwd: ROOT, env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] as StdioOptions, serialization: 'advanced' as const }
    const child = spawn(process.execPath, [file], options)
    this.#children.push(child)
    return child
  }

  async end(): Promise<void> {
    await Promise.all(this.#children.map(endOf))
    this.drop()
    unfinished.delete(this)
  }

  /** Ends and removes everything at once, without waiting; called when this process ends. */
  drop(): void {
    for (const child of this.#children) child.kill('SIGKILL')
    for (const folder of this.#folders) rmSync(folder, { recursive: true, force: true })
  }

  async #start(args: string[], ready: RegExp, env: Record<string, string> = {}): Promise<Running> {
    const inherited = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' }
    const child = spawn(process.execPath, args, { cwd: ROOT, env: { ...inherited, ...env }, stdio: ['ignore', 'pipe', 'inherit'] })
    this.#children.push(child)
    const url = await addressOf(child, ready)
    return { url: url.replace('localhost', '127.0.0.1'), pid: child.pid ?? 0 }
  }
}

/** With `BENCH_PROFILE=<folder>`, the server writes its CPU profile there when it ends. */
function profiling(): string[] {
  const folder = process.env['BENCH_PROFILE']
  return folder ? ['--cpu-prof', '--cpu-prof-interval=500', `--cpu-prof-dir=${folder}`] : []
}

/** Running fixtures, which are ended on interruption or failure. */
const unfinished = new Set<Processes>()
process.on('exit', () => {
  for (const processes of unfinished) processes.drop()
})
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))

function addressOf(child: ChildProcess, ready: RegExp): Promise<string> {
  const name = child.spawnargs.at(-1)
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => reject(new Error(`${name} was not ready within ${START_LIMIT_MS} ms.`)), START_LIMIT_MS)
    const settle = (act: () => void) => {
      clearTimeout(limit)
      act()
    }
    let output = ''
    child.once('error', (error) => settle(() => reject(error)))
    child.once('exit', (code) => settle(() => reject(new Error(`${name} ended with ${code} before it was ready.`))))
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      if (output.length < 64 * 1024) output += text
      const address = ready.exec(output)?.[1]
      if (address) settle(() => resolve(address))
    })
  })
}

/** Asks the child to end, and kills it if it does not. */
async function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  const limit = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS)
  await exit
  clearTimeout(limit)
}

/** CPU time of a process since its start, all threads, user and system, in milliseconds. Linux only. */
export function cpuTimeMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The program's name is in parentheses and may contain spaces; fields are counted after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND
}

/** Resident memory of a process, in megabytes of 1,000,000 bytes. Linux only. */
export function residentMegabytes(pid: number): number {
  return megabytesOf(pid, /^VmRSS:\s+(\d+) kB$/m)
}

/** The most that has been resident since its start. */
export function peakMegabytes(pid: number): number {
  return megabytesOf(pid, /^VmHWM:\s+(\d+) kB$/m)
}

function megabytesOf(pid: number, line: RegExp): number {
  return (Number(line.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024) / 1e6
}
