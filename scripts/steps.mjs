import { capture } from './processes.mjs'

const TICK_MS = 1000
/** Without a terminal a long step says every so often that it is still at it. */
const PLAIN_TICK_MS = 15_000
const SHOWN_LINES = 40

/** What stops the launch, as one sentence for the person who started it. */
export class LaunchError extends Error {}

/**
 * Runs a program as a named step: one line with the time it has taken so far, its own output only with `verbose` or when it fails
 * for a reason that this file does not know.
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

/** @param {string} label @param {boolean} plain Whether to leave finished lines alone even on a terminal. */
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
 * Why a package manager failed, in words; undefined when the output tells nothing that this file knows.
 *
 * @param {string} output
 */
export function knownReason(output) {
  const code = /npm (?:ERR!|error) (?:code|errno) .*|ENOSPC|EACCES|EPERM|EROFS|getaddrinfo|Download failure/.exec(output)?.[0]
  return code === undefined ? undefined : REASONS.find(([pattern]) => pattern.test(code))?.[1]
}

/** The end of a program's output, without the hosts that it talked to. @param {string} output */
function lastLines(output) {
  const lines = output.trimEnd().split('\n').slice(-SHOWN_LINES)
  return `${lines.join('\n').replace(/https?:\/\/[^/\s]+/g, '…')}\n`
}
