import type { Compilable, CompiledQuery } from 'kysely'
import type { Database } from './database.ts'

/** Placeholder for a value during compilation. */
class Slot {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/**
 * A statement that is compiled once for each kind of database, for those that every prompt runs: Kysely takes longer to compile them
 * than SQLite to execute them. `build` gets placeholders instead of values, so it can pass them on but not inspect them.
 */
export function prepared<Values extends object, Row = unknown>(
  build: (database: Database, values: Values) => Compilable<Row>,
): (database: Database, values: Values) => Promise<{ rows: Row[]; changed: number }> {
  const statements = new WeakMap<object, CompiledQuery>()
  const slots = new Proxy({}, { get: (_, name) => new Slot(String(name)) }) as Values
  return async (database, values) => {
    const { adapter } = database.getExecutor()
    let statement = statements.get(adapter)
    if (!statement) statements.set(adapter, (statement = build(database, slots).compile()))
    const parameters = statement.parameters.map((value) => (value instanceof Slot ? values[value.name as keyof Values] : value))
    const { rows, numAffectedRows } = await database.executeQuery<Row>({ ...statement, parameters })
    return { rows, changed: Number(numAffectedRows ?? 0) }
  }
}
