import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasEmbeddingModel } from './embedding-model.mjs'
import { matchesLock } from './packages.mjs'
import { environmentFor, npmCommand, ROOT } from './processes.mjs'
import { LaunchError, runStep } from './steps.mjs'

/** Folder of package.json and lock file. */
const SOURCE = join(ROOT, 'scripts/local-model')
/** Install location, where the server looks. Only users of a local model need these packages. */
export const LOCAL_MODEL_FOLDER = join(ROOT, '.runtime/local-model')

/** Packages with the compiled library for CPUs. Those for GPUs take 600 MB. @type {Record<string, string>} */
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

/** Whether the server runs a local model: one that the environment configures, or the embedding model that needs no setting. */
export function wantsLocalModel(environment = process.env) {
  const isConfigured = ['MODEL', 'FALLBACK_MODEL', 'EMBEDDING_MODEL'].some((name) => environment[name] === 'local')
  return isConfigured || (!environment['EMBEDDING_MODEL'] && hasEmbeddingModel())
}

/** Whether the local model runtime is installed. */
export function hasLocalModel() {
  const wanted = wantedPackages(process.platform, process.arch)
  return (
    wanted !== undefined && matchesLock(wanted.lock.packages, readPackages(join(LOCAL_MODEL_FOLDER, 'node_modules/.package-lock.json')))
  )
}

/**
 * Installs the local model runtime unless the same version is installed.
 *
 * @param {{ node: string, verbose: boolean }} launch
 * @throws {LaunchError} if the download fails.
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
 * The committed package.json and lock file with the platform's binary made mandatory; undefined if the platform has
 * none.
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
