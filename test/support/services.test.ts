import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { allowedMissing } from '../../scripts/services.mjs'
import { isMissing, markMissing, missingServicesMessage } from './services.ts'

const ROOT = join(import.meta.dirname, '../..')

describe('a run that needs services', () => {
  const before = { ...process.env }
  afterEach(() => (process.env = { ...before }))

  test('names all missing ones in one sentence, with the setting that allows it', () => {
    for (const name of Object.keys(process.env)) if (name.startsWith('PARLEY_TEST_WITHOUT_')) delete process.env[name]
    expect(missingServicesMessage(['redis', 'node-llama-cpp'], [])).toBeUndefined()
    markMissing('redis', 'no redis-server')
    markMissing('node-llama-cpp', 'not installed')
    expect(isMissing('node-llama-cpp')).toBe(true)
    expect(missingServicesMessage(['chromium'], [])).toBeUndefined()
    expect(missingServicesMessage(['redis', 'node-llama-cpp'], ['tmpfs'])).toBe(
      'These tests need redis (no redis-server) and node-llama-cpp (not installed): install what is missing, or set ' +
        'ALLOW_MISSING=tmpfs,redis,node-llama-cpp to run without the tests that need it.',
    )
    expect(missingServicesMessage(['redis', 'node-llama-cpp'], ['redis', 'node-llama-cpp'])).toBeUndefined()
  })

  test('accepts only the names of services that may be missing', () => {
    expect(allowedMissing({})).toEqual([])
    expect(allowedMissing({ ALLOW_MISSING: 'redis, chromium' })).toEqual(['redis', 'chromium'])
    expect(() => allowedMissing({ ALLOW_MISSING: 'Redis' })).toThrow(/"Redis", which is not a service/)
  })
})

describe.concurrent('without Chromium', () => {
  test('a run that needs it fails in one sentence, before any test', async () => {
    const { code, errors, output } = await runVitest(['test/e2e/agents.test.ts', UNIT_TEST])
    expect(errors).toMatch(/^These tests need chromium \([^\n]+ALLOW_MISSING=chromium [^\n]+\.\n$/)
    expect(code).toBe(1)
    expect(output).not.toContain('passed')
  })

  test('a run that may lack it skips those tests, and names them', async () => {
    const { code, output } = await runVitest(['test/e2e/agents.test.ts', UNIT_TEST], { ALLOW_MISSING: 'chromium' })
    expect(output).toMatch(/Test Files\s+1 passed[^]*without chromium[^]*test\/e2e\/agents\.test\.ts/)
    expect(code).toBe(0)
  })

  test('a run that does not need it passes', async () => {
    const { code, output } = await runVitest([UNIT_TEST])
    expect(output).toMatch(/Test Files\s+1 passed/)
    expect(code).toBe(0)
  })
})

const UNIT_TEST = 'src/server/limits/steady-clock.test.ts'

/** Runs Vitest with only Node's folder on the PATH. */
function runVitest(files: string[], settings: Record<string, string> = {}) {
  const env = {
    PATH: dirname(process.execPath),
    HOME: process.env['HOME'],
    PLAYWRIGHT_BROWSERS_PATH: '/none',
    TEST_DATABASE_URL: process.env['TEST_DATABASE_URL'],
    NO_COLOR: '1',
    ...settings,
  }
  return new Promise<{ code: number; output: string; errors: string }>((resolve) => {
    const child = execFile(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...files], { cwd: ROOT, env }, (_, output, errors) =>
      resolve({ code: child.exitCode ?? 1, output, errors }),
    )
  })
}
