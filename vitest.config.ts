import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { allowedMissing } from './scripts/services.mjs'
import { LongestFirst } from './test/support/longest-first.ts'
import { ServicesReporter } from './test/support/services-reporter.ts'
import { filesThatUse, isMissing, markNotInstalled } from './test/support/services.ts'

markNotInstalled()
/** Whole files need these; the others are needed by single tests, which skip themselves. */
const leftOut = allowedMissing().filter((service) => ['chromium', 'redis', 'node-llama-cpp'].includes(service) && isMissing(service))

export default defineConfig({
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...leftOut.flatMap(filesThatUse)],
    globalSetup: 'test/support/global-setup.ts',
    setupFiles: 'test/support/priority.ts',
    pool: 'forks',
    // A test file may run a server and a browser beside its own process; but on few cores most of them wait.
    maxWorkers: Math.max(3, Math.floor(availableParallelism() / 2)),
    sequence: { sequencer: LongestFirst },
    // Only to end what hangs: on a busy machine a browser and a server may take their time.
    testTimeout: 180_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    reporters: ['default', new ServicesReporter()],
  },
})
