import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Figure, withinBound } from './support/measurement.ts'
import { ROOT } from './support/processes.ts'
import { sum } from './support/statistics.ts'

const BOUND_LINES = 85_000

/** Lines of `src` without tests. */
export const sourceSize: Figure = {
  name: 'source-size',
  async measure() {
    const files = globSync('src/**/*.{ts,tsx}', { cwd: ROOT }).filter((file) => !file.includes('.test.'))
    const lines = sum(files.map((file) => readFileSync(join(ROOT, file), 'utf8').split('\n').length - 1))
    return [withinBound('lines of src without tests', lines, BOUND_LINES, (value) => value.toLocaleString('en'))]
  },
}
