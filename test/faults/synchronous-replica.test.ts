import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/server/store/engine/open-database.ts'
import { storageFaultOf } from '../../src/server/store/engine/storage-fault.ts'
import { countUp } from '../../src/server/store/turns/quotas.ts'
import { eventually } from '../support/eventually.ts'
import { startCluster } from '../support/postgres-cluster.ts'
import { isMissing } from '../support/services.ts'
import { freeze } from './kit/freeze.ts'
import { runStatement } from './kit/stored-rows.ts'

const STATEMENT_TIMEOUT_S = 1

test.skipIf(isMissing('postgresql'))('a commit that a hanging synchronous replica lacks is neither confirmed nor visible', async () => {
  const primary = await startCluster()
  onTestFinished(() => primary.stop())
  const settings = { kind: 'postgres', connections: 2, timeoutMs: STATEMENT_TIMEOUT_S * 1_000 } as const
  const patient = await openDatabase({ ...settings, url: primary.url, timeoutMs: 60_000 }, () => undefined)
  await patient.destroy()
  const replica = await primary.replicate()
  onTestFinished(() => replica.stop())
  const isSynchronous = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'"
  await eventually(async () => expect(await runStatement(primary.url, isSynchronous)).toHaveLength(1))
  const database = await openDatabase({ ...settings, url: primary.url }, () => undefined)
  onTestFinished(() => database.destroy())

  const thaw = freeze(replica.pid)
  const stored = () => runStatement(primary.url, "SELECT 1 FROM quota_counts WHERE key = 'held'")
  try {
    const storing = database.transaction().execute((transaction) => countUp(transaction, [{ key: 'held', endsAt: 0 }]))
    expect(await storing.catch(storageFaultOf)).toBe('storage_unavailable')
    await runStatement(primary.url, `SELECT pg_sleep(${2 * STATEMENT_TIMEOUT_S})`)
    expect(await stored()).toEqual([])
  } finally {
    thaw()
  }
  await eventually(async () => expect(await stored()).toHaveLength(1))
})
