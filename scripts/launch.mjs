#!/usr/bin/env node
// Entry point of all npm scripts. It installs and builds what a command needs on a fresh clone, skips what is up to date, and runs on
// Node 18 or later without dependencies.
import { buildAll, ensureServer, ensureWeb } from './builds.mjs'
import { ensureChromium } from './chromium.mjs'
import { EMBEDDING_MODEL_MAKER, hasEmbeddingModel } from './embedding-model.mjs'
import { ensureFakeTime } from './fake-time.mjs'
import { ensureLocalModel, wantsLocalModel } from './local-model.mjs'
import { ensurePackages } from './packages.mjs'
import { runAll, runForeground, runTogether } from './processes.mjs'
import { ensureRuntime } from './runtime.mjs'
import { COMPILE_CACHE, SERVER_ARGUMENTS, SERVER_ENVIRONMENT, SOURCE_SERVER_ARGUMENTS } from './server-command.mjs'
import { ensureServices } from './services.mjs'
import { LaunchError, sentenceOfFileError } from './steps.mjs'

const VITE = 'node_modules/vite/bin/vite.js'
const BIOME = 'node_modules/@biomejs/biome/bin/biome'

/** Number of histories in a soak run. `HISTORIES` and `SEED` in the environment take precedence. */
const SOAK = { HISTORIES: '2000' }

/** Tests in a long run take larger samples. */
const LONG = { LONG_TESTS: '1' }
const LONG_PROJECTS = ['--project', 'long', '--project', 'postgres']
/** Projects that run where no files or projects are named: all but the long tests (`test/support/test-options.ts`). */
const SHORT_TESTS = ['--project', '!long', '--project', '!postgres']

/**
 * @typedef {object} Launch
 * @property {string} node Path of the Node binary to use.
 * @property {string[]} args Arguments after the command.
 * @property {boolean} verbose Whether to show the output of successful steps.
 */

/** Commands of the server beside `start`, which it runs itself (`src/server/main.ts`). */
const OPERATOR_COMMANDS = [
  'status',
  'doctor',
  'backup',
  'restore',
  'move',
  'upgrade',
  'staff',
  'knowledge',
  'agent',
  'stop-answering',
  'confirm-clock',
  'export-config',
  'compliance',
]

/** Each resolves with the exit code. @type {Record<string, (launch: Launch) => Promise<number>>} */
const COMMANDS = {
  async start(launch) {
    if (wantsLocalModel()) await ensureLocalModel(launch)
    await ensureWeb(launch)
    await ensureServer(launch)
    return runForeground(launch.node, [...SERVER_ARGUMENTS, ...launch.args], SERVER_ENVIRONMENT)
  },
  async dev(launch) {
    const { node } = launch
    if (wantsLocalModel()) await ensureLocalModel(launch)
    return runTogether(node, [['--watch', ...SOURCE_SERVER_ARGUMENTS], [VITE]])
  },
  async test(launch) {
    await ensureServices(launch)
    await ensureWeb(launch)
    const tests = launch.args.length === 0 ? SHORT_TESTS : launch.args
    return runTests(launch, tests)
  },
  async 'test:long'(launch) {
    await ensureServices(launch)
    await ensureWeb(launch)
    return runTests(launch, [...LONG_PROJECTS, ...launch.args], LONG)
  },
  async 'test:crash'(launch) {
    const { node, args } = launch
    await ensureServer(launch)
    return runForeground(node, ['--disable-warning=ExperimentalWarning', 'test/faults/crash.ts', ...args])
  },
  async 'test:soak'(launch) {
    await ensureFakeTime(launch)
    return runTests(launch, ['test/faults/history.test.ts', ...launch.args], SOAK)
  },
  check(launch) {
    return runAll(launch, [
      ['Types', ['node_modules/typescript/bin/tsc', '-b']],
      ['Rules', ['node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings']],
      ['Format', [BIOME, 'format', '--error-on-warnings']],
    ])
  },
  format({ node, args }) {
    return runForeground(node, [BIOME, 'format', '--write', ...args])
  },
  async bench(launch) {
    return runForeground(launch.node, ['--disable-warning=ExperimentalWarning', 'bench/run.ts', ...launch.args])
  },
  async eval(launch) {
    const { node, args } = launch
    if (wantsLocalModel()) await ensureLocalModel(launch)
    return runForeground(node, ['--disable-warning=ExperimentalWarning', 'eval/run.ts', ...args])
  },
  async pictures(launch) {
    await ensureChromium(launch)
    await ensureWeb(launch)
    await ensureServer(launch)
    return runForeground(launch.node, ['--disable-warning=ExperimentalWarning', 'test/pictures/take.ts', ...launch.args])
  },
  async build(launch) {
    await buildAll(launch)
    return 0
  },
  async bundle(launch) {
    if (launch.args.includes('--local-model') || hasEmbeddingModel()) await ensureLocalModel(launch)
    await ensureWeb(launch)
    await ensureServer(launch)
    return runForeground(launch.node, ['--disable-warning=ExperimentalWarning', 'scripts/release.mjs', 'bundle', ...launch.args])
  },
  async release(launch) {
    if (launch.args.join() !== '--check') throw new LaunchError('Use npm run release -- --check: it verifies what a release consists of.')
    await ensureServices(launch)
    await buildAll(launch)
    return runForeground(launch.node, ['--disable-warning=ExperimentalWarning', 'scripts/release.mjs', 'check'])
  },
  async 'local-model'(launch) {
    await ensureLocalModel(launch)
    return 0
  },
  async 'embedding-model'(launch) {
    await ensureLocalModel(launch)
    return runForeground(launch.node, ['--disable-warning=ExperimentalWarning', EMBEDDING_MODEL_MAKER])
  },
  ...Object.fromEntries(OPERATOR_COMMANDS.map((name) => [name, (launch) => runOnServer(name, launch)])),
}

/**
 * Threads and processes of the server that a unit test starts run from sources, which the compile cache keeps stripped of types.
 * @param {Launch} launch @param {string[]} args @param {Record<string, string>} [environment]
 */
function runTests({ node }, args, environment) {
  return runForeground(node, ['node_modules/vitest/vitest.mjs', 'run', ...args], { ...COMPILE_CACHE, ...environment })
}

/** @param {string} command @param {Launch} launch */
async function runOnServer(command, launch) {
  await ensureServer(launch)
  return runForeground(launch.node, [...SERVER_ARGUMENTS, command, ...launch.args], SERVER_ENVIRONMENT)
}

/** @param {string[]} argv */
async function main([command = '', ...rest]) {
  const run = COMMANDS[command]
  if (!run) throw new LaunchError(`There is no command "${command}": use one of ${Object.keys(COMMANDS).join(', ')}.`)
  const verbose = rest.includes('--verbose')
  const node = await ensureRuntime({ verbose })
  await ensurePackages({ node, verbose })
  return run({ node, verbose, args: rest.filter((argument) => argument !== '--verbose') })
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  const sentence = error instanceof LaunchError ? error.message : sentenceOfFileError(error)
  if (sentence === undefined) throw error
  process.stderr.write(`${sentence}\n`)
  process.exitCode = 1
}
