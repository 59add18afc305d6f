import { constants, setPriority } from 'node:os'
import { expect } from 'vitest'
import { mostlyWaits } from './waiting-files.ts'

// What waits has promises with a time in them, which the product keeps on a machine that is not itself kept from running. The tests
// beside it, with their browsers and servers, only take longer.
if (!mostlyWaits(expect.getState().testPath ?? '')) setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
