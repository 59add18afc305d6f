import { globSync, readFileSync } from 'node:fs'
import { UNIT_TESTS } from './test-options.ts'

/** What a test file changes for all that runs in its process, and what modules read as they load. */
const CHANGES = /stubGlobal|stubPageGlobals|stubEnv|process\.env|useFakeTimers|holdTimers|setSystemTime|resetModules|vi\.(do)?mock\b/i

/** Unit tests that need a process of their own, because they replace globals, the clock or modules. Paths start at the root. */
export function unitTestsAlone(): string[] {
  return globSync(UNIT_TESTS).filter((file) => CHANGES.test(readFileSync(file, 'utf8')))
}
