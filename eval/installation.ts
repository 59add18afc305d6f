import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { UNLIMITED_CONSTANTS } from '../scripts/constants.mjs'
import { SERVER_ENVIRONMENT, SOURCE_SERVER_ARGUMENTS } from '../scripts/server-command.mjs'
import type { PublicConfiguration } from '../src/contract/config.ts'
import { LIMIT_SETTINGS } from '../src/server/limits/limit-settings.ts'

const READY = /Parley is ready at (http:\/\/\S+)/
const START_TIMEOUT_MS = 120_000
const STOP_TIMEOUT_MS = 30_000
const UNLIMITED = '100000000'
/** Limits for visitors, disabled during an evaluation. */
const VISITOR_LIMITS = Object.values(LIMIT_SETTINGS)
  .map(({ setting }) => setting)
  .filter((setting) => setting.startsWith('LIMIT_'))

/** The sources in a checkout; in the archive, the server is beside this program. */
const SERVER = import.meta.filename.endsWith('.ts') ? SOURCE_SERVER_ARGUMENTS : ['--expose-gc', join(import.meta.dirname, 'main.js')]

/** Settings that would affect the installation's visitors or data, or require a browser. */
const LEFT_OUT = ['DATABASE_URL', 'REDIS_URL', 'TRUSTED_PROXIES', 'METRICS_TOKEN', 'PUBLIC_URL']
const FIXED = { HOST: '127.0.0.1', PORT: '0', PROOF_OF_WORK: 'off', LOG_LEVEL: 'warn' }

/** The server as configured, with an empty database of its own. */
export interface Installation {
  /** Base address without a trailing slash. */
  url: string
  agents: PublicConfiguration['agents']
  close(): Promise<void>
}

export interface InstallationOptions {
  environment: NodeJS.ProcessEnv
  /** Copies the knowledge index and vectors and links local models, so that nothing is computed, downloaded or paid for twice. */
  dataDirectory: string
  /** Receives the server's warnings and errors. */
  onLog: (line: string) => void
}

/** Starts the real server, with the same behaviour as for visitors. @throws {Error} with its output if it does not start. */
export async function startInstallation({ environment, dataDirectory, onLog }: InstallationOptions): Promise<Installation> {
  const data = mkdtempSync(join(tmpdir(), 'parley-eval-'))
  const removeData = () => rmSync(data, { recursive: true, force: true })
  reuseData(dataDirectory, data, [environment['MODEL'], environment['EMBEDDING_MODEL']].includes('local'))
  const child = spawn(process.execPath, SERVER, {
    env: { ...SERVER_ENVIRONMENT, ...withoutVisitors(environment), ...FIXED, DATA_DIR: data },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const kill = () => {
    child.kill('SIGKILL')
    removeData()
  }
  process.once('exit', kill)
  try {
    const url = await addressOf(child, onLog)
    await untilIndexed(url, onLog)
    const { agents } = (await (await fetch(`${url}/api/v1/config`)).json()) as PublicConfiguration
    return {
      url,
      agents,
      async close() {
        await stop(child)
        process.off('exit', kill)
        removeData()
      },
    }
  } catch (error) {
    process.off('exit', kill)
    kill()
    throw error
  }
}

function reuseData(from: string, to: string, usesLocalModels: boolean): void {
  const [knowledge, models] = [join(from, 'knowledge'), join(from, 'models')]
  if (existsSync(knowledge)) cpSync(knowledge, join(to, 'knowledge'), { recursive: true })
  if (usesLocalModels) mkdirSync(models, { recursive: true, mode: 0o700 })
  if (existsSync(models)) symlinkSync(models, join(to, 'models'), 'junction')
}

function withoutVisitors(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(([name]) => !LEFT_OUT.includes(name.replace(/_FILE$/, '')))
  return {
    ...Object.fromEntries(kept),
    ...Object.fromEntries(VISITOR_LIMITS.map((setting) => [setting, UNLIMITED])),
    ...UNLIMITED_CONSTANTS,
  }
}

/** Resolves with the address when the server reports that it listens. */
function addressOf(child: ChildProcess, onLog: (line: string) => void): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let output = ''
  const limit = setTimeout(() => reject(new Error(`The server was not ready within ${START_TIMEOUT_MS / 1_000} s.`)), START_TIMEOUT_MS)
  child.once('error', reject)
  child.once('close', (code) => reject(new Error(output.trim() || `The server ended with ${code}.`)))
  for (const stream of [child.stdout, child.stderr]) {
    let rest = ''
    stream?.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        output = `${output}${line}\n`.slice(-10_000)
        const url = READY.exec(line)?.[1]
        if (url) resolve(url.replace(/\/$/, '').replace('localhost', '127.0.0.1'))
        else if (line.startsWith('{')) onLog(logLine(line))
      }
    })
  }
  return promise.finally(() => clearTimeout(limit))
}

const POLL_MS = 500

interface Progress {
  indexing?: { indexed: number; total: number } | null
  embedding?: { embedded: number; total: number } | null
}

/** Resolves when the knowledge is indexed and embedded completely. Until then, searches cover only a part of it, or only words. */
export async function untilIndexed(url: string, onLog: (line: string) => void, pollMs = POLL_MS): Promise<void> {
  const said = { indexing: false, embedding: false }
  for (;;) {
    const { indexing, embedding } = (await (await fetch(`${url}/readyz`)).json()) as Progress
    if (!indexing && !embedding) return
    if (indexing && !said.indexing) onLog(`Waiting for the knowledge: ${indexing.indexed} of ${indexing.total} files are indexed.`)
    if (embedding && !said.embedding)
      onLog(`Waiting for the knowledge: ${embedding.embedded} of ${embedding.total} passages have a vector.`)
    said.indexing ||= Boolean(indexing)
    said.embedding ||= Boolean(embedding)
    await pause(pollMs)
  }
}

/** The message of a log line, with that of its error. */
function logLine(json: string): string {
  try {
    const { msg = '', err } = JSON.parse(json) as { msg?: string; err?: { message?: string } }
    return err?.message ? `${msg}: ${err.message}` : msg
  } catch {
    return json
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const closed = once(child, 'close')
  child.kill('SIGTERM')
  const limit = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
  await closed
  clearTimeout(limit)
}
