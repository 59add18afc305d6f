import { setImmediate as immediate } from 'node:timers/promises'
import { BREAKDOWNS, type Figures } from '../../../contract/staff/figures.ts'
import type { Database } from '../../store/engine/database.ts'
import { readFigures, readTopFiles } from '../../store/staff/figures.ts'
import { publishFigures } from './publish-figures.ts'

const DIMENSIONS = ['all', 'first_text', 'whole_answer', 'refusal', 'visitors', ...BREAKDOWNS] as const
/** Files of which the figures are shown: those that most answers name. */
const MAX_FILES = 50

/** The figures of the days from `from` to `to`, both included, as staff may see them; of none after `last`. */
export async function readPublished(database: Database, range: { from: string; to: string }, last: string): Promise<Figures> {
  // Of whole months, in which days are always joined in the same way.
  const months = { from: `${range.from.slice(0, 7)}-01`, to: last }
  const rows = await readTopFiles(database, { ...range, to: range.to < last ? range.to : last }, MAX_FILES)
  for (const dimension of DIMENSIONS) {
    rows.push(...(await readFigures(database, { ...months, dimension })))
    // The embedded database reads in this thread.
    await immediate()
  }
  return publishFigures(rows, range)
}
