/** What tests need besides npm packages, and the support file through which a test file asks for it. */
export const SERVICES = {
  PostgreSQL: /support\/(databases|postgres|process-pair)\.ts/,
  Chromium: /support\/chromium\.ts/,
  libfaketime: /\/(clock|history-stage)\.ts/,
  tmpfs: /\/small-disk\.ts/,
  Redis: /support\/redis\.ts/,
  'node-llama-cpp': /support\/tiny-model\.ts/,
} as const

export type Service = keyof typeof SERVICES

const variable = (service: Service) => `PARLEY_TEST_WITHOUT_${service.toUpperCase().replaceAll('-', '_')}`

/** Notes, for this process and the workers that it starts, that a service cannot be had. `reason` is one sentence. */
export function markMissing(service: Service, reason: string) {
  process.env[variable(service)] = reason
}

/** Why the service cannot be had; undefined when it can. */
export function missingReason(service: Service): string | undefined {
  return process.env[variable(service)]
}

export function isMissing(service: Service): boolean {
  return missingReason(service) !== undefined
}
