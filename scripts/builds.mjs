import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { environmentFor, ROOT } from './processes.mjs'
import { runStep } from './steps.mjs'

/**
 * @typedef {{ node: string, verbose: boolean }} Launch
 * @typedef {object} Build
 * @property {string} label Progress label, such as "Building the web app".
 * @property {string[]} args Arguments for Node.
 * @property {string[]} sources Source files and folders.
 * @property {string} made One of the files that it makes.
 * @property {string} stamp Where it is noted from which files it was made.
 */

/** Sources of the page, the console and the server. */
const SHARED = ['src/contract', 'src/text', 'src/async', 'src/personal-data']

/** @type {Build} */
const WEB = {
  label: 'Building the web app',
  args: ['node_modules/vite/bin/vite.js', 'build'],
  sources: ['src/web', 'src/ui', ...SHARED, 'vite.config.ts', 'tsconfig.base.json', 'package-lock.json'],
  made: 'dist/web/index.html',
  stamp: 'dist/web.stamp',
}

/** @type {Build} */
const CONSOLE = {
  label: 'Building the console',
  args: ['node_modules/vite/bin/vite.js', 'build', '--config', 'vite.console.config.ts'],
  sources: ['src/console', 'src/ui', 'src/web/styles', ...SHARED, 'vite.console.config.ts', 'tsconfig.base.json', 'package-lock.json'],
  made: 'dist/console/index.html',
  stamp: 'dist/console.stamp',
}

/** @type {Build} */
const SERVER = {
  label: 'Building the server',
  args: ['scripts/bundle-server.mjs'],
  sources: ['src/server', ...SHARED, 'eval', 'scripts/bundle-server.mjs', 'package-lock.json'],
  made: 'dist/server/main.js',
  stamp: 'dist/server.stamp',
}

/** Files and folders that the builds read. */
export const BUILD_SOURCES = [WEB, CONSOLE, SERVER].flatMap(({ sources }) => sources)

/** Builds the web app and the console, each unless its build is up to date. @param {Launch} launch */
export async function ensureWeb(launch) {
  await ensure(WEB, launch)
  await ensure(CONSOLE, launch)
}

/** Builds the server unless the build is up to date. @param {Launch} launch */
export const ensureServer = (launch) => ensure(SERVER, launch)

/** Builds the web app, the console and the server unconditionally. @param {Launch} launch */
export async function buildAll(launch) {
  await run(WEB, launch)
  await run(CONSOLE, launch)
  await run(SERVER, launch)
}

/** @param {Build} build @param {Launch} launch */
async function ensure(build, launch) {
  if (!isMade(build)) await run(build, launch)
}

/** @param {Build} build @param {Launch} launch */
async function run({ label, args, sources, stamp }, { node, verbose }) {
  const path = join(ROOT, stamp)
  // Removed during the build, so an interrupted build is detected. The fingerprint is taken first, so files changed meanwhile are too.
  rmSync(path, { force: true })
  const from = fingerprint(sources)
  const env = { ...environmentFor(node), NODE_ENV: 'production' }
  await runStep(label, { file: node, args, env, verbose })
  mkdirSync(join(ROOT, 'dist'), { recursive: true })
  writeFileSync(path, from)
}

/** Whether the build is complete and up to date. @param {Build} build */
function isMade({ made, stamp, sources }) {
  const path = join(ROOT, stamp)
  return existsSync(join(ROOT, made)) && existsSync(path) && readFileSync(path, 'utf8') === fingerprint(sources)
}

/** Changes whenever a source is added, removed or written. @param {string[]} sources */
function fingerprint(sources) {
  const hash = createHash('sha256')
  for (const path of sources.flatMap(filesUnder)) {
    const { mtimeMs, size } = statSync(join(ROOT, path))
    hash.update(`${path} ${mtimeMs} ${size}\n`)
  }
  return hash.digest('hex')
}

/** All files below a path, without tests, in stable order. @param {string} path @returns {string[]} */
function filesUnder(path) {
  const found = statSync(join(ROOT, path), { throwIfNoEntry: false })
  if (!found || /\.test\.tsx?$/.test(path)) return []
  if (!found.isDirectory()) return [path]
  const names = readdirSync(join(ROOT, path)).sort()
  return names.flatMap((name) => filesUnder(`${path}/${name}`))
}
