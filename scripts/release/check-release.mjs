import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { capture, environmentFor, npmCommand, ROOT } from '../processes.mjs'
import { writeBundle } from './bundle.mjs'
import { problemsOfRelease } from './release-facts.mjs'

const VITEST = 'node_modules/vitest/vitest.mjs'
/** Tests of the archive, of the deployment's files, and of the proxies with their configurations. */
const TESTS = ['test/release.test.ts', 'test/bundle.test.ts', 'test/deploy.test.ts', 'test/api/proxies.test.ts']
const LAST_LINES = 30

/** @typedef {{ state: 'ok' | 'problem' | 'skipped', detail: string, output?: string }} Finding */

/**
 * Verifies everything that a release consists of, and prints a line for each part.
 *
 * @param {string} node The Node to run programs with.
 * @returns {Promise<number>} The exit code: 1 if there is a problem.
 */
export async function checkRelease(node) {
  const env = { ...environmentFor(node), INSTALLATION_KEY: 'x'.repeat(32), POSTGRES_PASSWORD: 'x'.repeat(32) }
  /** @type {Record<string, () => Promise<Finding[]>>} */
  const parts = {
    files: checkFiles,
    packages: () => checkCommand(npmCommand(node, ['ci', '--dry-run', '--ignore-scripts']), env, 'The lock file fits package.json.'),
    source: () => checkCommand({ file: node, args: ['scripts/launch.mjs', 'check'] }, env, 'Types, rules and format hold.'),
    archive: () => checkArchive({ file: node, args: ['scripts/launch.mjs', 'build'] }, env),
    contents: () => checkCommand({ file: node, args: [VITEST, 'run', ...TESTS] }, env, contents),
    compose: () => checkTool('docker', ['compose', '-f', 'deploy/compose.yaml', 'config', '-q'], ['compose', 'version'], env),
    chart: () => checkTool('helm', ['lint', '--strict', 'deploy/helm/parley'], ['version'], env),
    image: () => checkTool('docker', ['build', '-f', 'deploy/Dockerfile', '.'], ['info', '--format', '{{.ServerVersion}}'], env),
  }
  let exitCode = 0
  for (const [part, check] of Object.entries(parts)) {
    for (const { state, detail, output } of await check()) {
      process.stdout.write(`${state.padEnd(8)} ${part.padEnd(9)} ${detail}\n`)
      if (output) process.stdout.write(`${output.trim().split('\n').slice(-LAST_LINES).join('\n')}\n`)
      if (state === 'problem') exitCode = 1
    }
  }
  return exitCode
}

const contents =
  'The archive runs from an empty folder; bill of materials, licenses, compose file, chart, unit and proxies pass their tests (without nginx, HAProxy, Caddy, helm or systemd, what needs them is skipped).'

/** @returns {Promise<Finding[]>} */
async function checkFiles() {
  const read = (/** @type {string} */ path) => readFileSync(join(ROOT, path), 'utf8')
  const { version } = JSON.parse(read('package.json'))
  const problems = problemsOfRelease({
    version,
    lockedVersion: JSON.parse(read('package-lock.json')).version,
    changelog: read('CHANGELOG.md'),
    chart: read('deploy/helm/parley/Chart.yaml'),
    compose: read('deploy/compose.yaml'),
    changes: (await capture('git', ['status', '--porcelain'])).output,
  })
  if (problems.length === 0) return [{ state: 'ok', detail: `Everything is of version ${version}, dated, and committed.` }]
  return problems.map((detail) => ({ state: 'problem', detail }))
}

/**
 * Packs what was built, builds it again and packs that: whoever does it must get the same bytes.
 *
 * @param {{ file: string, args: string[] }} build
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Finding[]>}
 */
async function checkArchive(build, env) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-release-'))
  try {
    const pack = async () => {
      const archive = await writeBundle({ folder })
      return { name: basename(archive), sha256: createHash('sha256').update(readFileSync(archive)).digest('hex') }
    }
    const first = await pack()
    const { code, output } = await capture(build.file, build.args, { env })
    if (code !== 0) return [{ state: 'problem', detail: `Building again ended with ${code}:`, output }]
    const second = await pack()
    if (first.sha256 !== second.sha256) return [{ state: 'problem', detail: `${first.name} differs when it is built again.` }]
    return [{ state: 'ok', detail: `${first.name}, SHA-256 ${first.sha256}, the same when it is built again.` }]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * @param {{ file: string, args: string[] }} command
 * @param {NodeJS.ProcessEnv} env
 * @param {string} detail What holds if it succeeds.
 * @returns {Promise<Finding[]>}
 */
async function checkCommand({ file, args }, env, detail) {
  const { code, output } = await capture(file, args, { env })
  if (code === 0) return [{ state: 'ok', detail }]
  return [{ state: 'problem', detail: `${basename(file)} ${args.join(' ')} ended with ${code}:`, output }]
}

/**
 * Runs a tool where it is installed and works.
 *
 * @param {string} tool
 * @param {string[]} args
 * @param {string[]} probe Arguments with which it succeeds if it can be used here.
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Finding[]>}
 */
async function checkTool(tool, args, probe, env) {
  const { code } = await capture(tool, probe, { env })
  const command = `${tool} ${args.join(' ')}`
  if (code !== 0) return [{ state: 'skipped', detail: `${tool} ${probe[0]} doesn't work here. Run it elsewhere: ${command}` }]
  return checkCommand({ file: tool, args }, env, command)
}
