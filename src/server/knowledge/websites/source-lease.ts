import { randomUUID } from 'node:crypto'
import type { Database } from '../../store/engine/database.ts'
import { leaseSource, readSource, recordEnd, type SourceRow } from '../../store/knowledge/sources.ts'

/** How long an action may work on a source. */
const LEASE_MS = 600_000

/** A source can't be read or changed as asked. The message is a sentence for the operator or staff. */
export class SourceActionError extends Error {}

/** Only an operator can add a website of this address. */
export class PrivateWebsiteError extends SourceActionError {}

/** How to do what a sentence proposes. */
export interface NextSteps {
  sync: (id: string) => string
  accept: (id: string) => string
}

export interface ActionContext {
  now: () => number
  write: (line: string) => void
  commands: NextSteps
}

/** Changes a source that nobody reads meanwhile. @throws {SourceActionError} */
export async function withLease(
  database: Database,
  id: string,
  { now, commands }: Pick<ActionContext, 'now' | 'commands'>,
  change: (row: SourceRow) => Promise<void>,
): Promise<void> {
  await knownSource(database, id, commands)
  const holder = `command ${randomUUID()}`
  if (!(await leaseSource(database, id, { holder, now: now(), durationMs: LEASE_MS })))
    throw new SourceActionError(`The source "${id}" is being read or changed; try again when that is done.`)
  try {
    await change(await knownSource(database, id, commands))
  } finally {
    await recordEnd(database, id, { holder, now: now(), report: null })
  }
}

/** @throws {SourceActionError} if it was never read. */
export async function knownSource(database: Database, id: string, { sync }: NextSteps): Promise<SourceRow> {
  const row = await readSource(database, id)
  if (!row) throw new SourceActionError(`The source "${id}" has not been read yet: ${sync(id)}`)
  return row
}
