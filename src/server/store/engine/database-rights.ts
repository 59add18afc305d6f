import { sql } from 'kysely'
import { type Database, isEmbedded } from './database.ts'

/** Whether the database refuses writes. Changes nothing. */
export async function isReadOnly(database: Database): Promise<boolean> {
  if (!isEmbedded(database)) {
    const { rows } = await sql<{ mode: string }>`select current_setting('transaction_read_only') as mode`.execute(database)
    return rows[0]?.mode === 'on'
  }
  const undone = new Error('Undone')
  const written = database.transaction().execute(async (transaction) => {
    await sql`create table doctor_probe (value integer)`.execute(transaction)
    throw undone
  })
  return written.then(
    () => false,
    (error: unknown) => error !== undone,
  )
}

/** Lists rights that the server needs and the PostgreSQL user lacks. */
export async function deniedRights(database: Database): Promise<string[]> {
  const { rows } = await sql<{ denied: string }>`
    select 'create tables in schema ' || current_schema() as denied
      where not has_schema_privilege(current_schema(), 'create')
    union all
    select right_name || ' on ' || tablename as denied
      from pg_tables cross join (values ('select'), ('insert'), ('update'), ('delete')) as needed (right_name)
      where schemaname = current_schema() and not has_table_privilege(format('%I.%I', schemaname, tablename), right_name)
    limit 5
  `.execute(database)
  return rows.map(({ denied }) => denied)
}

/** `max_connections` of a PostgreSQL server. */
export async function maxConnections(database: Database): Promise<number> {
  const { rows } = await sql<{ max: string }>`select current_setting('max_connections') as max`.execute(database)
  return Number(rows[0]?.max)
}
