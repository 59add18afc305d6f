import { expect, test } from 'vitest'
import { openTestDatabase } from '../../../test/support/test-database.ts'
import { describeVisitor } from './describe-visitor.ts'

test('a visitor has the display name of everybody until signing in', async () => {
  const { database, remove } = await openTestDatabase('sqlite')
  await database.insertInto('visitors').values({ id: 'v_named', created_at: 1 }).execute()
  await database.insertInto('identities').values({ hash: 'h', visitor_id: 'v_named', name: 'Ada', created_at: 1 }).execute()
  expect(await describeVisitor(database, 'v_other')).toMatchObject({ sub: 'v_other', name: 'User', signedIn: false })
  expect(await describeVisitor(database, 'v_named')).toMatchObject({ sub: 'v_named', name: 'Ada', signedIn: true })
  await remove()
})
