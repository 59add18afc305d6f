import { startCluster } from './postgres-cluster.ts'
import { markMissing } from './services.ts'

/** One PostgreSQL for the whole run, unless `TEST_DATABASE_URL` names one. Workers inherit its address. */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
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
