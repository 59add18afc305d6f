import { constants, setPriority } from 'node:os'
import { expect } from 'vitest'
import { mostlyWaits } from './waiting-files.ts'

// Tests with time limits come first, because the product keeps these limits only on a machine that isn't overloaded. Concurrent tests
// with browsers and servers merely take longer.
if (!mostlyWaits(expect.getState().testPath ?? '')) setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
