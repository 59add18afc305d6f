import { globSync, readFileSync } from 'node:fs'
import type { Reporter } from 'vitest/node'
import { SERVICES, missingReason, type Service } from './services.ts'

const TEST_FILES = ['src/**/*.test.{ts,tsx}', 'test/**/*.test.ts']

/** Names, at the end of a run, each service that could not be had and the test files that it shortened or left out. In CI that fails the run. */
export class MissingServicesReporter implements Reporter {
  onTestRunEnd() {
    const missing = (Object.keys(SERVICES) as Service[]).filter((service) => missingReason(service))
    for (const service of missing) {
      console.log(`\nLeft out for want of ${service}: ${missingReason(service)}`)
      for (const file of filesThatUse(service)) console.log(`  ${file}`)
    }
    if (missing.length > 0 && process.env['CI'] === 'true') process.exitCode = 1
  }
}

/** Test files, by path from the root, that ask for the service. */
export function filesThatUse(service: Service): string[] {
  return globSync(TEST_FILES).filter((file) => SERVICES[service].test(readFileSync(file, 'utf8')))
}
