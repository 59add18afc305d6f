import { join } from 'node:path'
import { ROOT } from './processes.mjs'

const FLAGS = ['--disable-warning=ExperimentalWarning', '--expose-gc', '--v8-pool-size=1']

/**
 * Node's arguments for the built server, in launcher, tests and benches; container images must use the same.
 * `--expose-gc` lets the server free memory after its start. `--v8-pool-size=1` lets V8 compile and collect garbage in one other thread, not
 * four, which leave a server on two cores little while they compile.
 */
export const SERVER_ARGUMENTS = [...FLAGS, join(ROOT, 'dist/server/main.js')]

/** The same for the server's sources, which Node runs without a build. */
export const SOURCE_SERVER_ARGUMENTS = [...FLAGS, join(ROOT, 'src/server/main.ts')]

/** The compile cache halves the start time. */
export const COMPILE_CACHE = { NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/node') }

/**
 * Environment of the server. glibc keeps memory that is freed, some 8 MB after the start, unless it has one arena, maps large blocks apart
 * and returns the rest at once.
 */
export const SERVER_ENVIRONMENT = {
  ...COMPILE_CACHE,
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '32768',
  MALLOC_TOP_PAD_: '0',
  MALLOC_TRIM_THRESHOLD_: '65536',
}
