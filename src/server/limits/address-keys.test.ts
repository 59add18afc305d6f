import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenedDatabase, openTestDatabase } from '../../../test/support/test-database.ts'
import { AddressKeys } from './address-keys.ts'

let opened: OpenedDatabase
beforeAll(async () => {
  opened = await openTestDatabase('sqlite')
})
afterAll(() => opened.remove())

test('a network has one pseudonym a day, in every process', async () => {
  const [one, other] = [new AddressKeys(opened.database), new AddressKeys(opened.database)]
  const noon = Date.UTC(2026, 9, 25, 12)
  const evening = Date.UTC(2026, 9, 25, 23, 59, 59, 999)
  const key = await one.keyOf('10.0.0.1', noon)
  expect([await one.keyOf('10.0.0.1', evening), await other.keyOf('10.0.0.1', evening)]).toEqual([key, key])
  const others = [await one.keyOf('10.0.0.2', noon), await one.keyOf('10.0.0.1', evening + 1)]
  expect(new Set([key, ...others]).size).toBe(3)
})

test('a day whose salt could not be read is asked for again', async () => {
  const keys = new AddressKeys(opened.database)
  const noon = Date.UTC(2026, 9, 26, 12)
  await opened.database.schema.alterTable('address_salts').renameTo('elsewhere').execute()
  await expect(keys.keyOf('10.0.0.1', noon)).rejects.toThrow('address_salts')
  await opened.database.schema.alterTable('elsewhere').renameTo('address_salts').execute()
  expect(await keys.keyOf('10.0.0.1', noon)).toMatch(/^[\da-f]{32}$/)
})
