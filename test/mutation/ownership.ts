// `npm run test:mutation -- --ownership`: takes each condition that says whose a row is out of the queries, one at a time, in a copy of the
// sources, and expects a test to fail. What no test notices is named, and fails the run.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const STORE = 'src/server/store'
const COPIED = ['src', 'test', 'scripts', 'agents', 'knowledge', 'package.json', 'vitest.config.ts', 'tsconfig.base.json']
const LINKED = ['node_modules', 'dist/web']
/** The tests that are to notice: all that state whose things are whose. */
const TESTS = [
  'src/server/store/access.test.ts',
  'src/server/store/files.test.ts',
  'test/api/route-access.test.ts',
  'src/server/store/identities.test.ts',
  'test/api/erasure.test.ts',
  'test/api/devices.test.ts',
  'test/api/export-import.test.ts',
  'test/store/transfers.test.ts',
  'test/api/idempotency.test.ts',
  'test/store/session-feed.test.ts',
]
/** One of these in a condition says whose a row is. */
const OWNERSHIP = /\breachable\(|'(?:\w+\.)?(?:owner|visitor_id|scope)', '=', (?!')/

interface Mutant {
  file: string
  line: number
  condition: string
  /** The whole file without the condition. */
  text: string
}

/** Every `.where(…)` about ownership of the store, left out; in the condition that all share, each of its two sides; and every query that begins with it, begun without. */
function mutants(): Mutant[] {
  const files = readdirSync(join(ROOT, STORE), { encoding: 'utf8' }).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  return files.flatMap((name) => {
    const file = join(STORE, name)
    const text = readFileSync(join(ROOT, file), 'utf8')
    return [...wheresOf(text), ...sharedConditionsOf(text), ...guardedQueriesOf(text)].map(([start, condition, instead]) => ({
      file,
      line: text.slice(0, start).split('\n').length,
      condition: condition.replaceAll(/\s+/g, ' '),
      text: text.slice(0, start) + instead + text.slice(start + condition.length),
    }))
  })
}

type Cut = [start: number, condition: string, instead: string]

function wheresOf(text: string): Cut[] {
  return [...text.matchAll(/\.where\(/g)].flatMap(({ index }): Cut[] => {
    const condition = text.slice(index, endOfCall(text, index + '.where('.length))
    return OWNERSHIP.test(condition) ? [[index, condition, '']] : []
  })
}

function sharedConditionsOf(text: string): Cut[] {
  return [...text.matchAll(/query\('sessions\.(?:owner|open_by_id)', '=', [^)]+\)/g)].map(({ index, 0: condition }) => [
    index,
    condition,
    "query('sessions.id', '=', query.ref('sessions.id'))",
  ])
}

/** Queries that begin in `access.ts`, begun without its condition. */
function guardedQueriesOf(text: string): Cut[] {
  const instead = { select: 'selectFrom', update: 'updateTable' }
  return [...text.matchAll(/(?<!function )\b(select|update)Sessions\((\w+), [\w.]+\)/g)].map(({ index, 0: call, 1: kind, 2: database }) => [
    index,
    call,
    `${database}.${instead[kind as keyof typeof instead]}('sessions')`,
  ])
}

/** The offset after the parenthesis that closes the call whose arguments begin at `offset`. */
function endOfCall(text: string, offset: number): number {
  let depth = 1
  let end = offset
  for (; depth > 0; end += 1) depth += text[end] === '(' ? 1 : text[end] === ')' ? -1 : 0
  return end
}

function copyOfSources(): string {
  const copy = mkdtempSync(join(tmpdir(), 'parley-mutation-'))
  for (const name of COPIED) cpSync(join(ROOT, name), join(copy, name), { recursive: true })
  mkdirSync(join(copy, 'dist'))
  for (const name of LINKED) symlinkSync(join(ROOT, name), join(copy, name))
  return copy
}

interface Report {
  numTotalTests: number
  testResults: { assertionResults: { status: string; fullName: string }[] }[]
}

/** Names of the tests that fail in the copy. Throws when they could not run: a source that does not work proves nothing. */
async function failuresIn(copy: string): Promise<string[]> {
  const report = join(copy, 'report.json')
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--bail=1', '--reporter=json', `--outputFile=${report}`, ...TESTS]
  // The embedded database is enough: the queries are the same.
  const { CI: _, ...environment } = process.env
  const env = {
    ...environment,
    TEST_DATABASE_URL: 'unused',
    PARLEY_TEST_WITHOUT_POSTGRESQL: 'one database shows it',
    ALLOW_MISSING: 'postgresql',
  }
  const child = spawn(process.execPath, args, { cwd: copy, env, stdio: ['ignore', 'ignore', 'pipe'] })
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint = (complaint + text).slice(-4000)))
  await once(child, 'close')
  const { testResults, numTotalTests } = JSON.parse(readFileSync(report, 'utf8')) as Report
  const results = testResults.flatMap(({ assertionResults }) => assertionResults)
  if (numTotalTests === 0 || results.every(({ status }) => status !== 'passed' && status !== 'failed')) throw new Error(complaint)
  return results.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName)
}

/** Throws unless all tests hold without any change. */
async function expectSound(copy: string): Promise<void> {
  const broken = await failuresIn(copy)
  if (broken.length > 0) throw new Error(`The tests fail without any change: ${broken.join('; ')}`)
}

async function main(): Promise<number> {
  const copy = copyOfSources()
  try {
    await expectSound(copy)
    const survivors: Mutant[] = []
    for (const mutant of mutants()) {
      const original = readFileSync(join(copy, mutant.file), 'utf8')
      writeFileSync(join(copy, mutant.file), mutant.text)
      const failures = await failuresIn(copy)
      writeFileSync(join(copy, mutant.file), original)
      const place = `${relative(ROOT, join(ROOT, mutant.file))}:${mutant.line} without ${mutant.condition}`
      console.log(failures.length > 0 ? `noticed   ${place}\n            by "${failures[0]}"` : `UNNOTICED ${place}`)
      if (failures.length === 0) survivors.push(mutant)
    }
    // What made the tests fail in between may have been something else: then none of it counts.
    await expectSound(copy)
    console.log(survivors.length === 0 ? 'Every condition is held by a test.' : `${survivors.length} conditions are held by no test.`)
    return survivors.length === 0 ? 0 : 1
  } finally {
    rmSync(copy, { recursive: true })
  }
}

process.exitCode = await main()
