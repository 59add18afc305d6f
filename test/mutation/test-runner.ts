// A process of the mutation run: runs test files in this folder with one fault switched on, as often as it is asked to.
import { createVitest, type Reporter } from 'vitest/node'
import { markFound, markMissing, markNotInstalled } from '../support/services.ts'
import { SYSTEM_TESTS, TEST_OPTIONS, UNIT_TESTS } from '../support/test-options.ts'
import { FAULT_VARIABLE } from './insert-faults.ts'

export interface Request {
  files: string[]
  /** What tests of every database run on. */
  databases: 'embedded' | 'both'
  /** The fault to switch on; the run stops at the first failure. None for a run of the sources as they are. */
  fault?: number
  /** Folder for lists of the faults that each file reaches. */
  reachedIn?: string
  /** Fails tests that take longer. */
  testLimitMs?: number
}

export interface Answer {
  failures: string[]
  /** Whether a test failed because it took too long. */
  hangs: boolean
  /** Milliseconds of each file. */
  durations: Record<string, number>
  /** Number of passed tests of each file. */
  passed: Record<string, number>
}

/** Vitest's message of a test or hook that took too long. */
const TIMED_OUT = /^(?:Test|Hook) timed out in /

/** What the run under way has reported: Vitest's own state holds earlier runs too. */
let current = emptyAnswer()

const recorder: Reporter = {
  onTestCaseResult(testCase) {
    const { state, errors = [] } = testCase.result()
    const file = testCase.module.relativeModuleId
    if (state === 'passed') current.passed[file] = (current.passed[file] ?? 0) + 1
    if (state === 'failed') current.failures.push(testCase.fullName)
    if (errors.some(({ message }) => TIMED_OUT.test(message))) current.hangs = true
  },
  onTestModuleEnd(module) {
    const { duration, collectDuration } = module.diagnostic()
    current.durations[module.relativeModuleId] = duration + collectDuration
    for (const error of module.errors()) current.failures.push(`${module.relativeModuleId}: ${error.message}`)
  },
  onTestSuiteResult(suite) {
    for (const error of suite.errors()) current.failures.push(`${suite.fullName}: ${error.message}`)
  },
  onTestRunEnd(_, unhandledErrors) {
    for (const error of unhandledErrors) current.failures.push(`unhandled: ${error.message}`)
  },
}

markNotInstalled()
const vitest = await createVitest({
  // Every file has a process of its own here, unlike in `npm test`.
  config: false,
  watch: false,
  ...TEST_OPTIONS,
  include: [...UNIT_TESTS, ...SYSTEM_TESTS],
  // With this argument, workers try the faults themselves.
  // They need no built server, and the run has started PostgreSQL.
  ...(process.argv.includes('with-faults') && { runner: 'test/mutation/fault-runner.ts', globalSetup: [] }),
  maxWorkers: 2,
  reporters: [recorder],
})

const limits = { testTimeout: vitest.config.testTimeout, hookTimeout: vitest.config.hookTimeout }

process.on('message', ({ files, databases, fault, reachedIn, testLimitMs }: Request) => {
  process.env[FAULT_VARIABLE] = fault === undefined ? '' : String(fault)
  process.env['PARLEY_MUTATION_REACHED_IN'] = reachedIn ?? ''
  if (databases === 'embedded') markMissing('postgresql', 'one database shows it')
  else markFound('postgresql')
  const own = testLimitMs === undefined ? limits : { testTimeout: testLimitMs, hookTimeout: testLimitMs }
  for (const config of [vitest.config, ...vitest.projects.map((project) => project.config)]) {
    Object.assign(config, own, { bail: fault === undefined ? 0 : 1 })
  }
  run(files).then(
    (answer) => process.send?.(answer),
    (error: unknown) => process.send?.({ ...emptyAnswer(), failures: [`The run failed: ${String(error)}`] } satisfies Answer),
  )
})
process.on('disconnect', () => process.exit())
process.send?.('ready')

async function run(files: string[]): Promise<Answer> {
  current = emptyAnswer()
  await vitest.runTestSpecifications(await vitest.globTestSpecifications(files))
  return current
}

function emptyAnswer(): Answer {
  return { failures: [], hangs: false, durations: {}, passed: {} }
}
