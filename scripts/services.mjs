import { ensureChromium } from './chromium.mjs'
import { ensureFakeTime } from './fake-time.mjs'
import { ensureLocalModel } from './local-model.mjs'
import { proxyInstaller } from './proxies.mjs'
import { ensureRedis } from './redis.mjs'
import { LaunchError } from './steps.mjs'
import { ensureTesseract } from './tesseract.mjs'

/** Software that tests use besides npm packages, by the names that `ALLOW_MISSING` takes. */
export const SERVICES = /** @type {const} */ ([
  'postgresql',
  'chromium',
  'redis',
  'libfaketime',
  'tmpfs',
  'node-llama-cpp',
  'nginx',
  'haproxy',
  'caddy',
  'pgbouncer',
  'tesseract',
])

/** @typedef {typeof SERVICES[number]} Service */

/** How to fetch each service; those without an entry come with the packages or the system. */
const FETCH = /** @type {const} */ ([
  ['chromium', ensureChromium],
  ['redis', ensureRedis],
  ['libfaketime', ensureFakeTime],
  ['node-llama-cpp', ensureLocalModel],
  ['nginx', proxyInstaller('nginx')],
  ['haproxy', proxyInstaller('haproxy')],
  ['caddy', proxyInstaller('caddy')],
  ['pgbouncer', proxyInstaller('pgbouncer')],
  ['tesseract', ensureTesseract],
])

/**
 * The services that `ALLOW_MISSING` names, separated by commas: tests run without them where they are missing.
 *
 * @param {NodeJS.ProcessEnv} environment
 * @returns {Service[]}
 * @throws {LaunchError} for a name that is not a service.
 */
export function allowedMissing(environment = process.env) {
  const names = (environment['ALLOW_MISSING'] ?? '').split(',').map((name) => name.trim())
  return names.filter(Boolean).map((name) => {
    const service = SERVICES.find((known) => known === name)
    if (!service) throw new LaunchError(`ALLOW_MISSING names "${name}", which is not a service: use ${SERVICES.join(', ')}.`)
    return service
  })
}

/**
 * Fetches the services that tests need, except those that may be missing. Reports a failure and continues: the test run itself fails
 * if one of its files needs the service.
 *
 * @param {{ node: string, verbose: boolean }} launch
 * @throws {LaunchError} for a wrong `ALLOW_MISSING`.
 */
export async function ensureServices(launch) {
  const allowed = allowedMissing()
  for (const [service, ensure] of FETCH) {
    if (!allowed.includes(service)) await ensure(launch).catch(reportLaunchError)
  }
}

/** @param {unknown} error */
function reportLaunchError(error) {
  if (!(error instanceof LaunchError)) throw error
  process.stderr.write(`${error.message}\n`)
}
