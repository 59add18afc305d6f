import { join } from 'node:path'
import { ROOT } from './processes.mjs'

const FLAGS = ['--disable-warning=ExperimentalWarning', '--expose-gc']

/**
 * Node's arguments for the built server, in launcher, tests and benches; container images must use the same.
 * `--expose-gc` lets the server free memory after its start.
 */
export const SERVER_ARGUMENTS = [...FLAGS, join(ROOT, 'dist/server/main.js')]

/** The same for the server's sources, which Node runs without a build. */
export const SOURCE_SERVER_ARGUMENTS = [...FLAGS, join(ROOT, 'src/server/main.ts')]

/**
 * Environment of the server: the compile cache halves start time, and a single malloc arena saves
 * memory.
 */
export const SERVER_ENVIRONMENT = { NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/node'), MALLOC_ARENA_MAX: '1' }
