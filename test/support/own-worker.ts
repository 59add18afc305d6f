import { globSync, readFileSync } from 'node:fs'
import { mostlyWaits } from './waiting-files.ts'

/** What a test file changes for all that runs in its process, such as the page's stores, and what modules read as they load. */
const CHANGES =
  /\.setState\(|stubGlobal|stubPageGlobals|stubEnv|process\.env|useFakeTimers|holdTimers|setSystemTime|resetModules|vi\.(do)?mock\b/i

/**
 * Test files that need a process of their own, because they replace globals, the clock or modules, set a store, or have a priority of
 * their own. Paths start at the root.
 */
export function testsAlone(patterns: readonly string[]): string[] {
  return globSync(patterns).filter((file) => mostlyWaits(`/${file}`) || CHANGES.test(readFileSync(file, 'utf8')))
}
