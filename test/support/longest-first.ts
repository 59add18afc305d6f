import { BaseSequencer, type TestSpecification } from 'vitest/node'

const PLACES = ['/test/e2e/', '/test/api/', '/test/', '/src/']

/**
 * Starts long tests first, so that they do not delay the end of the run. Those that share workers come last and follow each other, because
 * a worker ends when the next test needs one of its own.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((one, other) => placeOf(one) - placeOf(other))
  }
}

function placeOf({ moduleId, project }: TestSpecification): number {
  const place = PLACES.findIndex((part) => moduleId.includes(part))
  return project.config.isolate ? place : PLACES.length + place
}
