import type { Compilable, CompiledQuery } from 'kysely'
import type { Database } from './database.ts'
import { TurnTakingSqliteAdapter } from './sqlite.ts'

/** Where a value of this name goes. */
class Slot {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** A statement for each kind of database, by what tells one from another. */
type Prepared = WeakMap<object, CompiledQuery>

/**
 * A statement whose SQL is made when it is first run, and not anew every time: for those that every prompt runs, which Kysely takes
 * longer to build than SQLite to execute. On SQLite it is executed by the call itself whenever that is possible. `build` is called once for each kind of database, with what stands for the values;
 * it may put them where any value can stand, and nothing else.
 */
export function prepared<Values extends object, Row = unknown>(
  build: (database: Database, values: Values) => Compilable<Row>,
): (database: Database, values: Values) => Promise<{ rows: Row[]; changed: number }> {
  const statements: Prepared = new WeakMap()
  const slots = new Proxy({}, { get: (_, name) => new Slot(String(name)) }) as Values
  return async (database, values) => {
    const { adapter } = database.getExecutor()
    let statement = statements.get(adapter)
    if (!statement) statements.set(adapter, (statement = build(database, slots).compile()))
    const parameters = statement.parameters.map((value) => (value instanceof Slot ? values[value.name as keyof Values] : value))
    const done = adapter instanceof TurnTakingSqliteAdapter && adapter.driver.atOnce(statement.sql, parameters, database.isTransaction)
    if (done) return done as { rows: Row[]; changed: number }
    const { rows, numAffectedRows } = await database.executeQuery<Row>({ ...statement, parameters })
    return { rows, changed: Number(numAffectedRows ?? 0) }
  }
}
