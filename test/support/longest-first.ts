import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { mostlyWaits } from './waiting-files.ts'

/** The longest CPU-bound tests. */
const BUSY = ['/test/api/existence-oracle', '/test/e2e/', '/test/api/', '/test/', '/src/']

/**
 * Starts long tests first, so that they do not delay the end of the run, and waiting tests next to CPU-bound ones. Those that share
 * workers come last and follow each other, because a worker ends when the next test needs one of its own.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const waiting = files.filter(({ moduleId }) => mostlyWaits(moduleId))
    const busy = files.filter((file) => !waiting.includes(file)).toSorted((one, other) => placeOf(one) - placeOf(other))
    return busy.flatMap((file, index) => [...waiting.slice(index, index + 1), file]).concat(waiting.slice(busy.length))
  }
}

function placeOf({ moduleId, project }: TestSpecification): number {
  const place = BUSY.findIndex((part) => moduleId.includes(part))
  return project.config.isolate ? place : BUSY.length + place
}
