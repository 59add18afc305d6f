import { globSync, readFileSync } from 'node:fs'
import { findChromium } from '../../scripts/chromium.mjs'
import { findFakeTime } from '../../scripts/fake-time.mjs'
import { hasLocalModel } from '../../scripts/local-model.mjs'
import { findProxy } from '../../scripts/proxies.mjs'
import { findRedis } from '../../scripts/redis.mjs'
import { SERVICES, type Service } from '../../scripts/services.mjs'
import { findTesseract } from '../../scripts/tesseract.mjs'

export { SERVICES, type Service }

const PROXIES_USED = /support\/proxies\.ts/

/** The support file through which a test file uses each service. */
const SUPPORT_FILES: Record<Service, RegExp> = {
  postgresql: /support\/(databases|postgres|process-pair)\.ts/,
  chromium: /support\/chromium\.ts/,
  redis: /support\/redis\.ts/,
  libfaketime: /\/(clock|history-stage)\.ts/,
  tmpfs: /\/small-disk\.ts/,
  'node-llama-cpp': /support\/tiny-model\.ts/,
  nginx: PROXIES_USED,
  haproxy: PROXIES_USED,
  caddy: PROXIES_USED,
  pgbouncer: PROXIES_USED,
  tesseract: /support\/scans\.ts/,
}

const TEST_FILES = ['src/**/*.test.{ts,tsx}', 'test/**/*.test.ts']

/** Test files that use the service, by path from the root. */
export function filesThatUse(service: Service): string[] {
  return globSync(TEST_FILES).filter((file) => usesService(file, service))
}

export function usesService(file: string, service: Service): boolean {
  return SUPPORT_FILES[service].test(readFileSync(file, 'utf8'))
}

const variable = (service: Service) => `PARLEY_TEST_WITHOUT_${service.toUpperCase().replaceAll('-', '_')}`

/** Records a service as missing, for this process and its workers. `reason` completes "redis (…)". */
export function markMissing(service: Service, reason: string): void {
  process.env[variable(service)] = reason
}

/** Takes back `markMissing`. */
export function markFound(service: Service): void {
  delete process.env[variable(service)]
}

/** Marks each service that is neither installed nor named by a setting. PostgreSQL and tmpfs show only when they start. */
export function markNotInstalled(): void {
  if (!findChromium()) markMissing('chromium', 'not on the PATH or at CHROMIUM_PATH, and could not be installed')
  if (!process.env['TEST_REDIS_URL'] && !findRedis())
    markMissing('redis', 'no redis-server on the PATH, no TEST_REDIS_URL, and it could not be installed')
  if (!findFakeTime()) markMissing('libfaketime', 'not installed, and could not be')
  for (const name of ['nginx', 'haproxy', 'caddy', 'pgbouncer'] as const)
    if (!findProxy(name)) markMissing(name, 'not installed, and could not be')
  if (!findTesseract()) markMissing('tesseract', 'it or pdftoppm is not installed, and could not be')
  if (!hasLocalModel()) markMissing('node-llama-cpp', 'not in .runtime/local-model, and could not be installed')
}

/** Why the service is missing; undefined if it is not. */
export function missingReason(service: Service): string | undefined {
  return process.env[variable(service)]
}

export function isMissing(service: Service): boolean {
  return missingReason(service) !== undefined
}

/** The sentence that rejects a test run because of missing services; undefined if none is missing or all may be. */
export function missingServicesMessage(needed: readonly Service[], allowed: readonly Service[]): string | undefined {
  const lacking = needed.filter((service) => isMissing(service) && !allowed.includes(service))
  if (lacking.length === 0) return undefined
  const reasons = lacking.map((service) => `${service} (${missingReason(service)})`)
  const setting = `ALLOW_MISSING=${[...new Set([...allowed, ...lacking])].join(',')}`
  return `These tests need ${reasons.join(' and ')}: install what is missing, or set ${setting} to run without the tests that need it.`
}

const NEEDED = 'PARLEY_TEST_NEEDS'

/** Records which services the selected test files use, from the reporter for the global setup. */
export function recordNeeded(files: readonly string[]): void {
  process.env[NEEDED] = SERVICES.filter((service) => files.some((file) => usesService(file, service))).join(',')
}

export function neededServices(): Service[] {
  const names = (process.env[NEEDED] ?? '').split(',')
  return SERVICES.filter((service) => names.includes(service))
}
