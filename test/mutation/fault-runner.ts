// Vitest's runner in the workers of the mutation run's first phase. After the tests of a file it tries, in the same process, each fault that
// they reached: only the tests that reach it run again, until one fails, with the modules loaded once.
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { relative } from 'node:path'
import { type RunnerTask, type RunnerTestCase, type RunnerTestFile, type SerializedConfig, TestRunner, vi } from 'vitest'
import { startTests } from 'vitest/internal/browser'
import { FAULT_VARIABLE, REACHED_VARIABLE } from './insert-faults.ts'
import { type Entry, JOURNAL_VARIABLE, type Plan, PLAN_VARIABLE } from './journal.ts'

/** A test that takes longer than this and many times the longest of its file hangs. */
const MIN_LIMIT_MS = 2_500
const LIMIT_FACTOR = 4
/** Files, beside its own test, that try a fault reached while modules are loaded: nearly all reach it, and each has to load them anew. */
const MAX_LOADING_FILES = 4

/** What reaches a fault: the ids of tests, or everything in the file. */
type TestsByFault = Map<number, Set<string>>

/** What Vitest gives each runner beside its types. */
interface Internals {
  moduleRunner: ModuleRunner
  _otel: never
}

interface ModuleRunner {
  evaluatedModules: { idToModuleMap: Map<string, { promise?: unknown; exports?: unknown; evaluated: boolean; importers: Set<string> }> }
}

/** Of the fault switched on now. */
const state = { on: 0, isHit: false, rejection: undefined as string | undefined, note: undefined as ((id: number) => void) | undefined }
Object.assign(globalThis, {
  __parleyFault(id: number): boolean {
    state.note?.(id)
    if (id !== state.on) return false
    state.isHit = true
    return true
  },
})
process.on('unhandledRejection', (reason) => {
  state.rejection ??= String(reason)
})

/** Runs a file's tests again without reporting them. */
class QuietRunner extends TestRunner {
  readonly #only: ReadonlySet<string> | undefined
  #hasFailed = false

  constructor(config: SerializedConfig, only: ReadonlySet<string> | undefined) {
    super(config)
    this.#only = only
  }

  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    if (this.#hasFailed || (this.#only && !this.#only.has(test.id))) test.mode = 'skip'
    await super.onBeforeRunTask(test)
  }

  override onAfterRunTask(test: RunnerTestCase): void {
    if (test.result?.state === 'fail') this.#hasFailed = true
    super.onAfterRunTask(test)
  }
}

export default class FaultRunner extends TestRunner {
  readonly #running = new Set<string>()
  readonly #reached: TestsByFault = new Map()
  /** Faults reached outside a test: while modules are loaded, and in hooks of the whole file. */
  readonly #loading = new Set<number>()
  readonly #outside = new Set<number>()
  #isLoaded = false

