import { ensureServer } from '../../scripts/builds.mjs'
import { findFakeTime } from '../../scripts/fake-time.mjs'
import { mountSmallDisk } from '../faults/kit/small-disk.ts'
import { startCluster } from './postgres-cluster.ts'
import { markMissing } from './services.ts'

const SMALL_DISK_BYTES = 64 * 1024

/** Builds the server, if it has changed, and sees what can be had here: for this process and for the workers that it starts. */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  await ensureServer({ node: process.execPath, verbose: false })
  if (!findFakeTime()) markMissing('libfaketime', 'it is not installed, and could not be.')
  try {
    mountSmallDisk(SMALL_DISK_BYTES).remove()
  } catch (error) {
    markMissing('tmpfs', `a small disk could not be mounted here: ${(error as Error).message}`)
  }
  return providePostgres()
}

/** One PostgreSQL for the whole run, unless `TEST_DATABASE_URL` names one. Workers inherit its address. */
async function providePostgres(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['TEST_DATABASE_URL']) return undefined
  try {
    const cluster = await startCluster()
    process.env['TEST_DATABASE_URL'] = cluster.url
    return () => cluster.stop()
  } catch (error) {
    markMissing('PostgreSQL', `PostgreSQL could not be started here: ${(error as Error).message}`)
    return undefined
  }
}
