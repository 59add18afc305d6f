import { join } from 'node:path'
import { ROOT } from './processes.mjs'

/**
 * What Node is given to run the server, by the launcher, the tests and the benches alike; an image has to give it the same.
 * `--expose-gc` lets the server give back the memory that its start took.
 */
export const SERVER_ARGUMENTS = ['--disable-warning=ExperimentalWarning', '--expose-gc', join(ROOT, 'src/server/main.ts')]

/**
 * Beside the settings: compiled code and stripped types are kept from one start to the next, which halves the time of a start
 * and leaves the compiler for types out of memory; and the C library shares its pools of memory between threads.
 */
export const SERVER_ENVIRONMENT = { NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/node'), MALLOC_ARENA_MAX: '1' }
