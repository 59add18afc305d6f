import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BOTH_DATABASES } from '../../../../test/support/databases.ts'
import { storeChat } from '../../../../test/support/stored-chats.ts'
import { openTestDatabase } from '../../../../test/support/test-database.ts'
import { type Database, databaseTime } from '../engine/database.ts'
import { deniedRights, isReadOnly, maxConnections } from '../engine/database-rights.ts'
import { readFact } from '../engine/installation-facts.ts'
import { COMPATIBLE_FROM, recordRelease } from '../engine/schema-version.ts'
import { countInstallation, countRunningTurns, databaseBytes } from './installation-counts.ts'
import { insertVisitor } from './visitors.ts'

describe.each(BOTH_DATABASES)('the installation on %s', (kind) => {
  let database: Database
  let remove: () => Promise<void>
  beforeAll(async () => {
    ;({ database, remove } = await openTestDatabase(kind))
  })
  afterAll(() => remove())

  test('is counted: chats, visitors, and the turns that still run', async () => {
    for (const id of ['one', 'other']) await insertVisitor(database, { id, keyHash: `key of ${id}` }, 1)
    await storeChat(database, { id: 'ended', owner: 'one', at: 1 })
    await storeChat(database, { id: 'running', owner: 'one', at: 1, answer: null })
    await storeChat(database, { id: 'temporary', owner: 'other', at: 1, temporary: true })
    expect(await countInstallation(database)).toEqual({ chats: 3, visitors: 2 })
    expect(await countRunningTurns(database)).toBe(1)
    expect(await databaseBytes(database)).toBeGreaterThan(10_000)
  })

  test('says which release opened it last, and which releases can', async () => {
    await recordRelease(database, '1.2.3')
    expect([await readFact(database, 'release'), await readFact(database, 'compatible_from')]).toEqual(['1.2.3', String(COMPATIBLE_FROM)])
  })

  test('takes writes, and asking changes nothing', async () => {
    expect([await isReadOnly(database), await isReadOnly(database)]).toEqual([false, false])
  })

  test.runIf(kind === 'postgres')('on a server denies its owner nothing, and says the time and how many connections it takes', async () => {
    expect(new Date(await databaseTime(database)).getUTCFullYear()).toBeGreaterThan(2025)
    expect(await deniedRights(database)).toEqual([])
    expect(await maxConnections(database)).toBeGreaterThan(9)
  })
})
