import { join } from 'node:path'
import { ROOT } from './processes.mjs'

const FLAGS = ['--disable-warning=ExperimentalWarning', '--expose-gc']

/**
 * Node's arguments for the built server, in launcher, tests and benches; container images must use the same.
 * `--expose-gc` lets the server free what its start has used.
 */
export const SERVER_ARGUMENTS = [...FLAGS, join(ROOT, 'dist/server/main.js')]

/** The same for the server's sources, which Node runs without a build. */
export const SOURCE_SERVER_ARGUMENTS = [...FLAGS, join(ROOT, 'src/server/main.ts')]

/** The compile cache halves the start time. */
export const COMPILE_CACHE = { NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/node') }

/** Environment of the server. More than one arena of glibc's allocator keeps 5 MB of freed memory. */
export const SERVER_ENVIRONMENT = { ...COMPILE_CACHE, MALLOC_ARENA_MAX: '1' }
