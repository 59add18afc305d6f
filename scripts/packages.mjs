import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { environmentFor, npmCommand, ROOT } from './processes.mjs'
import { runStep } from './steps.mjs'

const LOCK = join(ROOT, 'package-lock.json')
/** npm writes it at the end of an install and removes it at the start of the next. */
const INSTALLED = join(ROOT, 'node_modules/.package-lock.json')

/**
 * Installs the packages of package-lock.json unless they are installed.
 *
 * @param {{ node: string, verbose: boolean }} launch
 */
export async function ensurePackages({ node, verbose }) {
  if (matchesLock(readPackages(LOCK), readPackages(INSTALLED))) return
  // Tests and the web build need the development packages whatever NODE_ENV says.
  const command = npmCommand(node, ['ci', '--include=dev', '--no-audit', '--no-fund'])
  await runStep('Installing packages', { ...command, env: environmentFor(node), verbose })
}

/** @typedef {Record<string, { version?: string, optional?: boolean, devOptional?: boolean }>} Packages */

/**
 * Whether the installed versions match the lock file. Optional packages may be missing, since most are for other platforms.
 *
 * @param {Packages | undefined} locked
 * @param {Packages | undefined} installed undefined without a complete install.
 */
export function matchesLock(locked, installed) {
  if (!locked || !installed) return false
  const missing = Object.entries(locked).some(
    ([path, entry]) => path !== '' && (installed[path] ? installed[path].version !== entry.version : !entry.optional && !entry.devOptional),
  )
  return !missing && Object.keys(installed).every((path) => locked[path])
}

/** @param {string} path @returns {Packages | undefined} */
function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages
  } catch {
    return undefined
  }
}
