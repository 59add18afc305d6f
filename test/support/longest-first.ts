import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Folders and files whose tests mostly wait: for a fault to last, or a server to give up. */
const WAITING = ['/test/faults/', '/test/api/several', '/test/api/queue']
/** The longest of the others, which keep the processors busy. */
const BUSY = ['/test/api/existence-oracle', '/test/e2e/', '/test/api/']

/** What takes long begins first, or it would hold up the end of the run alone; and what waits beside what is busy. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const waiting = files.filter((file) => placeIn(WAITING, file) < WAITING.length)
    const busy = files.filter((file) => !waiting.includes(file)).toSorted((one, other) => placeIn(BUSY, one) - placeIn(BUSY, other))
    return busy.flatMap((file, index) => [...waiting.slice(index, index + 1), file]).concat(waiting.slice(busy.length))
  }
}

function placeIn(parts: readonly string[], { moduleId }: TestSpecification): number {
  const place = parts.findIndex((part) => moduleId.includes(part))
  return place < 0 ? parts.length : place
}
