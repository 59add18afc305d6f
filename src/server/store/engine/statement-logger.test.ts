import type { LogEvent } from 'kysely'
import { expect, test } from 'vitest'
import { statementLogger } from './open-database.ts'

const event = (sql: string, queryDurationMillis: number) =>
  ({ level: 'query', query: { sql, parameters: ['confidential'] }, queryDurationMillis }) as unknown as LogEvent

test('tells of statements above half a second by verb and table, and of no others', async () => {
  const slow: unknown[] = []
  const log = statementLogger('postgresql', (...told) => slow.push(told))
  await log(event('select "text" from "messages" where "id" = $1', 500))
  await log(event('select "text" from "messages" where "id" = $1', 500.6))
  await log(event('with x as (select 1) insert into "turns" values ($1)', 900))
  await log(event('begin', 700))
  const cut = { level: 'error', error: new Error('Connection terminated unexpectedly') }
  await log({ ...event('select 1 from "turns"', 1_500), ...cut } as LogEvent)
  expect(slow).toEqual([
    ['select messages', 501],
    ['with turns', 900],
    ['begin', 700],
  ])
})
