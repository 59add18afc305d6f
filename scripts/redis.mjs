import { findProgram, installDebianPackages } from './debian.mjs'

/** Path of the system's `redis-server`. */
export function findRedis() {
  return findProgram('redis-server')
}

/** Installs Redis for the tests, unless there is one or `TEST_REDIS_URL` names one. @param {{ verbose: boolean }} options */
export async function ensureRedis(options) {
  if (process.env['TEST_REDIS_URL'] || findRedis()) return
  await installDebianPackages('Installing Redis for the tests', ['redis-server'], options)
}
