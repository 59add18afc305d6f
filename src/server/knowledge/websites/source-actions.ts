import type { Database } from '../../store/engine/database.ts'
import { activateSnapshot, heldPageCount, listSnapshots, updateSource } from '../../store/knowledge/sources.ts'
import { heldKind, readHeldSource } from './held-pages.ts'
import { applyDecisions } from './page-decisions.ts'
import { settledReport } from './run-report.ts'
import { removeOldSnapshots } from './snapshot-writer.ts'
import { type ActionContext, SourceActionError, withLease } from './source-lease.ts'

/** Answers from all that was held back. @throws {SourceActionError} */
export async function acceptSource(database: Database, id: string, context: ActionContext): Promise<void> {
  await withLease(database, id, context, async (row) => {
    const { active } = row
    const waiting = (await listSnapshots(database, id)).find(({ state, number }) => state === 'quarantined' && number > (active ?? 0))
    if (active === null && !waiting) throw new SourceActionError(`The source "${id}" has not been read yet.`)
    if (waiting && (await heldPageCount(database, id, waiting.number)) === 0) {
      await activateSnapshot(database, id, waiting.number, false)
      await removeOldSnapshots(database, id)
      const settlement = { pages: waiting.pages, unanswered: 0, isPinned: false }
      if (row.report !== null) await updateSource(database, id, { report: settledReport(row.report, settlement) })
      context.write(`${id}: answers from snapshot ${waiting.number} within a few seconds.\n`)
      return
    }
    const held = await readHeldSource(database, row)
    if (held.pages.some((page) => heldKind(page) !== null)) {
      await applyDecisions(database, { ...row, pinned: 0 }, { held, decisionOf: () => 'accept' }, context)
      await updateSource(database, id, { pinned: 0 })
      context.write(`${id}: answers from all that was held back within a few seconds.\n`)
      return
    }
    if (row.pinned === 0) throw new SourceActionError(`Nothing of the source "${id}" waits to be accepted.`)
    await updateSource(database, id, { pinned: 0 })
    context.write(`${id}: the next run may change the pages again.\n`)
  })
}

/** Answers from the snapshot before. @throws {SourceActionError} */
export async function rollBackSource(database: Database, id: string, context: ActionContext): Promise<void> {
  await withLease(database, id, context, async ({ active }) => {
    const before = (await listSnapshots(database, id)).find(({ state, number }) => state === 'complete' && number < (active ?? 0))
    if (!before) throw new SourceActionError(`The source "${id}" has no earlier snapshot.`)
    await activateSnapshot(database, id, before.number, true)
    const { accept } = context.commands
    context.write(`${id}: answers from snapshot ${before.number} within a few seconds. Later runs wait for: ${accept(id)}\n`)
  })
}
