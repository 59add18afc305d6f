/** How tests run, in `npm test` and in the mutation run. */
export const TEST_OPTIONS = {
  globalSetup: ['test/support/global-setup.ts'],
  setupFiles: ['test/support/priority.ts'],
  pool: 'forks' as const,
  // Only ends tests that hang.
  testTimeout: 180_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
}

export const UNIT_TESTS = ['src/**/*.test.{ts,tsx}']
export const SYSTEM_TESTS = ['test/**/*.test.ts']
