import { ensureServer } from '../../scripts/builds.mjs'
import { allowedMissing } from '../../scripts/services.mjs'
import { mountSmallDisk } from '../faults/kit/small-disk.ts'
import { startCluster } from './postgres-cluster.ts'
import { prepareTemplate } from './postgres-template.ts'
import { markMissing, neededServices, missingServicesMessage } from './services.ts'

const SMALL_DISK_BYTES = 64 * 1024

/** Builds the server if it has changed, and starts or checks the services, for this process and its workers. */
export default async function setup(): Promise<() => Promise<void>> {
  checkTmpfs()
  refuseIfMissing()
  const stopPostgres = await providePostgres()
  refuseIfMissing()
  await ensureServer({ node: process.execPath, verbose: false })
  const template = process.env['TEST_DATABASE_URL'] ? await prepareTemplate() : undefined
  return async () => {
    await template?.drop()
    await stopPostgres?.()
  }
}

/** Ends this process with one sentence if the selected tests need a missing service. */
function refuseIfMissing(): void {
  const message = missingServicesMessage(neededServices(), allowedMissing())
  if (!message) return
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

function checkTmpfs(): void {
  try {
    mountSmallDisk(SMALL_DISK_BYTES).remove()
  } catch (error) {
    markMissing('tmpfs', `a small disk could not be mounted: ${(error as Error).message.trim()}`)
  }
}

/** One PostgreSQL for the whole run, unless `TEST_DATABASE_URL` names one. Workers inherit its address. */
async function providePostgres(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['TEST_DATABASE_URL']) return undefined
  try {
    const cluster = await startCluster()
    process.env['TEST_DATABASE_URL'] = cluster.url
    return () => cluster.stop()
  } catch (error) {
    markMissing('postgresql', `it could not be started: ${(error as Error).message.trim()}`)
    return undefined
  }
}
