import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { withConstants, UNLIMITED_CONSTANTS } from '../../scripts/constants.mjs'
import { SERVER_ARGUMENTS, SERVER_ENVIRONMENT } from '../../scripts/server-command.mjs'
import type { TestDatabase } from './databases.ts'
import { createMigratedDatabase } from './postgres.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Without a forced collection of garbage, which costs a fifth of a start's processor time. */
const ARGUMENTS = SERVER_ARGUMENTS.filter((argument) => argument !== '--expose-gc')
const READY = /Parley is ready at (http:\/\/\S+)/
/** Only end tests that hang. */
const START_LIMIT_MS = 240_000
const STOP_LIMIT_MS = 240_000
const MAX_OUTPUT_CHARACTERS = 1024 * 1024

export interface ServerOptions {
  database: TestDatabase
  /** Settings beside those that this file gives; a value of undefined takes one of those away. */
  env?: Record<string, string | undefined>
  /** The unpacked archive that is run, instead of this checkout's build. */
  archive?: string
}

export interface TestServer {
  /** `http://127.0.0.1:<port>`, without a slash at the end; stays the same over a restart. */
  readonly url: string
  readonly pid: number
  /** The whole environment of the process: nothing of the developer's own reaches it but PATH and HOME. */
  readonly env: Record<string, string>
  readonly dataDirectory: string
  /** Both streams since the first start, the last megabyte. */
  output(): string
  /** Ends the process, SIGTERM unless told otherwise, and keeps its data. Resolves with the exit code, 128 + n after signal n. */
  kill(signal?: NodeJS.Signals): Promise<number>
  /** Ends the process as `kill` does, if it runs, and starts it again on the same data, port and settings. */
  restart(signal?: NodeJS.Signals): Promise<void>
  /** Ends the process as `kill` does, and removes its data. Safe to call twice. */
  stop(signal?: NodeJS.Signals): Promise<number>
}

/** Starts the real server on a free port with an empty database, and waits until it says that it is ready. */
export async function startServer(options: ServerOptions): Promise<TestServer> {
  const place = await preparePlace(options)
  try {
    const server = new ServerProcess(place.env, options.archive)
    await server.start()
    return testServer(server, place)
  } catch (error) {
    await place.remove()
    throw error
  }
}

/** Runs the server where it is expected to refuse: resolves with its exit code and output, and throws if it starts after all. */
export async function refusedStart(options: ServerOptions): Promise<{ code: number; output: string }> {
  const place = await preparePlace(options)
  const server = new ServerProcess(place.env, options.archive)
  try {
    const started = await server.start().then(
      () => true,
      () => false,
    )
    const code = await server.kill('SIGTERM')
    if (started) throw new Error(`The server started, though it should have refused:\n${server.output}`)
    return { code, output: server.output }
  } finally {
    await place.remove()
  }
}

/** Tests are many visitors at once, from one machine that is busy with others; those of limits set their own. */
const UNLIMITED = {
  ...UNLIMITED_CONSTANTS,
  ...withConstants({
    maxLagMs: 10_000,
    databaseTimeoutMs: 20_000,
    requestTimeoutMs: 60_000,
    fileWaitMs: 120_000,
    leavingNoticeMs: 0,
    openConnectionsServedMs: 0,
  }),
  ...Object.fromEntries(
    [
      'PROMPTS_PER_MINUTE',
      'PROMPTS_PER_DAY',
      'NEW_VISITORS_PER_HOUR',
      'ALL_NEW_VISITORS_PER_HOUR',
      'RUNNING_TURNS',
      'STREAMS',
      'TOKENS_PER_DAY',
      // Behind a proxy, clients of this machine are limited by network too.
      'NETWORK_PROMPTS_PER_MINUTE',
      'NETWORK_PROMPTS_PER_DAY',
      'NETWORK_RUNNING_TURNS',
      'NETWORK_TOKENS_PER_DAY',
    ].map((name) => [`LIMIT_${name}`, '100000000']),
  ),
}

const NO_DOCUMENTS = mkdtempSync(join(tmpdir(), 'parley-no-documents-'))

/** Environment of a server that goes down as it does outside of tests, however long a busy machine takes; others stop at once. */
export const GOES_DOWN_AS_USUAL = withConstants({ leavingNoticeMs: 2_000, openConnectionsServedMs: 5_000, lastResortMs: 220_000 })

/** Settings of a server that has the shipped documents although its model is scripted. */
export const WITH_DOCUMENTS = { KNOWLEDGE_DIR: undefined }

interface Place {
  env: Record<string, string>
  dataDirectory: string
  remove(): Promise<void>
}

