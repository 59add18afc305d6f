import type { Selectable } from 'kysely'
import type { StopInForce } from '../../../contract/staff/stops.ts'
import { changesRows, type Database } from '../engine/database.ts'
import type { Schema } from '../engine/schema/schema.ts'
import { increaseVersion, INITIAL_VERSION, readVersion } from '../engine/installation-facts.ts'
import { changeAndRecord, type RecordChange } from './audit-log.ts'

export type Stop = Omit<StopInForce, 'since'> & { createdAt: number }

export const NO_STOPS = INITIAL_VERSION

/** The stops in force, oldest first, with their version. */
export async function readStops(database: Database): Promise<{ version: string; stops: Stop[] }> {
  return database.transaction().execute(async (transaction) => {
    // The version first: a change in between makes it too old, and it is read again.
    const version = await stopsVersion(transaction)
    const rows = await transaction.selectFrom('stops').selectAll().orderBy('created_at').orderBy('id').execute()
    return { version, stops: rows.map(stopOf) }
  })
}

export function stopsVersion(database: Database): Promise<string> {
  return readVersion(database, 'stops_version')
}

/** Selects the version; no row before the first stop. Read in the transaction that stores a prompt, so that none escapes a stop. */
export function selectStopsVersion(database: Pick<Database, 'selectFrom'>) {
  return database.selectFrom('installation_facts').select('value').where('name', '=', 'stops_version')
}

const recordNothing: RecordChange = async () => undefined

export async function insertStop(
  database: Database,
  { scope, createdAt, examples, ...stop }: Stop,
  record: RecordChange = recordNothing,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('stops')
      .values({ ...stop, kind: scope, examples: JSON.stringify(examples), created_at: createdAt })
      .execute()
    await increaseVersion(transaction, 'stops_version')
    await record(transaction)
  })
}

export async function deleteStop(database: Database, id: string, record: RecordChange = recordNothing): Promise<boolean> {
  const remove = (transaction: Database) => changesRows(transaction.deleteFrom('stops').where('id', '=', id))
  return changeAndRecord(database, remove, async (transaction) => {
    await increaseVersion(transaction, 'stops_version')
    await record(transaction)
  })
}

function stopOf({ kind, examples, created_at, ...row }: Selectable<Schema['stops']>): Stop {
  return { ...row, scope: kind, examples: JSON.parse(examples) as string[], createdAt: created_at }
}
