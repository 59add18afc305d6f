// A process of the mutation run: runs test files in this folder with one fault switched on, as often as it is asked to.
import { createVitest, type Reporter } from 'vitest/node'
import { FAULT_VARIABLE } from './insert-faults.ts'

export interface Request {
  files: string[]
  /** None for a run of the sources as they are. */
  fault: number | undefined
  /** Folder for lists of the faults that each file reaches. */
  reachedIn: string | undefined
  /** Whether to stop at the first failure. */
  bail: boolean
}

export interface Answer {
  failures: string[]
  /** Milliseconds of each file. */
  durations: Record<string, number>
}

/** What the run under way has reported: Vitest's own state holds earlier runs too. */
let current: Answer = { failures: [], durations: {} }

const recorder: Reporter = {
  onTestCaseResult(testCase) {
    if (testCase.result().state === 'failed') current.failures.push(testCase.fullName)
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

const vitest = await createVitest({
  watch: false,
  maxWorkers: 2,
  reporters: [recorder],
  setupFiles: ['test/mutation/record-reached.ts', 'test/support/priority.ts'],
})

process.on('message', ({ files, fault, reachedIn, bail }: Request) => {
  process.env[FAULT_VARIABLE] = fault === undefined ? '' : String(fault)
  process.env['PARLEY_MUTATION_REACHED_IN'] = reachedIn ?? ''
  for (const { config } of vitest.projects) config.bail = bail ? 1 : 0
  vitest.config.bail = bail ? 1 : 0
  run(files).then(
    (answer) => process.send?.(answer),
    (error: unknown) => process.send?.({ failures: [`The run failed: ${String(error)}`], durations: {} } satisfies Answer),
  )
})
process.on('disconnect', () => process.exit())
process.send?.('ready')

async function run(files: string[]): Promise<Answer> {
  current = { failures: [], durations: {} }
  await vitest.runTestSpecifications(await vitest.globTestSpecifications(files))
  return current
}
