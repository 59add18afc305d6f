/** How tests run. */
export const TEST_OPTIONS = {
  globalSetup: ['test/support/global-setup.ts'],
  pool: 'forks' as const,
  // Only ends tests that hang.
  testTimeout: 600_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 300_000 } },
}

export const UNIT_TESTS = ['src/**/*.test.{ts,tsx}']
export const SYSTEM_TESTS = ['test/**/*.test.ts']
/** Tests that `npm test` leaves out, with their reasons in CONTRIBUTING.md; `npm run test:long` runs these on larger samples (`LONG_TESTS`). */
export const LONG_TESTS = [
  'test/faults/**/*.test.ts',
  'test/api/{backup,client-package,deletion-races,existence-oracle,idle,key-change,move,openai-python,openapi-fuzz,other-tools,proxies,schemathesis,sentinel,sdk-versions,several,storage}.test.ts',
  'test/e2e/{accessibility,agents,ai-sdk,anywhere,approval,client-builds,console-*,diagrams,embed-hosts,embed-named,embed-pages,language,live,local-model,my-data,personal-data,policy,proof-of-work,queue,reports,staff-reading,versions}.test.ts',
  'test/{bundle,eval,launch,manual,release}.test.ts',
  'test/support/services.test.ts',
  'src/server/models/local/local-runtime.test.ts',
  'src/server/knowledge/embeddings/local/local-embedding.test.ts',
  'src/server/knowledge/{scans,searched-by-meaning}.test.ts',
  'src/server/knowledge/websites/{held-pages,sources,whole-site}.test.ts',
  'src/server/knowledge/websites/reading/draw-page.test.ts',
]
