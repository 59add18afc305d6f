import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))

const MAX_OUTPUT_CHARACTERS = 256 * 1024
const PARENT_CHECK_MS = 250

/** @type {NodeJS.Signals[]} */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * The environment for child processes. PATH starts with the chosen Node's folder, so npm scripts use the same Node.
 *
 * @param {string} node
 */
export function environmentFor(node) {
  // Windows spells the variable "Path"; a second spelling would conflict.
  const name = Object.keys(process.env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH'
  return { ...process.env, [name]: [dirname(node), process.env[name]].filter(Boolean).join(delimiter) }
}

/**
 * The command that runs npm with the given Node: the npm that started this process, or the one on the PATH.
 *
 * @param {string} node
 * @param {string[]} args
 */
export function npmCommand(node, args) {
  const started = process.env['npm_execpath']
  if (started?.endsWith('npm-cli.js')) return { file: node, args: [started, ...args] }
  if (process.platform !== 'win32') return { file: 'npm', args }
  return { file: node, args: [join(dirname(process.execPath), 'node_modules/npm/bin/npm-cli.js'), ...args] }
}

/**
 * Runs a program and returns the end of its combined output.
 *
 * @param {string} file
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv | undefined, verbose?: boolean }} options
 * @returns {Promise<{ code: number, output: string, interrupted: boolean }>} `interrupted` when this process was told to end meanwhile.
 */
export async function capture(file, args, { env = process.env, verbose = false } = {}) {
  let output = ''
  const child = spawn(file, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  for (const [stream, own] of /** @type {const} */ ([
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ])) {
    stream.setEncoding('utf8').on('data', (text) => {
      output = (output + text).slice(-MAX_OUTPUT_CHARACTERS)
      if (verbose) own.write(text)
    })
  }
  let interrupted = false
  const code = await endOf(child, { onError: (error) => (output += error.message), onSignal: () => (interrupted = true) })
  return { code, output, interrupted }
}

/**
 * Runs a program in the foreground with the chosen Node. Resolves with its exit code.
 *
 * @param {string} node
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} environment Defaults for the environment.
 */
export function runForeground(node, args, environment = {}) {
  return endOf(spawn(node, args, { cwd: ROOT, env: { ...environment, ...environmentFor(node) }, stdio: 'inherit' }))
}

/**
 * Runs programs in parallel until the first ends, then stops the others.
 *
 * @param {string} node
 * @param {string[][]} programs
 */
export async function runTogether(node, programs) {
  const children = programs.map((args) => spawn(node, args, { cwd: ROOT, env: environmentFor(node), stdio: 'inherit' }))
  const ends = children.map((child) => endOf(child))
  const code = await Promise.race(ends)
  for (const child of children) child.kill()
  await Promise.all(ends)
  return code
}

/**
 * Runs programs in sequence, also after failures, and shows the output of failed ones.
 * Resolves with 1 if any failed.
 *
 * @param {{ node: string, verbose: boolean }} launch
 * @param {[label: string, args: string[]][]} programs
 */
export async function runAll({ node, verbose }, programs) {
  let failed = 0
  for (const [label, args] of programs) {
    const startedAt = Date.now()
    const { code, output } = await capture(node, args, { env: environmentFor(node), verbose })
    if (code !== 0 && !verbose) process.stdout.write(`${output.trimEnd()}\n`)
    process.stdout.write(`${label}: ${code === 0 ? 'good' : 'failed'} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)\n`)
    if (code !== 0) failed = 1
  }
  return failed
}

/**
 * Resolves with the child's exit code, 128 + n after signal n, or 127 if it can't be started. Until then the launcher ignores
 * signals, so it can return the child's exit code.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @param {{ onError?: (error: Error) => void, onSignal?: () => void }} listeners
 * @returns {Promise<number>}
 */
function endOf(child, { onError = (error) => process.stderr.write(`${error.message}\n`), onSignal = () => {} } = {}) {
  const passOn = signalPasser(child)
  const listeners = [passOn, onSignal]
  for (const signal of SIGNALS) for (const listener of listeners) process.on(signal, listener)
  const stopWatching = watchParent(() => {
    for (const listener of listeners) listener('SIGTERM')
  })
  return new Promise((resolve) => {
    child.once('error', (error) => {
      onError(error)
      resolve(127)
    })
    child.once('close', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)))
  }).finally(() => {
    stopWatching()
    for (const signal of SIGNALS) for (const listener of listeners) process.off(signal, listener)
  })
}

/**
 * Calls `onGone` when the shell that npm started this process in has ended. npm sends SIGTERM to that shell, and many shells don't
 * forward it.
 *
 * @param {() => void} onGone
 */
function watchParent(onGone) {
  if (!process.env['npm_lifecycle_event']) return () => {}
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    onGone()
  }, PARENT_CHECK_MS)
  return () => clearInterval(timer)
}

/**
 * Forwards only the first signal, because npm repeats what the terminal has sent to all. SIGINT from a terminal is not forwarded: the
 * child has received it already and would treat a second one as a forced stop.
 *
 * @param {{ kill(signal: NodeJS.Signals): unknown }} child
 * @param {boolean} atTerminal
 */
export function signalPasser(child, atTerminal = [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY)) {
  let passed = false
  return (/** @type {NodeJS.Signals} */ signal) => {
    if (passed || (atTerminal && signal === 'SIGINT')) return
    passed = true
    child.kill(signal)
  }
}
