import { hash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { changesRows, type Database } from '../engine/database.ts'
import { readFact, sortable } from '../engine/installation-facts.ts'
import type { Counts } from '../engine/table-ownership.ts'

/** Contents of a receipt that only its deletion knows; nothing of the visitor. */
export interface Deletion {
  id: string
  at: string
  counts: Counts
  stopped: number
  isOverwritten: boolean
}

/** After it, a deletion without an end has died with its process, and a finished one is forgotten. */
const KNOWN_MS = 60_000
const POLL_MS = 50

/**
 * Runs a deletion once for all processes: callers at the same time wait for the first and get its result. `delete` gets what a caller shortly
 * before has deleted, if it has finished.
 */
export async function shareDeletion(
  database: Database,
  { what, now, ...options }: { what: string; now: () => number; delete: (earlier?: Deletion) => Promise<Deletion> },
): Promise<Deletion> {
  const name = `deletion ${hash('sha256', what)}` as const
  let awaited: string | undefined
  for (;;) {
    const stored = await readFact(database, name)
    const isKnown = stored !== null && stored > sortable(now() - KNOWN_MS)
    const earlier = isKnown ? finished(stored) : undefined
    if (earlier && awaited) return earlier
    if (isKnown && !earlier) {
      awaited = stored
      await pause(POLL_MS)
      continue
    }
    const mine = `${sortable(now())} ${crypto.randomUUID()}`
    if (!(await replace(database, { name, stored, value: mine }))) continue
    try {
      const deletion = await options.delete(earlier)
      await replace(database, { name, stored: mine, value: `${sortable(now())}${JSON.stringify(deletion)}` })
      return deletion
    } catch (error) {
      await database.deleteFrom('installation_facts').where('name', '=', name).where('value', '=', mine).execute()
      throw error
    }
  }
}

/** Deletes what `shareDeletion` stored a while ago. */
export async function forgetDeletions(database: Database, now: number): Promise<void> {
  await database
    .deleteFrom('installation_facts')
    .where('name', 'like', 'deletion %')
    .where('value', '<', sortable(now - KNOWN_MS))
    .execute()
}

function finished(stored: string): Deletion | undefined {
  const start = stored.indexOf('{')
  return start < 0 ? undefined : (JSON.parse(stored.slice(start)) as Deletion)
}

/** Stores `value` unless another process has changed `stored`. */
function replace(database: Database, { name, stored, value }: { name: string; stored: string | null; value: string }): Promise<boolean> {
  if (stored !== null)
    return changesRows(database.updateTable('installation_facts').set({ value }).where('name', '=', name).where('value', '=', stored))
  return changesRows(
    database
      .insertInto('installation_facts')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doNothing()),
  )
}
