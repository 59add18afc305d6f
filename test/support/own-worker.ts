import { globSync, readFileSync } from 'node:fs'
import { UNIT_TESTS } from './test-options.ts'

/** What a test file changes for all that runs in its process, such as the page's stores, and what modules read as they load. */
const CHANGES =
  /\.setState\(|stubGlobal|stubPageGlobals|stubEnv|process\.env|useFakeTimers|holdTimers|setSystemTime|resetModules|vi\.(do)?mock\b/i

/** Unit tests that need a process of their own, because they replace globals, the clock or modules, or set a store. Paths start at the root. */
export function unitTestsAlone(): string[] {
  return globSync(UNIT_TESTS).filter((file) => CHANGES.test(readFileSync(file, 'utf8')))
}
