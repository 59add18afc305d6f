// `npm run test:mutation -- <folder> [--faults 300] [--seed 1] [--fresh] [--without-servers]`: puts small faults into a copy of the sources, one at a time,
// and expects a related test to fail. Names the faults that none notices.
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { startCluster } from '../support/postgres-cluster.ts'
import { findFaults } from './find-faults.ts'
import { type Folder, folderNamed } from './folders.ts'
import { insertFaults } from './insert-faults.ts'
import { isApiTest, isOwnTest, relatedTests } from './related-tests.ts'
import { keyOf, type PlacedFault, reasonFor, type Result, Results, shortened } from './results.ts'
import { type Outcome, RunnerProcess } from './runner-process.ts'
import { sample } from './sample.ts'
import { tryInProcess } from './try-in-process.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Not copied; of these, what tests read is linked. */
const LEFT = ['.git', 'node_modules', 'dist', '.runtime']
const LINKED = ['node_modules', 'dist/web', '.runtime']
/** A run that takes longer than this and many times its usual time has met an endless loop or wait. */
const MIN_LIMIT_MS = 30_000
const LIMIT_FACTOR = 8
const BASELINE_LIMIT_MS = 30 * 60_000
/** Runs of one fault that others may have ended. */
const MAX_CUT_RUNS = 2
/** Server test files tried for one fault, the quickest first: each takes many seconds. */
const MAX_SERVER_FILES = 3

interface Baseline {
  /** Milliseconds of each test file. */
  durations: Record<string, number>
  /** Number of passed tests of each file. */
  passed: Record<string, number>
  /** Test files by the fault that they reach, the quickest first. */
  reaching: Map<number, string[]>
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      faults: { type: 'string', default: '300' },
      seed: { type: 'string', default: '1' },
      fresh: { type: 'boolean', default: false },
      'without-servers': { type: 'boolean', default: false },
    },
  })
  const name = positionals[0] ?? ''
  const folder = folderNamed(name)
  const faults = sampleOf(folder, Number(values.faults), Number(values.seed))
  const copy = copyOfSources(faults)
  const cluster = await startCluster()
  const env = { ...process.env, TEST_DATABASE_URL: cluster.url, ALLOW_MISSING: 'postgresql' }
  const runner = new RunnerProcess(copy, env)
  const end = () => {
    runner.stop()
    // Its folder is removed by the next run of tests.
    process.kill(cluster.pid, 'SIGQUIT')
    rmSync(copy, { recursive: true, force: true })
  }
  process
    .once('SIGINT', () => process.exit(130))
    .once('SIGTERM', () => process.exit(143))
    .once('exit', end)
  const results = new Results(ROOT, name)
  const found = new Map<PlacedFault, Result>()
  const settle = (fault: PlacedFault, result: Result) => {
    results.set(fault.key, result)
    found.set(fault, result)
    console.log(
      `${String(found.size).padStart(4)}  ${result.outcome.padEnd(11)}  ${describeFault(fault)}${result.by ? `  (${result.by})` : ''}`,
    )
  }
  for (const fault of faults) {
    const known = values.fresh ? undefined : results.noticed(fault.key)
    if (known) settle(fault, known)
  }
  const tests = relatedTests(ROOT, folder)
  const inProcess = tests.filter((file) => !isApiTest(file))
  const onServers = values['without-servers'] ? [] : tests.filter(isApiTest)
  console.log(`${faults.length} faults in ${folder.sources.join(' and ')}, ${inProcess.length + onServers.length} test files.`)
  const open = () => faults.filter((fault) => !found.has(fault))
  const isOwn = (file: string) => isOwnTest(folder.sources, file)
  const groups = [inProcess.filter(isOwn), inProcess.filter((file) => !isOwn(file))]
  const { outcomes } = await tryInProcess(copy, env, {
    faults: new Map([...Map.groupBy(open(), ({ file }) => file)].map(([file, own]) => [file, own.map(({ id }) => id)])),
    groups,
    onNoticed: (id, by) => settle(faults[id - 1]!, { outcome: 'noticed', by }),
  })
  const hung = open().filter(({ id }) => outcomes.get(id) === 'hung')
  const baseline = await runBaseline(runner, copy, [...(hung.length > 0 ? inProcess : []), ...onServers])
  const ofServersOnly = withoutFiles(baseline, inProcess)
  for (const fault of open()) {
    // What the process could not finish is tried again with a limit of time; everything else has met its tests there.
    const ofServers = await tryFault(runner, fault, hung.includes(fault) ? baseline : ofServersOnly)
    settle(fault, ofServers.outcome === 'not reached' && outcomes.has(fault.id) ? { outcome: 'unnoticed' } : ofServers)
  }
  const code = report(
    folder,
    faults.map((fault) => [fault, found.get(fault)!]),
  )
  // Tests that fail by themselves would have noticed anything.
  await runBaseline(runner, copy, onServers)
  return code
}

/** A sample of all faults in the folders, in the order of their files. */
function sampleOf({ sources }: Folder, count: number, seed: number): PlacedFault[] {
  const files = sources
    .flatMap((folder) => globSync(`src/${folder}/**/*.{ts,tsx}`, { cwd: ROOT }))
    .filter((file) => !/\.test\.tsx?$|\.d\.ts$/.test(file))
  const all = files.toSorted().flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8')
    return findFaults(file, text).map((fault) => ({
      ...fault,
      file,
      key: keyOf(file, fault, text),
      line: text.slice(0, fault.start).split('\n').length,
      original: text.slice(fault.start, fault.form === 'body' ? text.indexOf('\n', fault.start + 1) : fault.end),
    }))
  })
  const chosen = new Set(sample(all, count, seed))
  return all.filter((fault) => chosen.has(fault)).map((fault, index) => ({ ...fault, id: index + 1 }))
}

