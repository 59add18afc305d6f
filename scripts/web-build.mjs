import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { environmentFor, ROOT } from './processes.mjs'
import { runStep } from './steps.mjs'

/** What the built page is made of. */
const SOURCES = ['src/web', 'src/contract', 'vite.config.ts', 'tsconfig.base.json', 'package-lock.json']
const STAMP = 'dist/web.stamp'
const PAGE = 'dist/web/index.html'

/**
 * Builds the web app, unless it was built from the very same files.
 *
 * @param {{ node: string, verbose: boolean }} launch
 */
export async function ensureWeb(launch) {
  if (!isBuilt(ROOT)) await buildWeb(launch)
}

/** @param {{ node: string, verbose: boolean }} launch */
export async function buildWeb({ node, verbose }) {
  const stamp = join(ROOT, STAMP)
  // Gone while the build runs, so that an interrupted one is noticed; taken before it, so that a file changed meanwhile is too.
  rmSync(stamp, { force: true })
  const made = fingerprint(ROOT)
  const env = { ...environmentFor(node), NODE_ENV: 'production' }
  await runStep('Building the web app', { file: node, args: ['node_modules/vite/bin/vite.js', 'build'], env, verbose })
  mkdirSync(join(ROOT, 'dist'), { recursive: true })
  writeFileSync(stamp, made)
}

/** Whether the build under this root is finished and made from the files as they are now. @param {string} root */
export function isBuilt(root) {
  const stamp = join(root, STAMP)
  return existsSync(join(root, PAGE)) && existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint(root)
}

/** Changes whenever a source is added, removed or written. @param {string} root */
export function fingerprint(root, sources = SOURCES) {
  const hash = createHash('sha256')
  for (const path of sources.flatMap((source) => filesUnder(root, source))) {
    const { mtimeMs, size } = statSync(join(root, path))
    hash.update(`${path} ${mtimeMs} ${size}\n`)
  }
  return hash.digest('hex')
}

/** Files from here down, tests aside, in a stable order. @param {string} root @param {string} path @returns {string[]} */
function filesUnder(root, path) {
  const found = statSync(join(root, path), { throwIfNoEntry: false })
  if (!found || /\.test\.tsx?$/.test(path)) return []
  if (!found.isDirectory()) return [path]
  const names = readdirSync(join(root, path)).sort()
  return names.flatMap((name) => filesUnder(root, `${path}/${name}`))
}
