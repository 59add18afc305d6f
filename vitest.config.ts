import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { allowedMissing } from './scripts/services.mjs'
import { LongestFirst } from './test/support/longest-first.ts'
import { testsAlone } from './test/support/own-worker.ts'
import { ServicesReporter } from './test/support/services-reporter.ts'
import { LONG_TESTS, SYSTEM_TESTS, TEST_OPTIONS, UNIT_TESTS } from './test/support/test-options.ts'
import { filesThatUse, isMissing, markNotInstalled } from './test/support/services.ts'

markNotInstalled()
/** Services that whole files need. Single tests that need others skip themselves. */
const leftOut = allowedMissing().filter((service) => ['chromium', 'redis', 'node-llama-cpp'].includes(service) && isMissing(service))
const alone = testsAlone([...UNIT_TESTS, ...SYSTEM_TESTS])

export default defineConfig({
  test: {
    exclude: [...configDefaults.exclude, ...leftOut.flatMap(filesThatUse)],
    ...TEST_OPTIONS,
    // A test file may run a server and a browser, but waits for a good half of its time.
    maxWorkers: Math.max(4, Math.floor(availableParallelism() / 2)),
    sequence: { sequencer: LongestFirst },
    reporters: ['default', new ServicesReporter()],
    projects: [
      { extends: true, test: { name: 'alone', include: alone, exclude: LONG_TESTS } },
      // Others share workers, which saves loading the same modules for each file.
      { extends: true, test: { name: 'system', include: SYSTEM_TESTS, exclude: [...alone, ...LONG_TESTS], isolate: false } },
      { extends: true, test: { name: 'unit', include: UNIT_TESTS, exclude: [...alone, ...LONG_TESTS], isolate: false } },
      { extends: true, test: { name: 'long', include: LONG_TESTS } },
    ],
  },
})
