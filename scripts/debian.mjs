import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { LaunchError, runStep } from './steps.mjs'

/** Path of a program on the PATH, or in these folders. @param {string} name @param {string} path @returns {string | undefined} */
export function findProgram(name, path = process.env['PATH'] ?? '') {
  const folders = path.split(delimiter).filter(Boolean)
  return folders.map((folder) => join(folder, name)).find(isExecutable)
}

/**
 * Installs Debian packages as root. Otherwise, or if that fails, it reports the failure at most and returns.
 *
 * @param {string} label What is being done, as "Installing Chromium for the tests".
 * @param {string[]} packages
 * @param {{ verbose: boolean }} options
 */
export async function installDebianPackages(label, packages, { verbose }) {
  if (process.getuid?.() !== 0 || !findProgram('apt-get')) return
  // At run level 1, packages don't start their services.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  const args = ['install', '--yes', '--no-install-recommends', ...packages]
  try {
    await runStep('Reading the list of Debian packages', { file: 'apt-get', args: ['update'], env, verbose })
    await runStep(label, { file: 'apt-get', args, env, verbose })
  } catch (error) {
    if (!(error instanceof LaunchError)) throw error
    process.stderr.write(`${error.message}\n`)
  }
}

/** Whether the list of Debian packages, as last read, has this one. @param {string} name */
export function isOffered(name) {
  return spawnSync('apt-cache', ['show', name], { stdio: 'ignore' }).status === 0
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
