import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { openTestDatabase } from '../../../../test/support/test-database.ts'
import { Checkpointer } from './checkpointer.ts'

test('copies what is committed from the log into the database, again and again', async () => {
  const { database, settings, remove } = await openTestDatabase('sqlite')
  const file = join((settings as { directory: string }).directory, 'parley.db')
  const isCopied = (text: string) => readFileSync(file).includes(text)
  const checkpointer = new Checkpointer(database)
  try {
    for (const name of ['cAnAry-first', 'cAnAry-second']) {
      await database.insertInto('installation_facts').values({ name, value: '' }).execute()
      expect(isCopied(name)).toBe(false)
      await checkpointer.run()
      expect(isCopied(name)).toBe(true)
    }
  } finally {
    await checkpointer.close()
    await remove()
  }
})

test('ends while somebody still reads what the log replaces', async () => {
  const { database, settings, remove } = await openTestDatabase('sqlite')
  const reader = new DatabaseSync(join((settings as { directory: string }).directory, 'parley.db'))
  const checkpointer = new Checkpointer(database)
  try {
    reader.exec('begin; select * from installation_facts')
    await database.insertInto('installation_facts').values({ name: 'later', value: '' }).execute()
    expect(await checkpointer.run()).toBeUndefined()
  } finally {
    reader.close()
    await checkpointer.close()
    await remove()
  }
})
