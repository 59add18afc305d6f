import { globSync, readFileSync } from 'node:fs'

/** Signs of a test file that changes something for all that runs in its process. */
const CHANGES =
  /\.setState\(|stubGlobal|stubPageGlobals|stubEnv|delete process\.env|process\.env(\[.+\])? \??\??= |useFakeTimers|holdTimers|setSystemTime|resetModules|vi\.(do)?mock\b/i

/** Test files that need a process of their own, because they replace globals, the clock or modules, or set a store. */
export const testsAlone = (patterns: readonly string[]): string[] => filesWith(patterns, CHANGES)

/** Test files that the project `postgres` runs again. */
export const testsOfDatabases = (patterns: readonly string[]): string[] => filesWith(patterns, /\bDATABASES\b/)

function filesWith(patterns: readonly string[], content: RegExp): string[] {
  return globSync(patterns).filter((file) => content.test(readFileSync(file, 'utf8')))
}
