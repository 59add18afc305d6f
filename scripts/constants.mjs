import { join } from 'node:path'

/** Node's option that loads the module which puts values of constants before a server. */
export const SETS_CONSTANTS = `--require ${JSON.stringify(join(import.meta.dirname, 'set-constants.cjs'))}`

/**
 * Environment for a server whose constants (`src/server/constant.ts`) have these values. Only for tests, benches and evaluations, where one
 * machine acts as many visitors: the server by itself reads none of it.
 * @param {Readonly<Record<string, number>>} values By the names of the constants.
 * @returns {Record<string, string>}
 */
export function withConstants(values) {
  const entries = Object.entries(values).map(([name, value]) => [`TEST_CONSTANT_${name}`, String(value)])
  return { NODE_OPTIONS: SETS_CONSTANTS, ...Object.fromEntries(entries) }
}

/** Limits of visitors and networks that are no settings, so high that none is reached. */
export const UNLIMITED_CONSTANTS = withConstants(
  Object.fromEntries(
    [
      'readsPerMinute',
      'networkReadsPerMinute',
      'writesPerMinute',
      'networkWritesPerMinute',
      'pollsPerMinute',
      'networkPollsPerMinute',
      'filesPerHour',
      'networkFilesPerHour',
      'networkConnections',
      'networkStreams',
      'allStreams',
    ].map((name) => [name, 100_000_000]),
  ),
)
