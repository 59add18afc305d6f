import { openDatabase } from '../../src/server/store/engine/open-database.ts'
import { createDatabase, nameOf, type TemporaryDatabase, TEMPLATE_VARIABLE } from './postgres.ts'

/** Migrates the database that `createMigratedDatabase` copies, in this process and its workers. */
export async function prepareTemplate(): Promise<TemporaryDatabase> {
  const template = await createDatabase()
  const database = await openDatabase({ kind: 'postgres', url: template.url, connections: 1, timeoutMs: 20_000 }, () => undefined)
  // PostgreSQL copies a database only while nobody is connected to it.
  await database.destroy()
  process.env[TEMPLATE_VARIABLE] = nameOf(template.url)
  return template
}
