/** How tests run. */
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
/**
 * Tests that wait for faults to pass, need large samples or start many processes. `npm test` leaves them out; CI runs them, and
 * `npm run test:long` on larger samples (`LONG_TESTS`).
 */
export const LONG_TESTS = [
  'test/faults/**/*.test.ts',
  'test/api/{backup,deletion-races,existence-oracle,openapi-fuzz,several,storage}.test.ts',
  'test/e2e/{accessibility,console-walk,live,my-data,staff-reading}.test.ts',
  'test/eval.test.ts',
  'src/server/sources/{held-pages,sources}.test.ts',
]
