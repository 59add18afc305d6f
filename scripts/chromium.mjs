import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { LaunchError, runStep } from './steps.mjs'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome']

/** Path of the system's Chromium: `CHROMIUM_PATH`, or the first of the known names on the PATH. */
export function findChromium() {
  return process.env['CHROMIUM_PATH'] || NAMES.map(findProgram).find(Boolean)
}

/**
 * Sees to a Chromium for the tests, with Debian's packages where this process may install them. Without one the tests go on and
 * name at their end what they left out.
 *
 * @param {{ verbose: boolean }} options
 */
export async function ensureChromium({ verbose }) {
  const mayInstall = process.getuid?.() === 0 && findProgram('apt-get')
  if (findChromium() || !mayInstall) return
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  // Chromium brings no font of its own, and a page without one has no height.
  const packages = ['chromium', 'fonts-liberation']
  try {
    await runStep('Reading the list of Debian packages', { file: 'apt-get', args: ['update'], env, verbose })
    const args = ['install', '--yes', '--no-install-recommends', ...packages]
    await runStep('Installing Chromium for the tests', { file: 'apt-get', args, env, verbose })
  } catch (error) {
    if (!(error instanceof LaunchError)) throw error
    process.stderr.write(`${error.message}\n`)
  }
}

/** @param {string} name @returns {string | undefined} */
function findProgram(name) {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean)
  return folders.map((folder) => join(folder, name)).find(isExecutable)
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
