import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findChromium } from '../scripts/chromium.mjs'
import { installed } from './support/installed.ts'
import { type Figure, type Measurement, reachesBound } from './support/measurement.ts'
import { type Processes, withProcesses } from './support/processes.ts'
import { median } from './support/statistics.ts'

/** Points out of 100. */
const BOUNDS = { performance: 95, accessibility: 100, 'best-practices': 100 }
type Category = keyof typeof BOUNDS
const CATEGORIES = Object.keys(BOUNDS) as Category[]
/** Other work on the machine lowers the scores; Lighthouse recommends the median of five runs. */
const RUNS = 5
const FLAGS = '--headless=new --no-sandbox --disable-gpu'
const LIMIT_MS = 120_000

/** Lighthouse scores of the first visit with its defaults: a simulated mid-range phone on a slow connection. */
export const lighthouse: Figure = {
  name: 'lighthouse',
  measure: () =>
    withProcesses(async (processes) => {
      const program = join(await installed('lighthouse'), 'node_modules/lighthouse/cli/index.js')
      const parley = await processes.parley({ dataDirectory: processes.folder() })
      const runs: Record<Category, number>[] = []
      for (let run = 0; run < RUNS; run += 1) runs.push(await pointsOf(program, parley.url, processes))
      return CATEGORIES.map((category): Measurement => {
        const points = median(runs.map((run) => run[category]))
        return reachesBound(`Lighthouse, ${category}`, points, BOUNDS[category], (value) => value.toFixed(0))
      })
    }),
}

async function pointsOf(program: string, url: string, processes: Processes): Promise<Record<Category, number>> {
  const report = join(processes.folder(), 'report.json')
  const wanted = [
    `--only-categories=${CATEGORIES.join()}`,
    '--output=json',
    `--output-path=${report}`,
    `--chrome-flags=${FLAGS}`,
    '--quiet',
  ]
  const env = { ...process.env, CHROME_PATH: findChromium() ?? '' }
  await promisify(execFile)(process.execPath, [program, url, ...wanted], { env, timeout: LIMIT_MS })
  const { categories } = JSON.parse(await readFile(report, 'utf8')) as { categories: Record<Category, { score: number | null }> }
  return Object.fromEntries(
    CATEGORIES.map((category) => {
      const { score } = categories[category]
      if (score === null) throw new Error(`Lighthouse could not judge ${category}.`)
      return [category, score * 100]
    }),
  ) as Record<Category, number>
}