  constructor(config: SerializedConfig) {
    super(config)
    process.env[REACHED_VARIABLE] = `${process.env[JOURNAL_VARIABLE]}-${process.pid}`
    state.note = (id) => {
      if (this.#running.size === 0) (this.#isLoaded ? this.#outside : this.#loading).add(id)
      for (const test of this.#running) this.#reached.set(id, (this.#reached.get(id) ?? new Set()).add(test))
    }
  }

  async onBeforeRunFiles(): Promise<void> {
    this.#isLoaded = true
  }

  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    this.#running.add(test.id)
    await super.onBeforeRunTask(test)
  }

  override onAfterRunTask(test: RunnerTestCase): void {
    this.#running.delete(test.id)
    super.onAfterRunTask(test)
  }

  // oxlint-disable-next-line typescript/no-misused-promises -- Vitest waits for it.
  override async onAfterRunFiles(files: RunnerTestFile[]): Promise<void> {
    super.onAfterRunFiles(files)
    state.note = undefined
    for (const id of reachedByChildren()) this.#outside.add(id)
    const [file] = files
    if (!file) return
    const path = relative(process.cwd(), file.filepath)
    const failures = failuresIn(file)
    const ids = new Set([...this.#reached.keys(), ...this.#loading, ...this.#outside])
    record({ file: path, is: 'reached', ids: [...ids], loading: [...this.#loading], failures, ms: file.result?.duration ?? 0 })
    if (failures.length > 0) return record({ file: path, is: 'done' })
    try {
      await this.#tryFaults(file, path)
      record({ file: path, is: 'done' })
    } catch (error) {
      record({ file: path, is: 'broken', error: String((error as Error).stack) })
    }
  }

  async #tryFaults(file: RunnerTestFile, path: string): Promise<void> {
    const plan: Plan = JSON.parse(readFileSync(process.env[PLAN_VARIABLE]!, 'utf8'))
    const { ids, own, first } = plan[path] ?? { ids: [], own: [] }
    const limitMs = Math.max(MIN_LIMIT_MS, LIMIT_FACTOR * Math.max(0, ...testsIn(file).map(({ result }) => result?.duration ?? 0)))
    const isReached = (id: number) => this.#reached.has(id) || this.#outside.has(id) || this.#loading.has(id)
    // Faults reached while loading come last: each needs all modules anew.
    const loading = this.#loading
    const rank = (id: number) => (id === first ? -1 : Number(loading.has(id)))
    const ordered = ids.filter(isReached).toSorted((one, other) => rank(one) - rank(other))
    let isFresh = true
    for (const id of ordered) {
      const entries = entriesByNow()
      if (entries.some((entry) => entry.is === 'noticed' && entry.id === id)) continue
      const tried = entries.filter((entry) => entry.is === 'unnoticed' && entry.id === id)
      if (loading.has(id) && !own.includes(id) && tried.length >= MAX_LOADING_FILES) continue
      record({ file: path, is: 'trying', id })
      const isLoading = loading.has(id)
      const only = isLoading || this.#outside.has(id) ? undefined : this.#reached.get(id)
      const isNew = isLoading
      let failures = await this.#run(file.filepath, { id, only, isNew, limitMs })
      // What a module remembers is not asked again.
      if (failures.length === 0 && !state.isHit) failures = await this.#run(file.filepath, { id, only: undefined, isNew: true, limitMs })
      if (failures.some(({ hangs }) => hangs)) failures = await this.#run(file.filepath, { id, only, isNew, limitMs })
      // Only a failure that the fault alone explains counts: without it, the same tests have to pass in the same process.
      const after = failures.length > 0 ? await this.#run(file.filepath, { id: 0, only, isNew, limitMs: 2 * limitMs }) : []
      if (after.length > 0 && !isFresh) return record({ file: path, is: 'spoiled', id })
      if (failures.length > 0) record({ file: path, is: 'noticed', id, by: failures[0]!.name })
      else record({ file: path, is: 'unnoticed', id })
      if (after.length > 0) return record({ file: path, is: 'spoiled' })
      isFresh = false
    }
  }

  async #run(
    filepath: string,
    { id, only, isNew, limitMs }: { id: number; only?: ReadonlySet<string> | undefined; isNew: boolean; limitMs: number },
  ) {
    if (isNew) this.#forgetModules()
    Object.assign(state, { on: id, isHit: false, rejection: undefined })
    process.env[FAULT_VARIABLE] = String(id)
    const runner = new QuietRunner({ ...this.config, testTimeout: limitMs, hookTimeout: limitMs }, only)
    const { moduleRunner, _otel: traces } = this as unknown as Internals
    Object.defineProperty(runner, 'moduleRunner', { value: moduleRunner })
    Object.assign(runner, { _otel: traces })
    const [file] = await startTests([filepath], runner)
    const failures = failuresIn(file!)
    if (failures.length === 0 && state.rejection !== undefined) failures.push({ name: `unhandled: ${state.rejection}`, hangs: false })
    vi.restoreAllMocks().useRealTimers().unstubAllGlobals().unstubAllEnvs()
    const wasHit = state.isHit
    if (isNew && id !== 0) this.#forgetModules()
    Object.assign(state, { on: 0, isHit: wasHit })
    process.env[FAULT_VARIABLE] = ''
    return failures
  }

  #forgetModules(): void {
    const { moduleRunner } = this as unknown as Internals
    for (const [id, node] of moduleRunner.evaluatedModules.idToModuleMap) {
      if (!id.startsWith(process.cwd()) || id.includes('/node_modules/') || id.includes('/test/mutation/')) continue
      Object.assign(node, { promise: undefined, exports: undefined, evaluated: false })
      node.importers.clear()
    }
  }
}

function record(entry: Entry): void {
  appendFileSync(process.env[JOURNAL_VARIABLE]!, `${JSON.stringify(entry)}\n`)
}

/** What this file's tests, those before and those in a parallel worker have found out. */
function entriesByNow(): Entry[] {
  const lines = readFileSync(process.env[JOURNAL_VARIABLE]!, 'utf8').split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line) as Entry)
}

function reachedByChildren(): number[] {
  const path = process.env[REACHED_VARIABLE] ?? ''
  delete process.env[REACHED_VARIABLE]
  if (!existsSync(path)) return []
  const ids = readFileSync(path, 'utf8').trim().split('\n').map(Number)
  rmSync(path)
  return ids
}

function testsIn(task: RunnerTask): RunnerTestCase[] {
  return task.type === 'test' ? [task] : task.tasks.flatMap(testsIn)
}

function failuresIn(task: RunnerTask): { name: string; hangs: boolean }[] {
  const own = (task.result?.errors ?? []).map(({ message }) => ({
    name: task.type === 'test' ? task.fullTestName : `${task.name}: ${message}`,
    hangs: /^(?:Test|Hook) timed out in /.test(message),
  }))
  return [...own, ...(task.type === 'test' ? [] : task.tasks.flatMap(failuresIn))]
}
