import type { Database } from '../engine/database.ts'
import { increaseVersion } from '../engine/installation-facts.ts'
import type { RecordChange } from './audit-log.ts'

/** A limit that staff have changed. `value` is in the unit in which it is counted: money in billionths. */
export interface AdjustedLimit {
  name: string
  value: number
  changedAt: number
  changedBy: string
}

export async function readAdjustedLimits(database: Database): Promise<Map<string, AdjustedLimit>> {
  const rows = await database.selectFrom('adjusted_limits').selectAll().execute()
  return new Map(rows.map(({ name, value, changed_at: changedAt, changed_by: changedBy }) => [name, { name, value, changedAt, changedBy }]))
}

/** Sets a limit, if it is still as `isExpected` says; `false` if somebody else has changed it. */
export async function adjustLimit(
  database: Database,
  { name, value, changedAt, changedBy }: AdjustedLimit,
  isExpected: (current: AdjustedLimit | undefined) => boolean,
  record: RecordChange,
): Promise<boolean> {
  return changeIfExpected(database, name, isExpected, async (transaction) => {
    const row = { value, changed_at: changedAt, changed_by: changedBy }
    await transaction
      .insertInto('adjusted_limits')
      .values({ name, ...row })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
      .execute()
    await record(transaction)
  })
}

export async function restoreLimit(database: Database, name: string, record: RecordChange): Promise<boolean> {
  const isChanged = (current: AdjustedLimit | undefined) => current !== undefined
  return changeIfExpected(database, name, isChanged, async (transaction) => {
    await transaction.deleteFrom('adjusted_limits').where('name', '=', name).execute()
    await record(transaction)
  })
}

async function changeIfExpected(
  database: Database,
  name: string,
  isExpected: (current: AdjustedLimit | undefined) => boolean,
  change: (transaction: Database) => Promise<void>,
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    // First: it makes concurrent changes wait for each other.
    await increaseVersion(transaction, 'limits_version')
    const adjusted = await readAdjustedLimits(transaction)
    if (!isExpected(adjusted.get(name))) return false
    await change(transaction)
    return true
  })
}
