import { configDefaults, defineConfig } from 'vitest/config'
import { allowedMissing } from './scripts/services.mjs'
import { LongestFirst } from './test/support/longest-first.ts'
import { ServicesReporter } from './test/support/services-reporter.ts'
import { filesThatUse, isMissing, markNotInstalled } from './test/support/services.ts'
import { testsAlone, testsOfDatabases } from './test/support/test-files.ts'
import { LONG_TESTS, SYSTEM_TESTS, TEST_OPTIONS, UNIT_TESTS } from './test/support/test-options.ts'

markNotInstalled()
/** Services that whole files need. Single tests that need others skip themselves. */
const leftOut = allowedMissing().filter((service) => ['chromium', 'redis', 'node-llama-cpp'].includes(service) && isMissing(service))
const all = [...UNIT_TESTS, ...SYSTEM_TESTS]
const alone = testsAlone(all)

const databases = process.env['TEST_DATABASES']

export default defineConfig({
  test: {
    exclude: [...configDefaults.exclude, ...leftOut.flatMap(filesThatUse)],
    ...TEST_OPTIONS,
    // A test file may run a server and a browser, but waits for a good half of its time.
    maxWorkers: 5,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', new ServicesReporter()],
    projects: [
      { extends: true, test: { name: 'alone', include: alone, exclude: LONG_TESTS } },
      // Others share workers, and with them modules, servers and a browser.
      { extends: true, test: { name: 'system', include: SYSTEM_TESTS, exclude: [...alone, ...LONG_TESTS], isolate: false } },
      { extends: true, test: { name: 'unit', include: UNIT_TESTS, exclude: [...alone, ...LONG_TESTS], isolate: false } },
      { extends: true, test: { name: 'long', include: LONG_TESTS, env: { TEST_DATABASES: databases ?? 'sqlite,postgres' } } },
      // What the others run on SQLite only.
      ...(databases === undefined
        ? [
            {
              extends: true as const,
              test: {
                name: 'postgres',
                include: testsOfDatabases(all),
                exclude: LONG_TESTS,
                env: { TEST_DATABASES: 'postgres' },
              },
            },
          ]
        : []),
    ],
  },
})
