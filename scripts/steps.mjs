import { capture } from './processes.mjs'

const TICK_MS = 1000
/** Interval of progress lines without a terminal. */
const PLAIN_TICK_MS = 15_000
const SHOWN_LINES = 40

/** Stops the launch with one sentence for the user. */
export class LaunchError extends Error {}

/**
 * Runs a program as a named step with a progress line. Shows its output only with `verbose` or on unknown
 * failures.
 *
 * @param {string} label What is being done, as "Installing packages".
 * @param {{ file: string, args: string[], env?: NodeJS.ProcessEnv, verbose: boolean }} program
 * @throws {LaunchError} when the program fails.
 */
export async function runStep(label, { file, args, env, verbose }) {
  const progress = startProgress(label, verbose)
  const { code, output, interrupted } = await capture(file, args, { env, verbose })
  progress.end(code === 0 ? 'done' : 'failed')
  if (interrupted) throw new LaunchError(`${label} was interrupted, start again to finish it.`)
  if (code === 0) return
  const reason = knownReason(output)
  if (!reason && !verbose) process.stderr.write(lastLines(output))
  throw new LaunchError(`${label} failed: ${reason ?? `the program ended with ${code}, its last words are above`}.`)
}

/** @param {string} label @param {boolean} plain Whether to print plain lines even on a terminal. */
function startProgress(label, plain) {
  const startedAt = Date.now()
  const elapsed = () => `${Math.round((Date.now() - startedAt) / 1000)} s`
  const terminal = process.stdout.isTTY && !plain
  const write = (/** @type {string} */ text) => process.stdout.write(terminal ? `\r\u001b[2K${text}` : `${text}\n`)
  write(`${label} …`)
  const timer = setInterval(() => write(`${label} … ${elapsed()}`), terminal ? TICK_MS : PLAIN_TICK_MS)
  return {
    /** @param {string} outcome */
    end(outcome) {
      clearInterval(timer)
      write(`${label}: ${outcome} in ${elapsed()}`)
      if (terminal) process.stdout.write('\n')
    },
  }
}

/** @type {[RegExp, string][]} */
const REASONS = [
  [/getaddrinfo|Download failure/, 'its server cannot be reached, check the network and start again'],
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT/,
    'the package registry cannot be reached, check the network and start again',
  ],
  [/ENOSPC/, 'the disk is full, make room and start again'],
  [/EACCES|EPERM|EROFS/, 'this folder cannot be written by this user'],
  [/ETARGET|E404/, 'the package registry does not have a package that is needed'],
  [/EUSAGE/, 'package.json and package-lock.json disagree, run npm install once'],
]

/**
 * The reason of a package manager's failure; undefined if unknown.
 *
 * @param {string} output
 */
export function knownReason(output) {
  const code = /npm (?:ERR!|error) (?:code|errno) .*|ENOSPC|EACCES|EPERM|EROFS|getaddrinfo|Download failure/.exec(output)?.[0]
  return code === undefined ? undefined : REASONS.find(([pattern]) => pattern.test(code))?.[1]
}

/** Explains a failure to write a file of this folder to the user; undefined for other errors. @param {unknown} error */
export function sentenceOfFileError(error) {
  const { code, path, message } = /** @type {NodeJS.ErrnoException} */ (error)
  // Node's `rmSync` has no code for it.
  const isReadOnly = ['EACCES', 'EPERM', 'EROFS'].includes(code ?? '') || /read-only file system/i.test(message)
  if (code === 'ENOSPC') return 'The disk is full: make room and start again.'
  if (!path || !isReadOnly) return undefined
  return `This folder cannot be written by this user (${path}): build it once as a user who may, with npm run build, or make it writable.`
}

/** The end of a program's output, with host names removed. @param {string} output */
function lastLines(output) {
  const lines = output.trimEnd().split('\n').slice(-SHOWN_LINES)
  return `${lines.join('\n').replace(/https?:\/\/[^/\s]+/g, '…')}\n`
}
