import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTestDatabase } from '../../../test/support/test-database.ts'
import { deleteInBatches } from './delete-in-batches.ts'

test('copies the log into the database between batches, so that it stays small', async () => {
  const { database, settings, remove } = await openTestDatabase('sqlite')
  const file = join((settings as { directory: string }).directory, 'parley.db')
  const copied: boolean[] = []
  try {
    const deleted = await deleteInBatches(database, async () => {
      copied.push(readFileSync(file).includes('cAnAry'))
      if (copied.length > 2) return 0
      await database
        .insertInto('installation_facts')
        .values({ name: `cAnAry ${copied.length}`, value: '' })
        .execute()
      return 600
    })
    expect([deleted, copied]).toEqual([1_200, [false, false, true]])
  } finally {
    await remove()
  }
})

test.each([
  { batches: [1_000, 10], isCopied: true },
  { batches: [900, 10], isCopied: false },
])('copies the rest of a log that was copied before, and none that stayed small: batches of $batches', async ({ batches, isCopied }) => {
  const { database, settings, remove } = await openTestDatabase('sqlite')
  const left = [...batches]
  try {
    await deleteInBatches(database, async () => {
      const rows = left.shift() ?? 0
      await database
        .insertInto('installation_facts')
        .values({ name: `cAnAry ${rows}`, value: '' })
        .execute()
      return rows
    })
    expect(readFileSync(join((settings as { directory: string }).directory, 'parley.db')).includes('cAnAry 10')).toBe(isCopied)
  } finally {
    await remove()
  }
})
