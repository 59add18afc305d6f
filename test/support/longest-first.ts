import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { mostlyWaits } from './waiting-files.ts'

/** The longest of those that keep the processors busy. */
const BUSY = ['/test/api/existence-oracle', '/test/e2e/', '/test/api/']

/** What takes long begins first, or it would hold up the end of the run alone; and what waits beside what is busy. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const waiting = files.filter(({ moduleId }) => mostlyWaits(moduleId))
    const busy = files.filter((file) => !waiting.includes(file)).toSorted((one, other) => placeOf(one) - placeOf(other))
    return busy.flatMap((file, index) => [...waiting.slice(index, index + 1), file]).concat(waiting.slice(busy.length))
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = BUSY.findIndex((part) => moduleId.includes(part))
  return place < 0 ? BUSY.length : place
}
