import type { Reporter, TestSpecification } from 'vitest/node'
import { filesThatUse, missingReason, recordNeeded, SERVICES } from './services.ts'

/** Records which services a run needs, before the global setup, and at its end names the test files that missing ones left out or shortened. */
export class ServicesReporter implements Reporter {
  onTestRunStart(specifications: readonly TestSpecification[]) {
    recordNeeded(specifications.map(({ moduleId }) => moduleId))
  }

  onTestRunEnd() {
    for (const service of SERVICES) {
      const reason = missingReason(service)
      if (reason === undefined) continue
      console.log(`\nRun without ${service} (${reason}), so without all or some tests of:`)
      for (const file of filesThatUse(service)) console.log(`  ${file}`)
    }
  }
}
