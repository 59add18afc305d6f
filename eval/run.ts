// `parley eval`: see USAGE in options.ts, and eval/README.md. Exits with 1 below the threshold, and with 2 for invalid input.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { prepareEnvironment, readSettings, SettingsError } from '../src/server/config/config.ts'
import type { Measure } from './measure.ts'
import { askSet, NotStarted } from './ask-set.ts'
import type { Case } from '../src/server/insights/evaluation/cases.ts'
import { readCases, SetError } from './read-cases.ts'
import { costLine, estimateRun } from './cost.ts'
import { type EvalOptions, readOptions, SHIPPED_SET, USAGE, UsageError } from './options.ts'
import { jsonOf, junitOf, lookUpTable, lookUpTotals, tableOf, totalsOf } from './report.ts'
import { lookUpCases } from './retrieval-cases.ts'

const say = (line: string) => {
  process.stdout.write(`${line}\n`)
}
const warn = (line: string) => {
  process.stderr.write(`${line}\n`)
}

try {
  prepareEnvironment()
  process.exitCode = await run(readOptions(process.argv.slice(2), process.env))
} catch (error) {
  const isMistake = [UsageError, SetError, SettingsError].some((kind) => error instanceof kind)
  if (!isMistake && !(error instanceof NotStarted)) throw error
  warn(error instanceof Error ? error.message : String(error))
  process.exitCode = isMistake ? 2 : 1
}

async function run(options: EvalOptions): Promise<number> {
  switch (options.mode) {
    case 'help':
      say(USAGE)
      return 0
    case 'retrieval':
      return options.file === null ? measureInCheckout(options) : lookUpSet(options, options.file)
    case 'ask':
      return ask(options)
    default:
      return measureInCheckout(options)
  }
}

/** Measurements on sets that only a checkout has. */
async function measureInCheckout(options: EvalOptions): Promise<number> {
  const file = new URL('./measure.ts', import.meta.url)
  if (!existsSync(file)) throw new UsageError('The archive and the image ask sets of your own; this one needs a checkout.')
  const { measure } = (await import(file.href)) as { measure: Measure }
  return measure(options, say)
}

async function lookUpSet({ json, threshold }: EvalOptions, file: string): Promise<number> {
  const found = await lookUpCases(readSet(file), readSettings(), warn)
  if (found.length === 0) throw new SetError(`${file}: no case expects a source, so there is nothing to look up`)
  say(lookUpTable(found))
  if (json !== null) writeFileSync(json, `${JSON.stringify({ set: file, totals: lookUpTotals(found), prompts: found }, null, 2)}\n`)
  return lookUpTotals(found).right >= threshold ? 0 : 1
}

async function ask(options: EvalOptions): Promise<number> {
  const file = options.file ?? SHIPPED_SET
  const set = relative('.', file)
  const cases = readSet(file)
  const settings = readSettings()
  checkJudging(cases, options)
  const repeats = options.repeat * (options.against === null ? 1 : 2)
  say(`${cases.length} cases of ${set}${options.repeat > 1 ? `, ${options.repeat} times each` : ''}`)
  say(costLine(estimateRun(cases, settings, { repeat: repeats, judge: options.skipsJudging ? null : options.judge })))
  if (options.estimateOnly) return 0
  const results = await askSet(cases, settings, options, warn)
  say(tableOf(results))
  if (options.json !== null) writeFileSync(options.json, jsonOf(set, results))
  if (options.junit !== null) writeFileSync(options.junit, junitOf(set, results))
  // Only the configured model decides the exit code, not the one it is compared with.
  const [configured] = results
  return configured && totalsOf(configured).right >= options.threshold ? 0 : 1
}

function readSet(file: string): Case[] {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    throw new SetError(`${file}: the set cannot be read`)
  }
  return readCases(text, relative('.', file))
}

/** Rejects rubrics without a grader, which would pass unnoticed. */
function checkJudging(cases: readonly Case[], { judge, skipsJudging }: EvalOptions): void {
  const rubrics = cases.flatMap(({ turns }) => turns).filter((turn) => turn.judge).length
  if (rubrics > 0 && judge === null && !skipsJudging)
    throw new UsageError(`${rubrics} answers need a grade: name a model with --judge or EVAL_JUDGE_MODEL, or pass --no-judge.`)
}
