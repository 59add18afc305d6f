import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Entry, JOURNAL_VARIABLE, type Plan, PLAN_VARIABLE } from './journal.ts'
import type { Result } from './results.ts'
import { RunnerProcess } from './runner-process.ts'

/** A worker that finds nothing out for so long has met an endless loop. */
const STILL_MS = 150_000
const POLL_INTERVAL_MS = 1_000
const RUN_LIMIT_MS = 60 * 60_000

interface Tries {
  /** Ids of the faults by their source file. */
  faults: ReadonlyMap<string, readonly number[]>
  groups: string[][]
  /** Called as soon as a test has failed because of the fault. */
  onNoticed: (id: number, by: string) => void
}

export interface InProcess {
  /** By fault. One that is in none of them was reached by no test. `hung` was not decided. */
  outcomes: Map<number, Result | 'hung'>
  /** Milliseconds of all tests of a file. */
  durations: Map<string, number>
}

/** Tries the faults with the test files that need no server, each file in one process. Files of the first group come first. */
export async function tryInProcess(copy: string, env: NodeJS.ProcessEnv, { faults, groups, onNoticed }: Tries): Promise<InProcess> {
  const journal = join(copy, 'journal')
  const planFile = join(copy, 'plan')
  writeFileSync(journal, '{"file":"","is":"done"}\n')
  const ids = [...faults.values()].flat()
  const ownOf = (file: string) => ['.ts', '.tsx'].flatMap((ending) => faults.get(file.replace(/\.test\.tsx?$/, ending)) ?? [])
  const hung = new Set<number>()
  let told = 0
  for (const group of groups) {
    let left = group
    const first = new Map<string, number>()
    while (left.length > 0) {
      const before = readEntries(journal)
      const noticed = new Set(before.flatMap((entry) => (entry.is === 'noticed' ? entry.id : [])))
      const open = (file: string) => {
        const tried = new Set(before.flatMap((entry) => (entry.file === file && entry.is === 'unnoticed' ? entry.id : [])))
        return ids.filter((id) => !noticed.has(id) && !hung.has(id) && !tried.has(id))
      }
      const plan: Plan = Object.fromEntries(left.map((file) => [file, { ids: open(file), own: ownOf(file), first: first.get(file) }]))
      writeFileSync(planFile, JSON.stringify(plan))
      await runOnce(copy, { ...env, [JOURNAL_VARIABLE]: journal, [PLAN_VARIABLE]: planFile }, left, () => {
        for (const entry of readEntries(journal).slice(told)) {
          told += 1
          if (entry.is === 'noticed') onNoticed(entry.id, entry.by)
        }
        return told
      })
      const found = readEntries(journal).slice(before.length)
      const broken = found.flatMap((entry) =>
        entry.is === 'reached' && entry.failures.length > 0 ? `${entry.file}: ${entry.failures[0]!.name}` : [],
      )
      if (broken.length > 0) throw new Error(`Tests fail without a fault: ${broken.join('; ')}`)
      for (const entry of found)
        if (entry.is === 'broken') throw new Error(`The faults could not be tried with ${entry.file}: ${entry.error}`)
      left = left.filter((file) => {
        const own = found.filter((entry) => entry.file === file)
        const last = own.at(-1)
        const spoiled = own.findLast((entry) => entry.is === 'spoiled')
        first.delete(file)
        if (spoiled?.id !== undefined) first.set(file, spoiled.id)
        if (last?.is === 'trying') hung.add(last.id)
        return last?.is !== 'done' || spoiled !== undefined
      })
    }
  }
  const entries = readEntries(journal)
  const outcomes: InProcess['outcomes'] = new Map()
  for (const entry of entries) {
    if (entry.is === 'reached') for (const id of entry.ids) if (!outcomes.has(id)) outcomes.set(id, { outcome: 'unnoticed' })
    if (entry.is === 'noticed') outcomes.set(entry.id, { outcome: 'noticed', by: entry.by })
  }
  for (const id of hung) if (outcomes.get(id) === undefined || isUnnoticed(outcomes.get(id))) outcomes.set(id, 'hung')
  rmSync(planFile)
  return { outcomes, durations: new Map(entries.flatMap((entry) => (entry.is === 'reached' ? [[entry.file, entry.ms] as const] : []))) }
}

const isUnnoticed = (result: Result | 'hung' | undefined) => result !== 'hung' && result?.outcome === 'unnoticed'

/** Runs the files until they are done, or until `look`, which returns the number of entries, has found no new one for long. */
async function runOnce(copy: string, env: NodeJS.ProcessEnv, files: string[], look: () => number): Promise<void> {
  const runner = new RunnerProcess(copy, env, ['with-faults'])
  const ended = new AbortController()
  const run = runner.run({ files, databases: 'both' }, RUN_LIMIT_MS).finally(() => ended.abort())
  const watch = async () => {
    let seen = 0
    for (let at = Date.now(); Date.now() - at < STILL_MS && !ended.signal.aborted; await delay(POLL_INTERVAL_MS)) {
      const now = look()
      if (now !== seen) at = Date.now()
      seen = now
    }
  }
  await Promise.race([run, watch()])
  look()
  runner.stop()
}

function readEntries(journal: string): Entry[] {
  if (!existsSync(journal)) return []
  return readFileSync(journal, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Entry)
}
