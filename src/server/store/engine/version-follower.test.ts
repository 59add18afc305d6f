import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually } from '../../../../test/support/eventually.ts'
import { type OpenedDatabase, openTestDatabase } from '../../../../test/support/test-database.ts'
import { increaseVersion, readVersion } from './installation-facts.ts'
import { VersionFollower } from './version-follower.ts'

const INTERVAL_MS = 20
let opened: OpenedDatabase
let fault: Error | null
let inForce: string[]
let faults: unknown[]
let follower: VersionFollower

beforeEach(async () => {
  opened = await openTestDatabase('sqlite')
  fault = null
  inForce = []
  faults = []
  follower = new VersionFollower({ database: opened.database, intervalMs: () => INTERVAL_MS })
})
afterEach(async () => {
  await follower.close()
  await opened.remove()
})

const change = () => increaseVersion(opened.database, 'limits_version')
const follow = (also?: () => string) =>
  follower.follow({
    version: 'limits_version',
    ...(also && { also }),
    async refresh() {
      if (fault) throw fault
      inForce.push(await readVersion(opened.database, 'limits_version'))
    },
    onFault: (cause) => faults.push(cause),
  })

test('refreshes at once, and again only when the version has changed, whoever changes it', async () => {
  await follow()
  expect(inForce).toEqual(['0'])
  await change()
  await eventually(() => expect(inForce).toEqual(['0', '1']))
  await follower.poll()
  expect(inForce).toEqual(['0', '1'])
})

test('a poll on request refreshes before it resolves, once', async () => {
  await follow()
  await change()
  await Promise.all([follower.poll(), follower.poll()])
  expect(inForce).toEqual(['0', '1'])
})

test('what depends on something else too is refreshed when that changes', async () => {
  let day = 'Monday'
  await follow(() => day)
  day = 'Tuesday'
  await follower.poll()
  expect(inForce).toEqual(['0', '0'])
})

test('a failure is reported once and tried again, and keeps nothing else from its refresh', async () => {
  let others = 0
  await follow()
  await follower.follow({ version: 'uploads_version', refresh: async () => void (others += 1), onFault: (cause) => faults.push(cause) })
  fault = new Error('The table is away')
  await change()
  await increaseVersion(opened.database, 'uploads_version')
  await follower.poll()
  await follower.poll()
  expect([faults, others]).toEqual([[fault], 2])
  fault = null
  await eventually(() => expect(inForce).toEqual(['0', '1']))
})

test('does not poll after it is closed', async () => {
  await follow()
  await follower.close()
  await change()
  await follower.poll()
  expect(inForce).toEqual(['0'])
})

test('asks the database nothing while nothing is followed', async () => {
  await opened.database.destroy()
  await expect(follower.poll()).resolves.toBeUndefined()
})
