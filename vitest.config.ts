import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { findChromium } from './scripts/chromium.mjs'
import { hasLocalModel } from './scripts/local-model.mjs'
import { findRedis } from './scripts/redis.mjs'
import { LongestFirst } from './test/support/longest-first.ts'
import { filesThatUse, MissingServicesReporter } from './test/support/missing-services-reporter.ts'
import { isMissing, markMissing } from './test/support/services.ts'

if (!findChromium()) markMissing('Chromium', 'it is not on the PATH, CHROMIUM_PATH is not set, and it could not be installed.')
if (!findRedis() && !process.env['TEST_REDIS_URL'])
  markMissing('Redis', 'redis-server is not on the PATH, TEST_REDIS_URL is not set, and it could not be installed.')
if (!hasLocalModel()) markMissing('node-llama-cpp', 'it is not in .runtime/local-model, and could not be installed.')

export default defineConfig({
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(['Chromium', 'Redis', 'node-llama-cpp'] as const).filter(isMissing).flatMap(filesThatUse)],
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
    reporters: ['default', new MissingServicesReporter()],
  },
})