/** The sources with all faults in them, none of them switched on. */
function copyOfSources(faults: readonly PlacedFault[]): string {
  const copy = mkdtempSync(join(tmpdir(), 'parley-mutation-'))
  for (const name of readdirSync(ROOT).filter((entry) => !LEFT.includes(entry)))
    cpSync(join(ROOT, name), join(copy, name), { recursive: true })
  mkdirSync(join(copy, 'dist'))
  for (const name of LINKED.filter((path) => existsSync(join(ROOT, path)))) symlinkSync(join(ROOT, name), join(copy, name))
  for (const [file, own] of Map.groupBy(faults, (fault) => fault.file)) {
    writeFileSync(join(copy, file), insertFaults(readFileSync(join(ROOT, file), 'utf8'), own))
  }
  return copy
}

/** Servers run on the embedded database alone, since nearly all queries are the same and each takes seconds. */
const databasesOf = (files: string[]) => (files.some(isApiTest) ? 'embedded' : 'both')

async function runBaseline(runner: RunnerProcess, copy: string, files: string[]): Promise<Baseline> {
  const reachedIn = mkdtempSync(join(copy, 'reached-'))
  const durations: Record<string, number> = {}
  const passed: Record<string, number> = {}
  for (const group of [files.filter((file) => !isApiTest(file)), files.filter(isApiTest)].filter(({ length }) => length > 0)) {
    const outcome = await runner.run({ files: group, databases: databasesOf(group), reachedIn }, BASELINE_LIMIT_MS)
    const { failures, isTimedOut } = outcome
    if (isTimedOut || failures.length > 0) throw new Error(`Tests fail without a fault: ${failures.join('; ') || 'they take too long'}`)
    Object.assign(durations, outcome.durations)
    Object.assign(passed, outcome.passed)
  }
  const reaching = new Map<number, string[]>()
  for (const name of readdirSync(reachedIn)) {
    const file = relative(copy, decodeURIComponent(name))
    for (const id of readFileSync(join(reachedIn, name), 'utf8').trim().split('\n').map(Number)) {
      reaching.set(id, [...new Set([...(reaching.get(id) ?? []), file])])
    }
  }
  for (const list of reaching.values()) list.sort((one, other) => (durations[one] ?? 0) - (durations[other] ?? 0))
  return { durations, passed, reaching }
}

function withoutFiles({ reaching, ...rest }: Baseline, left: readonly string[]): Baseline {
  return { ...rest, reaching: new Map([...reaching].map(([id, files]) => [id, files.filter((file) => !left.includes(file))])) }
}

/** Runs the tests that reach the fault until one fails: those without a server together, then the quickest of the others one by one. */
async function tryFault(runner: RunnerProcess, { id }: PlacedFault, { durations, passed, reaching }: Baseline): Promise<Result> {
  const files = reaching.get(id) ?? []
  if (files.length === 0) return { outcome: 'not reached' }
  const inProcess = files.filter((file) => !isApiTest(file))
  const onServers = files.filter(isApiTest).slice(0, MAX_SERVER_FILES)
  for (const group of [inProcess, ...onServers.map((file) => [file])].filter(({ length }) => length > 0)) {
    const usualMs = group.reduce((sum, file) => sum + (durations[file] ?? 0), 0)
    const limitMs = Math.max(MIN_LIMIT_MS, usualMs * LIMIT_FACTOR)
    const run = (factor: number) =>
      runner.run({ files: group, databases: databasesOf(group), fault: id, testLimitMs: (factor * limitMs) / 2 }, factor * limitMs)
    const isCut = (outcome: Outcome) =>
      outcome.failures.length === 0 && group.some((file) => (outcome.passed[file] ?? 0) < (passed[file] ?? 0))
    const first = await run(1)
    // A busy machine is slow too, so only the second time counts.
    let outcome = first.isTimedOut || first.hangs ? await run(2) : first
    // What a run cancels at its first failure may end the next one.
    for (let tries = 0; tries < MAX_CUT_RUNS && isCut(outcome) && !outcome.isTimedOut; tries += 1) outcome = await run(2)
    const { failures, isTimedOut } = outcome
    if (isTimedOut) return { outcome: 'timed out' }
    if (failures.length > 0) return { outcome: 'noticed', by: failures[0] }
  }
  return { outcome: 'unnoticed' }
}

function describeFault({ file, line, kind, original }: PlacedFault): string {
  return `${file}:${line} ${kind}: ${shortened(original)}`
}

/** Prints the score and the survivors. Resolves with 1 if one of these is not in accepted-faults.json. */
function report({ sources }: Folder, found: [PlacedFault, Result][]): number {
  const survivors = found.filter(([, { outcome }]) => outcome !== 'noticed')
  const noticed = found.length - survivors.length
  console.log(`\n${sources.join(' and ')}: ${noticed} of ${found.length} faults noticed (${Math.round((100 * noticed) / found.length)} %).`)
  const open = survivors.filter(([fault]) => reasonFor(fault) === undefined)
  for (const [fault] of survivors.filter((entry) => !open.includes(entry)))
    console.log(`  accepted: ${describeFault(fault)}\n    ${reasonFor(fault)}`)
  for (const [fault, { outcome }] of open)
    console.log(`  ${outcome}: ${describeFault(fault)}\n    instead: ${shortened(fault.instead) || 'nothing'}`)
  return open.length > 0 ? 1 : 0
}

process.exitCode = await main()
process.exit()
