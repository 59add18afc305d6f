import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { matchesLock } from './packages.mjs'
import { environmentFor, npmCommand, ROOT } from './processes.mjs'
import { LaunchError, runStep } from './steps.mjs'

/** What names the packages, with the checksum of each. */
const SOURCE = join(ROOT, 'scripts/local-model')
/** Where they are put: only who uses a local model carries them. The server looks for them here. */
export const LOCAL_MODEL_FOLDER = join(ROOT, '.runtime/local-model')

/** Packages that hold the compiled library, for processors alone: those for graphics cards have 600 MB. @type {Record<string, string>} */
const BINARIES = {
  'linux-x64': '@node-llama-cpp/linux-x64',
  'linux-arm64': '@node-llama-cpp/linux-arm64',
  'linux-arm': '@node-llama-cpp/linux-armv7l',
  'darwin-arm64': '@node-llama-cpp/mac-arm64-metal',
  'darwin-x64': '@node-llama-cpp/mac-x64',
  'win32-x64': '@node-llama-cpp/win-x64',
  'win32-arm64': '@node-llama-cpp/win-arm64',
}

/** @typedef {{ dependencies: Record<string, string> }} Manifest */
/** @typedef {{ packages: import('./packages.mjs').Packages & { '': Manifest } }} Lock */

/** Whether the settings of this environment ask for a local model. */
export function wantsLocalModel(environment = process.env) {
  return ['MODEL', 'FALLBACK_MODEL', 'EMBEDDING_MODEL'].some((name) => environment[name] === 'local')
}

/** Whether what runs a local model is installed. */
export function hasLocalModel() {
  const wanted = wantedPackages(process.platform, process.arch)
  return (
    wanted !== undefined && matchesLock(wanted.lock.packages, readPackages(join(LOCAL_MODEL_FOLDER, 'node_modules/.package-lock.json')))
  )
}

/**
 * Installs what runs a local model, unless exactly that is installed.
 *
 * @param {{ node: string, verbose: boolean }} launch
 * @throws {LaunchError} when it cannot be had.
 */
export async function ensureLocalModel({ node, verbose }) {
  if (hasLocalModel()) return
  const wanted = wantedPackages(process.platform, process.arch)
  if (!wanted) throw new LaunchError(`A local model does not run on ${process.platform}-${process.arch}: use another MODEL.`)
  mkdirSync(LOCAL_MODEL_FOLDER, { recursive: true })
  const settings = join(ROOT, '.npmrc')
  if (existsSync(settings)) cpSync(settings, join(LOCAL_MODEL_FOLDER, '.npmrc'))
  writeFileSync(join(LOCAL_MODEL_FOLDER, 'package.json'), JSON.stringify(wanted.manifest))
  writeFileSync(join(LOCAL_MODEL_FOLDER, 'package-lock.json'), JSON.stringify(wanted.lock))
  const args = ['ci', '--prefix', LOCAL_MODEL_FOLDER, '--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund']
  await runStep('Installing what runs a local model', { ...npmCommand(node, args), env: environmentFor(node), verbose })
}

/**
 * The committed package.json and its lock file, with the binary of this platform as the only one of the optional packages that is
 * not optional; undefined where there is none.
 *
 * @param {string} platform
 * @param {string} arch
 */
export function wantedPackages(platform, arch) {
  const binary = BINARIES[`${platform}-${arch}`]
  if (binary === undefined) return undefined
  /** @type {Manifest} */
  const manifest = JSON.parse(readFileSync(join(SOURCE, 'package.json'), 'utf8'))
  /** @type {Lock} */
  const lock = JSON.parse(readFileSync(join(SOURCE, 'package-lock.json'), 'utf8'))
  const entry = lock.packages[`node_modules/${binary}`]
  if (!entry?.version) return undefined
  delete entry.optional
  manifest.dependencies[binary] = entry.version
  lock.packages[''].dependencies[binary] = entry.version
  return { manifest, lock }
}

/** @param {string} path @returns {import('./packages.mjs').Packages | undefined} */
function readPackages(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : undefined
}
