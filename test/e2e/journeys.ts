import { afterAll, beforeAll, test } from 'vitest'
import { DATABASES, type TestDatabase } from '../support/databases.ts'
import type { Stage } from './stage.ts'

/**
 * Opens a stage on the embedded database for the tests of a file, hands it to `use`, and closes it after them. Returns `journey`, which
 * defines a test that runs on each database, with the stage of that database in use.
 */
export function openStages(open: (database: TestDatabase) => Promise<Stage>, use: (stage: Stage) => void) {
  const stages = new Map<TestDatabase, Stage>()
  const enter = async (database: TestDatabase) => {
    const stage = stages.get(database) ?? (await open(database))
    stages.set(database, stage)
    use(stage)
  }
  beforeAll(() => enter('sqlite'))
  afterAll(async () => {
    for (const stage of stages.values()) await stage.close()
  })
  const onStageOf = (database: TestDatabase, run: () => Promise<void>) => async () => {
    await enter(database)
    try {
      await run()
    } finally {
      await enter('sqlite')
    }
  }
  return (name: string, run: () => Promise<void>) => {
    // oxlint-disable-next-line vitest/expect-expect -- `run` asserts
    for (const database of DATABASES) test(`${name}, on ${database}`, onStageOf(database, run))
  }
}