async function preparePlace({ database, env }: ServerOptions): Promise<Place> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'parley-test-'))
  leftovers.add(dataDirectory)
  const postgres = database === 'postgres' ? await createMigratedDatabase() : undefined
  return {
    dataDirectory,
    env: definedOnly({
      ...SERVER_ENVIRONMENT,
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      HOST: '127.0.0.1',
      PORT: '0',
      CONSOLE_PORT: 'off',
      // A developer's folder may have the model that needs no setting.
      EMBEDDING_MODEL: 'none',
      DATA_DIR: dataDirectory,
      DATABASE_URL: postgres?.url,
      // An answer of a scripted model needs no documents; indexing them takes a third of a start's processor time.
      KNOWLEDGE_DIR: env?.['MODEL'] === 'scripted' ? NO_DOCUMENTS : undefined,
      ...UNLIMITED,
      ...env,
    }),
    async remove() {
      rmSync(dataDirectory, { recursive: true, force: true })
      leftovers.delete(dataDirectory)
      await postgres?.drop()
    },
  }
}

function testServer(server: ServerProcess, place: Place): TestServer {
  let removed: Promise<void> | undefined
  return {
    get url() {
      return server.url
    },
    get pid() {
      return server.pid
    },
    env: place.env,
    dataDirectory: place.dataDirectory,
    output: () => server.output,
    kill: (signal = 'SIGTERM') => server.kill(signal),
    async restart(signal = 'SIGTERM') {
      await server.kill(signal)
      await server.start()
    },
    async stop(signal = 'SIGTERM') {
      const code = await server.kill(signal)
      removed ??= place.remove()
      await removed
      return code
    },
  }
}

class ServerProcess {
  url = ''
  output = ''
  #env: Record<string, string>
  #child: ChildProcess | undefined
  #ended: Promise<number> = Promise.resolve(0)

  readonly #root: string

  constructor(env: Record<string, string>, root = ROOT) {
    this.#env = env
    this.#root = root
  }

  get pid(): number {
    return this.#child?.pid ?? 0
  }

  async start() {
    const port = this.url ? new URL(this.url).port : this.#env['PORT']
    const command = ARGUMENTS.map((argument) => argument.replace(ROOT, this.#root))
    const child = spawn(process.execPath, command, {
      cwd: this.#root,
      env: { ...this.#env, PORT: port },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    this.#ended = once(child, 'close').then(([code, signal]) => code ?? 128 + constants.signals[signal as NodeJS.Signals])
    leftovers.add(child)
    child.once('close', () => leftovers.delete(child))
    this.url = await this.#ready(child)
  }

  /** Resolves with the exit code; one that ignores the signal is killed, and that fails the test. */
  async kill(signal: NodeJS.Signals): Promise<number> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return this.#ended
    child.kill(signal)
    let late = false
    const limit = setTimeout(() => (late = child.kill('SIGKILL')), STOP_LIMIT_MS)
    const code = await this.#ended
    clearTimeout(limit)
    if (late) throw new Error(`The server had not ended ${STOP_LIMIT_MS} ms after ${signal}:\n${this.output}`)
    return code
  }

  #ready(child: ChildProcess): Promise<string> {
    return new Promise((resolve, reject) => {
      let seen = ''
      let isReady = false
      const fail = (why: string) => reject(new Error(`The server ${why}:\n${this.output}`))
      const limit = setTimeout(() => {
        child.kill('SIGKILL')
        fail(`was not ready within ${START_LIMIT_MS} ms`)
      }, START_LIMIT_MS)
      child.once('close', (code) => {
        clearTimeout(limit)
        fail(`ended with ${code} before it was ready`)
      })
      this.#read(child, (text) => {
        if (isReady) return
        seen = (seen + text).slice(-MAX_OUTPUT_CHARACTERS)
        const url = READY.exec(seen)?.[1]
        if (!url) return
        isReady = true
        clearTimeout(limit)
        resolve(url.replace(/\/$/, ''))
      })
    })
  }

  #read(child: ChildProcess, heard: (text: string) => void) {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.output = (this.output + text).slice(-MAX_OUTPUT_CHARACTERS)
        if (stream === child.stdout) heard(text)
      })
    }
  }
}

/** Children and folders of tests that ended without their clean-up: nothing outlives the worker. */
const leftovers = new Set<ChildProcess | string>([NO_DOCUMENTS])
process.on('exit', () => {
  for (const leftover of leftovers) {
    if (typeof leftover === 'string') rmSync(leftover, { recursive: true, force: true })
    else leftover.kill('SIGKILL')
  }
})

function definedOnly(values: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined))
}
