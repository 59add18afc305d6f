import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Folders and files by how long they take, the longest first: they mostly wait, for a fault to last or a server to give up. */
const BY_LENGTH = ['/test/faults/', '/test/api/existence-oracle', '/test/api/several', '/test/e2e/', '/test/api/']

/** A long file that begins last would hold up the end of the run alone. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((one, other) => placeOf(one) - placeOf(other))
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = BY_LENGTH.findIndex((part) => moduleId.includes(part))
  return place < 0 ? BY_LENGTH.length : place
}
