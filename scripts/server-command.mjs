import { join } from 'node:path'
import { ROOT } from './processes.mjs'

const FLAGS = ['--disable-warning=ExperimentalWarning', '--expose-gc']

/**
 * What Node is given to run the server as it was built, by the launcher, the tests and the benches alike; an image has to give it
 * the same. `--expose-gc` lets the server give back the memory that its start took.
 */
export const SERVER_ARGUMENTS = [...FLAGS, join(ROOT, 'dist/server/main.js')]

/** The same for the server's sources, which Node runs as they are. */
export const SOURCE_SERVER_ARGUMENTS = [...FLAGS, join(ROOT, 'src/server/main.ts')]

/**
 * Beside the settings: compiled code is kept from one start to the next, which halves the time of a start; and the C library shares
 * its pools of memory between threads.
 */
export const SERVER_ENVIRONMENT = { NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/node'), MALLOC_ARENA_MAX: '1' }
