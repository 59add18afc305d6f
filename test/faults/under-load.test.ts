import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { withConstants } from '../../scripts/constants.mjs'
import { eventually } from '../support/eventually.ts'
import { createDatabase } from '../support/postgres.ts'
import { startCluster } from '../support/postgres-cluster.ts'
import { startPair } from '../support/process-pair.ts'
import { startRedis } from '../support/redis.ts'
import type { Script } from '../support/scripted-model.ts'
import { isMissing } from '../support/services.ts'
import { type LoadFigures, underLoad } from './kit/load.ts'
import { StaffAtWork, withStaff } from './kit/staff-at-work.ts'
import { startStage, type Stage } from './kit/stage.ts'
import { runStatement } from './kit/stored-rows.ts'
import { startTcpProxy } from './kit/tcp-proxy.ts'

const RESTARTS = 2
/** Prompts between two faults. */
const BETWEEN = 20
const WORDS = Array.from({ length: 60 }, (_, index) => `word${index} `)
const answers = ({ prompt }: { prompt: string }): Script | undefined =>
  prompt.startsWith('slow') ? [{ text: WORDS, tokensPerSecond: 30 }] : undefined

let figures: LoadFigures | undefined
afterEach(({ task }) => {
  const { broken, ...counts } = figures ?? { broken: [] }
  console.log(task.name, JSON.stringify(counts), broken.slice(0, 5).join('\n'))
})

/** A server on the PostgreSQL at this address, and staff at work. */
async function onPostgres(url: string): Promise<{ stage: Stage; staff: StaffAtWork }> {
  const env = { DATABASE_URL: url, ...withConstants({ databaseTimeoutMs: 2_000 }), ...(await withStaff()) }
  const stage = await startStage({ database: 'sqlite', env })
  onTestFinished(() => stage.stop())
  stage.model.script(answers)
  return { stage, staff: await StaffAtWork.start(stage.server, await stage.visitor()) }
}

describe.skipIf(isMissing('postgresql'))('under the load of twenty visitors and of staff, nothing is lost or doubled', () => {
  test('F19: while PostgreSQL is restarted', async () => {
    const cluster = await startCluster()
    onTestFinished(() => cluster.stop())
    const { stage, staff } = await onPostgres((await createDatabase(cluster.url)).url)
    figures = await underLoad([stage.server], staff, async (load) => {
      for (let restart = 0; restart < RESTARTS; restart += 1) {
        await load.more(BETWEEN)
        await cluster.pause()
        await cluster.resume()
      }
      await load.more(BETWEEN)
    })
    expect(figures.broken).toEqual([])
  })

  test('F19: while PostgreSQL fails over to a synchronous replica', async () => {
    const primary = await startCluster()
    onTestFinished(() => primary.stop())
    const { url } = await createDatabase(primary.url)
    const replica = await primary.replicate()
    onTestFinished(() => replica.stop())
    const isSynchronous = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'"
    await eventually(async () => expect(await runStatement(primary.url, isSynchronous)).toHaveLength(1))
    const address = await startTcpProxy(url)
    onTestFinished(() => address.close())
    const { stage, staff } = await onPostgres(address.through(url))
    figures = await underLoad([stage.server], staff, async (load) => {
      await load.more(BETWEEN)
      await primary.pause()
      await runStatement(replica.url, 'SELECT pg_promote()')
      address.pointTo(replica.url)
      await load.more(BETWEEN)
    })
    expect(figures.broken).toEqual([])
  })

  test.skipIf(isMissing('redis'))('F23: while Redis is killed and restarted between two processes', async () => {
    const redis = await startRedis()
    onTestFinished(() => redis.kill())
    const { near, far, model, stop } = await startPair({ redisUrl: redis.url })
    onTestFinished(stop)
    model.script(answers)
    figures = await underLoad([near, far], null, async (load) => {
      for (let restart = 0; restart < RESTARTS; restart += 1) {
        await load.more(BETWEEN)
        await redis.kill()
        await load.more(BETWEEN)
        await redis.start()
      }
      await load.more(BETWEEN)
    })
    expect(figures).toMatchObject({ broken: [], cut: 0, sentAgain: 0 })
  })
})
